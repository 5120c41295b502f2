"""Live streams: they send every change of a table to the browsers that have it open.

A stream has no queue. A change only sets its event; the stream then renders the *present* state. So a slow browser
gets nothing but the present, and a flood of changes costs it one frame. A stream whose browser accepts no data for a
while is dropped: the browser reconnects by itself and gets the present state.
"""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import msgspec
from litestar.types import Receive, Scope, Send

from kontor.web.live.hub import ChangeEvent, Hub
from kontor.web.live.rendering import Charge, Compress, EndOfStream, LivePage
from kontor.web.negotiation import accepts_gzip, is_head_only
from kontor.web.operation import metrics
from kontor.web.pages.length_padding import length_padding

SEND_TIMEOUT: Final = 10.0
"""Seconds that a browser has to accept a frame."""

KEEP_ALIVE_INTERVAL: Final = 20.0
"""Seconds of silence after which a comment is sent, so that no proxy in between closes the stream."""

_CLOCK_MARGIN: Final = 0.01
"""Seconds to wait after the end of a clock, so that the player is late for certain."""

_WINDOW: Final = 12
_MEMORY_LEVEL: Final = 5
_LEVEL: Final = 3
"""zlib's ``wbits``, ``memLevel`` and ``level`` for streams. The compressor remembers the last 4 KB sent; that takes
32 KB of memory a stream, instead of the usual 256."""


def event(value: Any, *, number: str) -> bytes:
    """Return an event of a stream: a value as one line of JSON."""
    return b"id: %b\ndata: %b\n\n" % (number.encode(), msgspec.json.encode(value))


@dataclass(frozen=True)
class StreamReader:
    """The reader of a stream: the person ``sitter``, if they sit at the table.

    ``charge`` charges them for the first frame.
    """

    sitter: str | None = None
    charge: Charge | None = None


async def stream(
    scope: Scope,
    receive: Receive,
    send: Send,
    hub: Hub,
    table: str,
    page: LivePage[Any],
    reader: StreamReader,
) -> None:
    """Answer a request with a stream, until either side ends it, or it must make room for another."""
    event_stream = _EventStream(send, accepts_gzip(scope["headers"]))
    if is_head_only(scope):
        await event_stream.end_with_head()
        return
    address, by_program = (scope.get("client") or ("", 0))[0], scope.get("path", "").startswith("/api/")
    with hub.change_event(table, address, reader.sitter, by_program=by_program) as change_event:
        disconnect = asyncio.ensure_future(_wait_for_disconnect(receive, change_event))
        try:
            await _run(event_stream, change_event, disconnect, hub, page, reader.charge)
        except TimeoutError:
            metrics.DROPPED.inc()  # the browser accepts no more data
        except OSError:
            pass  # the browser has left
        finally:
            disconnect.cancel()


async def _wait_for_disconnect(receive: Receive, change_event: ChangeEvent) -> None:
    """Return, and wake the stream, when the browser has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
    change_event.set()


async def _run(
    event_stream: _EventStream,
    change_event: ChangeEvent,
    disconnect: asyncio.Future[None],
    hub: Hub,
    page: LivePage[Any],
    charge: Charge | None,
) -> None:
    more = True
    change_event.set()  # the present state comes first
    await event_stream.begin()
    while more and not disconnect.done() and not hub.closing and not change_event.ended:
        left = page.left()
        try:
            async with asyncio.timeout(
                min(KEEP_ALIVE_INTERVAL, left + _CLOCK_MARGIN) if left and left > 0 else KEEP_ALIVE_INTERVAL
            ):
                await change_event.wait()
        except TimeoutError:
            await event_stream.say(b": still here\n\n")
            if left is None:
                continue
        since = change_event.reset()
        if disconnect.done() or hub.closing or change_event.ended:
            break
        more = await _send_new(event_stream, change_event, page, since, charge)
        charge = None  # later frames come from others' actions
    if not disconnect.done():
        await event_stream.end()


async def _send_new(
    event_stream: _EventStream,
    change_event: ChangeEvent,
    page: LivePage[Any],
    since: float | None,
    charge: Charge | None,
) -> bool:
    """Send what is new; return False if the stream has ended.

    ``since`` is when the first new change happened. (The frame is freed when this call returns: a stream waits long,
    and there are many.)
    """
    try:
        seated = change_event.sitter is not None
        queue = change_event.render_queue
        compressed = await queue.render(page, event_stream.compress, seated=seated, charge=charge)
    except EndOfStream:
        return False
    if compressed:
        await event_stream.send(compressed)
        if since is not None:
            metrics.SHOWN.observe(monotonic() - since)
    return True


class _EventStream:
    """The connection to one browser, compressed if it accepts that."""

    def __init__(self, send: Any, compressed: bool) -> None:
        self._send = send
        self._compress = stream_compressor() if compressed else None

    def compress(self, chunk: bytes, more: bool) -> bytes:
        """Return a chunk of the stream as it is sent."""
        return (
            self._compress(f":{length_padding()}\n".encode() + chunk if chunk else b"", more)
            if self._compress
            else chunk
        )

    async def begin(self) -> None:
        """Send the head and the reconnection time (1,000 ms)."""
        await self._send_head()
        await self.say(b"retry: 1000\n\n")

    async def end_with_head(self) -> None:
        """Send the head that the stream would have, and end."""
        await self._send_head()
        await self.send(b"", more=False)

    async def _send_head(self) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        if self._compress:
            headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def say(self, chunk: bytes) -> None:
        """Compress and send a chunk. Raises TimeoutError if the browser does not accept it."""
        await self.send(self.compress(chunk, True))

    async def send(self, compressed: bytes, more: bool = True) -> None:
        """Send data that is compressed already. Raises TimeoutError if the browser does not accept it."""
        async with asyncio.timeout(SEND_TIMEOUT):
            await self._send({"type": "http.response.body", "body": compressed, "more_body": more})

    async def end(self) -> None:
        """Send the end of the response."""
        await self.send(self.compress(b"", False), more=False)


def stream_compressor() -> Compress:
    """Return the function that compresses the chunks of one stream.

    They share a window, so that an event like the last one costs next to nothing. Each chunk can be decompressed as
    soon as it arrives.
    """
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP + _WINDOW, _MEMORY_LEVEL)

    def compress(chunk: bytes, more: bool) -> bytes:
        return compressor.compress(chunk) + compressor.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)

    return compress


_GZIP: Final = 16
"""Added to ``wbits`` for the format that browsers call gzip."""
