"""Live streams: whoever has a table open is told of every change.

A stream holds no queue. A change only sets its event; the stream then renders what is there *now*, so however slow a
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

from kontor.web.length_padding import length_padding
from kontor.web.limits import network_of
from kontor.web.operation import metrics

SEND_TIMEOUT: Final = 10.0
"""Seconds that a browser has to take a frame."""

KEEP_ALIVE_INTERVAL: Final = 20.0
"""Seconds of silence after which a comment is sent, so that nothing between us closes the stream."""

_CLOCK_MARGIN: Final = 0.01
"""Seconds after the end of a clock after which somebody is late for certain."""

MOST_STREAMS: Final = 2000
MOST_STREAMS_A_TABLE: Final = 200
MOST_STREAMS_AN_ADDRESS: Final = 300
"""A school behind one address fits; one who wants all chairs for themselves does not."""

_WINDOW: Final = 12
_MEMORY_LEVEL: Final = 5
_LEVEL: Final = 3
"""How streams are compressed (zlib's ``wbits``, ``memLevel`` and ``level``). Of what was sent before 4 KB are
remembered; that takes 32 KB of memory a stream, and not the usual 256."""


class TooManyStreams(Exception):
    """There are too many streams."""


class ChangeEvent(asyncio.Event):
    """Set by changes. ``since`` is when the first of those happened that nobody has looked at yet. The streams of
    one table share a ``render_queue``."""

    def __init__(self, render_queue: RenderQueue) -> None:
        super().__init__()
        self.render_queue = render_queue
        self.since: float | None = None

    def set_at(self, at: float) -> None:
        """Notes when the change happened, and wakes the stream."""
        self.since = at if self.since is None else self.since
        self.set()

    def take(self) -> float | None:
        """Cleared again. Returns since when somebody has waited for what is shown now."""
        since, self.since = self.since, None
        self.clear()
        return since


class Hub:
    """The open streams by table."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._change_events: dict[str, set[ChangeEvent]] = {}
        self._count = 0
        self._by_address = Counter[str]()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.closing = False

    def changed(self, table: str) -> None:
        """A table has changed. May be called from any thread."""
        loop = self._loop
        # Most changes are at tables whose readers another process serves.
        if loop is not None and table in self._change_events:
            with suppress(RuntimeError):  # the loop has ended: nobody is listening any more
                loop.call_soon_threadsafe(self._notify, table, monotonic())

    def watched(self) -> tuple[str, ...]:
        """The tables that somebody looks at. May be called from any thread."""
        return tuple(self._change_events)

    def close(self) -> None:
        """Ends all streams. May be called from any thread."""
        self.closing = True
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._notify_all)

    def _notify_all(self) -> None:
        for change_events in self._change_events.values():
            for change_event in change_events:
                change_event.set()

    def _notify(self, table: str, at: float) -> None:
        for change_event in self._change_events.get(table, ()):
            change_event.set_at(at)

    @property
    def open(self) -> int:
        """How many streams are open."""
        return self._count

    @contextmanager
    def change_event(self, table: str, address: str) -> Iterator[ChangeEvent]:
        """An event that is set at every change of a table, for somebody at an address. Raises TooManyStreams."""
        self._loop = asyncio.get_running_loop()
        network = network_of(address)
        full = self._count >= self._most or self._by_address[network] >= MOST_STREAMS_AN_ADDRESS
        if full or len(self._change_events.get(table, ())) >= MOST_STREAMS_A_TABLE:
            raise TooManyStreams
        change_events = self._change_events.setdefault(table, set())
        change_event = ChangeEvent(next(iter(change_events)).render_queue if change_events else RenderQueue())
        change_events.add(change_event)
        self._count += 1
        self._by_address[network] += 1
        try:
            yield change_event
        finally:
            self._count -= 1
            self._by_address[network] -= 1
            if not self._by_address[network]:
                del self._by_address[network]
            change_events.discard(change_event)
            if not change_events:
                self._change_events.pop(table, None)


Seen = TypeVar("Seen")


class LivePage(Protocol[Seen]):
    """What a stream shows. It is asked in worker threads, by one at a time."""

    def look(self) -> Seen:
        """How the table stands now. Of the streams that are drawn together one looks for all, so nothing may be in it
        that is of this stream's reader alone. Raises EndOfStream."""

    def frame(self, seen: Seen) -> bytes:
        """What is new since the last time, as lines of an event stream; empty for nothing. Raises EndOfStream."""

    def left(self) -> float | None:
        """In how many seconds somebody would be late by the last frame, none or fewer if they are; None where time
        changes nothing. Where it does, there is a look now and then in any case, for clocks can jump."""


class EndOfStream(Exception):
    """There is nothing more to tell."""


Compress = Callable[[bytes, bool], bytes]
"""``compress(chunk, more)``: as it goes over the line; whether more will come."""


