"""Live streams: whoever has a table open is told of every change.

A stream holds no queue. A change only rings its bell; the stream then renders what is there *now*, so however slow a
browser is, it never gets anything but the present, and a flood of changes costs it one frame. A stream that takes
nothing for a while is dropped: the browser comes back by itself and is given the present state.
"""

from __future__ import annotations

import asyncio
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, Final, Protocol

from litestar.types import Receive, Scope, Send

from kontor.web.haze import haze
from kontor.web.limits import network_of
from kontor.web.operation import metrics

PATIENCE: Final = 10.0
"""Seconds that a browser has to take a frame."""

PULSE: Final = 20.0
"""Seconds of silence after which a comment is sent, so that nothing between us closes the stream."""

MOST_STREAMS: Final = 2000
MOST_STREAMS_A_TABLE: Final = 200
MOST_STREAMS_AN_ADDRESS: Final = 300
"""A school behind one address fits; one who wants all chairs for themselves does not."""

_WINDOW: Final = 13
_EFFORT: Final = 5
_LEVEL: Final = 3
"""How streams are packed (zlib's ``wbits``, ``memLevel`` and ``level``). Of what was sent before 8 KB are remembered,
about as much as an event; that takes 48 KB of memory a stream, and not the usual 256."""


class Full(Exception):
    """There are too many streams."""


class Bell(asyncio.Event):
    """Rings at changes. ``since`` is when the first of those happened that nobody has looked at yet."""

    since: float | None = None

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
        if loop is not None:
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
        bell = Bell()
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


Write = Callable[[bytes, bool], Awaitable[None]]
"""``await write(piece, more)``: whether more will come."""


class Frames(Protocol):
    """What a stream sends: called at the start and after every change, in a worker thread."""

    def __call__(self) -> bytes:
        """What is new, as lines of an event stream; empty for nothing; raises StreamEnds."""


def never() -> bool:
    """Time changes nothing."""
    return False


class StreamEnds(Exception):
    """There is nothing more to tell."""


def event(data: str, *, name: str = "", number: str = "") -> bytes:
    """An event of a stream."""
    lines = [f"event: {name}"] if name else []
    lines += [f"id: {number}"] if number else []
    lines += [f"data: {line}" for line in data.splitlines()]
    return ("\n".join(lines) + "\n\n").encode()


async def stream(
    scope: Scope, receive: Receive, send: Send, hub: Hub, table: str, frames: Frames, ages: Callable[[], bool] = never
) -> None:
    """Answers a request with a stream, until either side ends it. ``ages()`` tells whether time itself can change
    what is shown: then it is looked at now and then though nothing happens."""
    packed = b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
    with hub.bell(table, (scope.get("client") or ("", 0))[0]) as bell:
        gone = asyncio.ensure_future(_gone(receive, bell))
        try:
            await _run(_writer(send, packed), bell, gone, hub, frames, ages)
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


async def _run(
    write: Write,
    bell: Bell,
    gone: asyncio.Future[None],
    hub: Hub,
    frames: Frames,
    ages: Callable[[], bool],
) -> None:
    more = True
    bell.set()  # the present state comes first
    await write(b"retry: 1000\n\n", True)
    while more and not gone.done() and not hub.closing:
        try:
            await asyncio.wait_for(bell.wait(), PULSE)
        except TimeoutError:
            await write(b": still here\n\n", True)
            if not ages():
                continue
        since = bell.heard()
        if gone.done() or hub.closing:
            break
        more = await _tell(write, frames, since)
    if not gone.done():
        await write(b"", False)


async def _tell(write: Write, frames: Frames, since: float | None) -> bool:
    """Sends what is new; whether there will be more. ``since`` is when the first of it happened. (What was sent is
    forgotten with this call: a stream waits long, and there are many.)"""
    try:
        frame = await asyncio.to_thread(frames)
    except StreamEnds:
        return False
    if frame:
        await write(frame, True)
        if since is not None:
            metrics.SHOWN.observe(monotonic() - since)
    return True


def _writer(send: Any, packed: bool) -> Write:
    """Sends pieces, packed where the browser understands that."""
    pack = packer() if packed else None
    started = False

    async def write(piece: bytes, more: bool) -> None:
        nonlocal started
        if not started:
            started = True
            headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
            if pack:
                headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
        if pack:
            piece = pack(f":{haze()}\n".encode() + piece if piece else b"", more)
        await asyncio.wait_for(send({"type": "http.response.body", "body": piece, "more_body": more}), PATIENCE)

    return write


def packer() -> Callable[[bytes, bool], bytes]:
    """Packs the pieces of one stream. They share a window, so that what is like the last event costs next to nothing;
    each can be unpacked as soon as it is there."""
    packing = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP + _WINDOW, _EFFORT)

    def pack(piece: bytes, more: bool) -> bytes:
        return packing.compress(piece) + packing.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)

    return pack


_GZIP: Final = 16
"""Added to ``wbits``: packed as browsers call gzip."""
