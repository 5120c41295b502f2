"""Live streams: whoever has a table open is told of every change.

A stream holds no queue. A change only rings its bell; the stream then renders what is there *now*, so however slow a
browser is, it never gets anything but the present, and a flood of changes costs it one frame. A stream that takes
nothing for a while is dropped: the browser comes back by itself and is given the present state.
"""

from __future__ import annotations

import asyncio
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any, Final, Protocol, TypeVar

import msgspec
from litestar.types import Receive, Scope, Send

from kontor.web.haze import haze
from kontor.web.limits import network_of
from kontor.web.operation import metrics

PATIENCE: Final = 10.0
"""Seconds that a browser has to take a frame."""

PULSE: Final = 20.0
"""Seconds of silence after which a comment is sent, so that nothing between us closes the stream."""

_HAIR: Final = 0.01
"""Seconds after the end of a clock after which somebody is late for certain."""

MOST_STREAMS: Final = 2000
MOST_STREAMS_A_TABLE: Final = 200
MOST_STREAMS_AN_ADDRESS: Final = 300
"""A school behind one address fits; one who wants all chairs for themselves does not."""

_WINDOW: Final = 12
_EFFORT: Final = 5
_LEVEL: Final = 3
"""How streams are packed (zlib's ``wbits``, ``memLevel`` and ``level``). Of what was sent before 4 KB are remembered;
that takes 32 KB of memory a stream, and not the usual 256."""


class Full(Exception):
    """There are too many streams."""


class Bell(asyncio.Event):
    """Rings at changes. ``since`` is when the first of those happened that nobody has looked at yet. The streams of
    one table share an ``easel``."""

    def __init__(self, easel: Easel) -> None:
        super().__init__()
        self.easel = easel
        self.since: float | None = None

    def ring(self, at: float) -> None:
        """Something has changed."""
        self.since = at if self.since is None else self.since
        self.set()

    def heard(self) -> float | None:
        """Is still again. Returns since when somebody has waited for what is shown now."""
        since, self.since = self.since, None
        self.clear()
        return since


class Hub:
    """The open streams by table."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._bells: dict[str, set[Bell]] = {}
        self._count = 0
        self._by_address = Counter[str]()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.closing = False

    def changed(self, table: str) -> None:
        """A table has changed. May be called from any thread."""
        loop = self._loop
        if loop is not None and table in self._bells:  # most changes are nobody's here who is served by this process
            with suppress(RuntimeError):  # the loop has ended: nobody is listening any more
                loop.call_soon_threadsafe(self._ring, table, monotonic())

    def watched(self) -> tuple[str, ...]:
        """The tables that somebody looks at. May be called from any thread."""
        return tuple(self._bells)

    def close(self) -> None:
        """Ends all streams. May be called from any thread."""
        self.closing = True
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._ring_all)

    def _ring_all(self) -> None:
        for bells in self._bells.values():
            for bell in bells:
                bell.set()

    def _ring(self, table: str, at: float) -> None:
        for bell in self._bells.get(table, ()):
            bell.ring(at)

    @property
    def open(self) -> int:
        """How many streams are open."""
        return self._count

    @contextmanager
    def bell(self, table: str, address: str) -> Iterator[Bell]:
        """A bell that rings at every change of a table, for somebody at an address. Raises Full."""
        self._loop = asyncio.get_running_loop()
        network = network_of(address)
        full = self._count >= self._most or self._by_address[network] >= MOST_STREAMS_AN_ADDRESS
        if full or len(self._bells.get(table, ())) >= MOST_STREAMS_A_TABLE:
            raise Full
        bells = self._bells.setdefault(table, set())
        bell = Bell(next(iter(bells)).easel if bells else Easel())
        bells.add(bell)
        self._count += 1
        self._by_address[network] += 1
        try:
            yield bell
        finally:
            self._count -= 1
            self._by_address[network] -= 1
            if not self._by_address[network]:
                del self._by_address[network]
            bells.discard(bell)
            if not bells:
                self._bells.pop(table, None)


Seen = TypeVar("Seen")


class Screen(Protocol[Seen]):
    """What a stream shows. It is asked in worker threads, by one at a time."""

    def look(self) -> Seen:
        """How the table stands now. Of the streams that are drawn together one looks for all, so nothing may be in it
        that is of this stream's reader alone. Raises StreamEnds."""

    def frame(self, seen: Seen) -> bytes:
        """What is new since the last time, as lines of an event stream; empty for nothing. Raises StreamEnds."""

    def left(self) -> float | None:
        """In how many seconds somebody would be late by the last frame, none or fewer if they are; None where time
        changes nothing. Where it does, there is a look now and then in any case, for clocks can jump."""


class StreamEnds(Exception):
    """There is nothing more to tell."""


Pack = Callable[[bytes, bool], bytes]
"""``pack(piece, more)``: as it goes over the line; whether more will come."""


class Easel:
    """On which the streams of one table are drawn: those whose bells ring at the same time in one thread, and after
    one look at the table."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Screen[Any], Pack, asyncio.Future[bytes]]] = []

    async def draw(self, screen: Screen[Any], pack: Pack) -> bytes:
        """What is new, packed; empty for nothing. Raises StreamEnds."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._begin, loop)  # after the others that hear the bell now
        drawn: asyncio.Future[bytes] = loop.create_future()
        self._waiting.append((screen, pack, drawn))
        return await drawn

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting, self._waiting = self._waiting, []
        for first in range(0, len(waiting), _TOGETHER):
            some = waiting[first : first + _TOGETHER]
            drawing = loop.run_in_executor(_BRUSH, _drawn, [(screen, pack) for screen, pack, _ in some])
            drawing.add_done_callback(partial(_hand_over, [drawn for *_, drawn in some]))


