"""Live streams: whoever has a table open is told of every change.

A stream holds no queue. A change only rings its bell; the stream then renders what is there *now*, so however slow a
browser is, it never gets anything but the present, and a flood of changes costs it one frame. A stream that takes
nothing for a while is dropped: the browser comes back by itself and is given the present state.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol

from litestar.types import Receive, Scope, Send

PATIENCE: Final = 10.0
"""Seconds that a browser has to take a frame."""

PULSE: Final = 20.0
"""Seconds of silence after which a comment is sent, so that nothing between us closes the stream."""

MOST_STREAMS: Final = 2000
MOST_STREAMS_A_TABLE: Final = 200


class Full(Exception):
    """There are too many streams."""


class Hub:
    """The open streams by table."""

    def __init__(self) -> None:
        self._bells: dict[str, set[asyncio.Event]] = {}
        self._count = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self.closing = False

    def changed(self, table: str) -> None:
        """A table has changed. May be called from any thread."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has ended: nobody is listening any more
                loop.call_soon_threadsafe(self._ring, table)

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
        for table in list(self._bells):
            self._ring(table)

    def _ring(self, table: str) -> None:
        for bell in self._bells.get(table, ()):
            bell.set()

    @contextmanager
    def bell(self, table: str) -> Iterator[asyncio.Event]:
        """A bell that rings at every change of a table. Raises Full."""
        self._loop = asyncio.get_running_loop()
        bells = self._bells.setdefault(table, set())
        if self._count >= MOST_STREAMS or len(bells) >= MOST_STREAMS_A_TABLE:
            raise Full
        bell = asyncio.Event()
        bells.add(bell)
        self._count += 1
        try:
            yield bell
        finally:
            self._count -= 1
            bells.discard(bell)
            if not bells:
                self._bells.pop(table, None)


class Frames(Protocol):
    """What a stream sends: called at the start and after every change, in a worker thread."""

    def __call__(self) -> bytes:
        """What is new, as lines of an event stream; empty for nothing; raises StreamEnds."""


class StreamEnds(Exception):
    """There is nothing more to tell."""


def event(data: str, *, name: str = "", number: str = "") -> bytes:
    """An event of a stream."""
    lines = [f"event: {name}"] if name else []
    lines += [f"id: {number}"] if number else []
    lines += [f"data: {line}" for line in data.splitlines()]
    return ("\n".join(lines) + "\n\n").encode()


async def stream(scope: Scope, receive: Receive, send: Send, hub: Hub, table: str, frames: Frames) -> None:
    """Answers a request with a stream, until either side ends it."""
    packed = b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
    with hub.bell(table) as bell:
        gone = asyncio.ensure_future(_gone(receive, bell))
        try:
            await _run(_writer(send, packed), bell, gone, hub, frames)
        except (TimeoutError, OSError):
            pass  # it takes nothing any more
        finally:
            gone.cancel()


async def _gone(receive: Receive, bell: asyncio.Event) -> None:
    """Ends, and rings, when the browser has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
    bell.set()


async def _run(
    write: Callable[[bytes, bool], Awaitable[None]],
    bell: asyncio.Event,
    gone: asyncio.Future[None],
    hub: Hub,
    frames: Frames,
) -> None:
    more = True
    bell.set()  # the present state comes first
    await write(b"retry: 1000\n\n", True)
    while more and not gone.done() and not hub.closing:
        try:
            await asyncio.wait_for(bell.wait(), PULSE)
        except TimeoutError:
            # Time itself changes tables: whoever is late is late from one moment to the next.
            await write(b": still here\n\n", True)
        bell.clear()
        if gone.done() or hub.closing:
            break
        try:
            frame = await asyncio.to_thread(frames)
        except StreamEnds:
            frame, more = b"", False
        if frame:
            await write(frame, True)
    if not gone.done():
        await write(b"", False)


def _writer(send: Any, packed: bool) -> Callable[[bytes, bool], Awaitable[None]]:
    """Sends pieces. Packed they share one window, so that a table which hardly changed costs a few hundred bytes."""
    packer = zlib.compressobj(6, wbits=31) if packed else None
    started = False

    async def write(piece: bytes, more: bool) -> None:
        nonlocal started
        if not started:
            started = True
            headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
            if packer:
                headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
        if packer:
            piece = packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)
        await asyncio.wait_for(send({"type": "http.response.body", "body": piece, "more_body": more}), PATIENCE)

    return write