class RenderQueue:
    """Renders the streams of one table: those whose events are set at the same time in one thread, and after
    one look at the table."""

    def __init__(self) -> None:
        self._waiting: list[tuple[LivePage[Any], Compress, asyncio.Future[bytes]]] = []

    async def render(self, page: LivePage[Any], compress: Compress) -> bytes:
        """What is new, compressed; empty for nothing. Raises EndOfStream."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._begin, loop)  # after the others that are woken now
        rendered: asyncio.Future[bytes] = loop.create_future()
        self._waiting.append((page, compress, rendered))
        return await rendered

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting, self._waiting = self._waiting, []
        for first in range(0, len(waiting), _BATCH_SIZE):
            some = waiting[first : first + _BATCH_SIZE]
            rendering = loop.run_in_executor(
                _RENDER_POOL, _rendered, [(page, compress) for page, compress, _ in some]
            )
            rendering.add_done_callback(partial(_deliver, [rendered for *_, rendered in some]))


_BATCH_SIZE: Final = 8
"""How many streams are drawn at once: the first waits for the last."""

_RENDER_POOL: Final = ThreadPoolExecutor(1, thread_name_prefix="drawing")
"""One thread draws for all tables: the interpreter does one thing at a time anyway, and more of them would only keep
it from answering."""


def _rendered(pages: Sequence[tuple[LivePage[Any], Compress]]) -> list[bytes | Exception]:
    """What is new on each of some screens of a table, or why there will be nothing more."""
    try:
        seen = pages[0][0].look()
    except Exception as error:  # noqa: BLE001 (each of them is told)
        return [error] * len(pages)
    # All are drawn before any is compressed: for the processor both is quicker if it need not change between them.
    frames = [_frame(page, seen) for page, _ in pages]
    return [
        compress(frame, True) if isinstance(frame, bytes) and frame else frame
        for frame, (_, compress) in zip(frames, pages, strict=True)
    ]


def _frame(page: LivePage[Seen], seen: Seen) -> bytes | Exception:
    try:
        return page.frame(seen)
    except Exception as error:  # noqa: BLE001 (whoever waits for it is told)
        return error


def _deliver(waiting: Sequence[asyncio.Future[bytes]], rendering: asyncio.Future[list[bytes | Exception]]) -> None:
    for rendered, frame in zip(waiting, rendering.result(), strict=True):
        if rendered.done():  # it was given up meanwhile
            continue
        if isinstance(frame, Exception):
            rendered.set_exception(frame)
        else:
            rendered.set_result(frame)


def event(value: Any, *, number: str) -> bytes:
    """An event of a stream: a value as one line of JSON."""
    return b"id: %b\ndata: %b\n\n" % (number.encode(), msgspec.json.encode(value))


async def stream(scope: Scope, receive: Receive, send: Send, hub: Hub, table: str, page: LivePage[Any]) -> None:
    """Answers a request with a stream, until either side ends it."""
    compressed = b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
    with hub.change_event(table, (scope.get("client") or ("", 0))[0]) as change_event:
        gone = asyncio.ensure_future(_gone(receive, change_event))
        try:
            await _run(_EventStream(send, compressed), change_event, gone, hub, page)
        except TimeoutError:
            metrics.DROPPED.inc()  # it takes nothing any more
        except OSError:
            pass  # it has gone
        finally:
            gone.cancel()


async def _gone(receive: Receive, change_event: ChangeEvent) -> None:
    """Ends, and wakes the stream, when the browser has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
    change_event.set()


async def _run(
    line: _EventStream, change_event: ChangeEvent, gone: asyncio.Future[None], hub: Hub, page: LivePage[Any]
) -> None:
    more = True
    change_event.set()  # the present state comes first
    await line.begin()
    while more and not gone.done() and not hub.closing:
        left = page.left()
        try:
            async with asyncio.timeout(
                min(KEEP_ALIVE_INTERVAL, left + _CLOCK_MARGIN) if left and left > 0 else KEEP_ALIVE_INTERVAL
            ):
                await change_event.wait()
        except TimeoutError:
            await line.say(b": still here\n\n")
            if left is None:
                continue
        since = change_event.take()
        if gone.done() or hub.closing:
            break
        more = await _send_new(line, change_event, page, since)
    if not gone.done():
        await line.end()


async def _send_new(line: _EventStream, change_event: ChangeEvent, page: LivePage[Any], since: float | None) -> bool:
    """Sends what is new; whether there will be more. ``since`` is when the first of it happened. (What was sent is
    forgotten with this call: a stream waits long, and there are many.)"""
    try:
        compressed = await change_event.render_queue.render(page, line.compress)
    except EndOfStream:
        return False
    if compressed:
        await line.send(compressed)
        if since is not None:
            metrics.SHOWN.observe(monotonic() - since)
    return True


class _EventStream:
    """Over which a stream goes, compressed where the browser understands that."""

    def __init__(self, send: Any, compressed: bool) -> None:
        self._send = send
        self._compress = stream_compressor() if compressed else None

    def compress(self, chunk: bytes, more: bool) -> bytes:
        """A chunk of the stream, as it is sent."""
        return (
            self._compress(f":{length_padding()}\n".encode() + chunk if chunk else b"", more)
            if self._compress
            else chunk
        )

    async def begin(self) -> None:
        """Says what comes."""
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        if self._compress:
            headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self.say(b"retry: 1000\n\n")

    async def say(self, chunk: bytes) -> None:
        """Compresses and sends. Raises TimeoutError when it is not taken."""
        await self.send(self.compress(chunk, True))

    async def send(self, compressed: bytes, more: bool = True) -> None:
        """Sends what is compressed already. Raises TimeoutError when it is not taken."""
        async with asyncio.timeout(SEND_TIMEOUT):
            await self._send({"type": "http.response.body", "body": compressed, "more_body": more})

    async def end(self) -> None:
        """Nothing more comes."""
        await self.send(self.compress(b"", False), more=False)


def stream_compressor() -> Compress:
    """Compresses the chunks of one stream. They share a window, so that what is like the last event costs next to
    nothing; each can be decompressed as soon as it is there."""
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP + _WINDOW, _MEMORY_LEVEL)

    def compress(chunk: bytes, more: bool) -> bytes:
        return compressor.compress(chunk) + compressor.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)

    return compress


_GZIP: Final = 16
"""Added to ``wbits``: compressed as browsers call gzip."""