_TOGETHER: Final = 8
"""How many streams are drawn at once: the first waits for the last."""

_BRUSH: Final = ThreadPoolExecutor(1, thread_name_prefix="drawing")
"""One thread draws for all tables: the interpreter does one thing at a time anyway, and more of them would only keep
it from answering."""


def _drawn(screens: Sequence[tuple[Screen[Any], Pack]]) -> list[bytes | Exception]:
    """What is new on each of some screens of a table, or why there will be nothing more."""
    try:
        seen = screens[0][0].look()
    except Exception as error:  # noqa: BLE001 (each of them is told)
        return [error] * len(screens)
    # All are drawn before any is packed: for the processor both is quicker if it need not change between them.
    frames = [_frame(screen, seen) for screen, _ in screens]
    return [
        pack(frame, True) if isinstance(frame, bytes) and frame else frame
        for frame, (_, pack) in zip(frames, screens, strict=True)
    ]


def _frame(screen: Screen[Seen], seen: Seen) -> bytes | Exception:
    try:
        return screen.frame(seen)
    except Exception as error:  # noqa: BLE001 (whoever waits for it is told)
        return error


def _hand_over(waiting: Sequence[asyncio.Future[bytes]], drawing: asyncio.Future[list[bytes | Exception]]) -> None:
    for drawn, frame in zip(waiting, drawing.result(), strict=True):
        if drawn.done():  # it was given up meanwhile
            continue
        if isinstance(frame, Exception):
            drawn.set_exception(frame)
        else:
            drawn.set_result(frame)


def event(told: Any, *, number: str) -> bytes:
    """An event of a stream: a value as one line of JSON."""
    return b"id: %b\ndata: %b\n\n" % (number.encode(), msgspec.json.encode(told))


async def stream(scope: Scope, receive: Receive, send: Send, hub: Hub, table: str, screen: Screen[Any]) -> None:
    """Answers a request with a stream, until either side ends it."""
    packed = b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
    with hub.bell(table, (scope.get("client") or ("", 0))[0]) as bell:
        gone = asyncio.ensure_future(_gone(receive, bell))
        try:
            await _run(_Line(send, packed), bell, gone, hub, screen)
        except TimeoutError:
            metrics.DROPPED.inc()  # it takes nothing any more
        except OSError:
            pass  # it has gone
        finally:
            gone.cancel()


async def _gone(receive: Receive, bell: Bell) -> None:
    """Ends, and rings, when the browser has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
    bell.set()


async def _run(line: _Line, bell: Bell, gone: asyncio.Future[None], hub: Hub, screen: Screen[Any]) -> None:
    more = True
    bell.set()  # the present state comes first
    await line.begin()
    while more and not gone.done() and not hub.closing:
        left = screen.left()
        try:
            async with asyncio.timeout(min(PULSE, left + _HAIR) if left and left > 0 else PULSE):
                await bell.wait()
        except TimeoutError:
            await line.say(b": still here\n\n")
            if left is None:
                continue
        since = bell.heard()
        if gone.done() or hub.closing:
            break
        more = await _tell(line, bell, screen, since)
    if not gone.done():
        await line.end()


async def _tell(line: _Line, bell: Bell, screen: Screen[Any], since: float | None) -> bool:
    """Sends what is new; whether there will be more. ``since`` is when the first of it happened. (What was sent is
    forgotten with this call: a stream waits long, and there are many.)"""
    try:
        packed = await bell.easel.draw(screen, line.pack)
    except StreamEnds:
        return False
    if packed:
        await line.send(packed)
        if since is not None:
            metrics.SHOWN.observe(monotonic() - since)
    return True


class _Line:
    """Over which a stream goes, packed where the browser understands that."""

    def __init__(self, send: Any, packed: bool) -> None:
        self._send = send
        self._pack = packer() if packed else None

    def pack(self, piece: bytes, more: bool) -> bytes:
        """A piece of the stream, as it is sent."""
        return self._pack(f":{haze()}\n".encode() + piece if piece else b"", more) if self._pack else piece

    async def begin(self) -> None:
        """Says what comes."""
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        if self._pack:
            headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self.say(b"retry: 1000\n\n")

    async def say(self, piece: bytes) -> None:
        """Packs and sends. Raises TimeoutError when it is not taken."""
        await self.send(self.pack(piece, True))

    async def send(self, packed: bytes, more: bool = True) -> None:
        """Sends what is packed already. Raises TimeoutError when it is not taken."""
        async with asyncio.timeout(PATIENCE):
            await self._send({"type": "http.response.body", "body": packed, "more_body": more})

    async def end(self) -> None:
        """Nothing more comes."""
        await self.send(self.pack(b"", False), more=False)


def packer() -> Pack:
    """Packs the pieces of one stream. They share a window, so that what is like the last event costs next to nothing;
    each can be unpacked as soon as it is there."""
    packing = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP + _WINDOW, _EFFORT)

    def pack(piece: bytes, more: bool) -> bytes:
        return packing.compress(piece) + packing.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)

    return pack


_GZIP: Final = 16
"""Added to ``wbits``: packed as browsers call gzip."""
