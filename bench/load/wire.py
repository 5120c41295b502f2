"""HTTP/1.1 for a client of two thousand streams, at little cost.

The clients share their cores with the server that they measure. A general client spends about a millisecond of
processor time on a request, and checks, wraps and copies every piece of a stream. Here a request costs a tenth of
that, and a frame only the time to unpack it. The client understands what a Kontor server sends, and nothing more.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, NamedTuple, TypeVar, cast

_Kind = TypeVar("_Kind", bound=asyncio.Protocol)

READ_TIMEOUT: Final = 30.0
"""Seconds that a response may take."""

_IDLE: Final = 20.0
"""Seconds after which a kept connection is not used again: a server closes them after thirty."""

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE: Final = re.compile(rb"\r\nset-cookie: *([^\r]+)", re.IGNORECASE)
_COMPRESSED: Final = re.compile(rb"\r\ncontent-encoding: *gzip", re.IGNORECASE)
_CHUNKED: Final = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_WITHOUT_BODY: Final = (204, 304)


class Cut(Exception):
    """The connection failed or ended before the response was complete, or the response took too long."""


class Turned(Exception):
    """A stream that was refused: the server responded with ``status``."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Answer(NamedTuple):
    """A response. ``head`` is as received, ``body`` unpacked."""

    status: int
    head: bytes
    body: bytes

    @property
    def cookies(self) -> tuple[str, ...]:
        """Return ``name=value`` of each cookie that was set."""
        return tuple(cookie.partition(b";")[0].decode("latin-1") for cookie in _COOKIE.findall(self.head))


@dataclass(frozen=True)
class Address:
    """The server's host and port, and the address of this machine from which the client calls."""

    host: str
    port: int
    mine: str

    @property
    def origin(self) -> str:
        """Return the origin as browsers send it."""
        return f"http://{self.host}:{self.port}"


class _Chunks:
    """A chunked body: ``take`` returns the bytes of the complete chunks, ``ended`` says whether the last one came."""

    def __init__(self) -> None:
        self._held = b""
        self.ended = False

    def take(self, data: bytes) -> bytes:
        held = self._held + data if self._held else data
        at, chunks = 0, []
        while not self.ended:
            line = held.find(b"\r\n", at)
            if line < 0:
                break
            size = int(held[at:line], 16)
            end = line + 2 + size
            if len(held) < end + 2:
                break
            chunks.append(held[line + 2 : end])
            at, self.ended = end + 2, size == 0
        self._held = held[at:]
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)


# -------------------------------------------------------------------------------------------- requests and responses


class _Connection(asyncio.Protocol):
    """One connection: a request, its response, the next request."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._held = b""
        self._answer: asyncio.Future[Answer] | None = None
        self._responses = 0
        self._start_time = self._request_time = self.used = perf_counter()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Cut(self._describe_loss(error)))

    def _describe_loss(self, error: Exception | None) -> str:
        """Return what is known of a connection that the server closed."""
        since_request, since_start = perf_counter() - self._request_time, perf_counter() - self._start_time
        return (
            f"the server closed the connection {since_request:.2f} s after the request ({error!r}): it had been open"
            f" for {since_start:.2f} s, with {self._responses} responses, and {len(self._held)} bytes of the next"
        )

    @property
    def usable(self) -> bool:
        return self._transport is not None and perf_counter() - self.used < _IDLE

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def ask(self, request: bytes) -> asyncio.Future[Answer]:
        self._answer = asyncio.get_running_loop().create_future()
        self._held = b""
        self._request_time = perf_counter()
        if self._transport is None:
            self._answer.set_exception(Cut(self._describe_loss(None)))
        else:
            self._transport.write(request)
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._held += data
        answer = _complete_answer(self._held)
        if answer is not None and self._answer is not None and not self._answer.done():
            self.used = perf_counter()
            self._responses += 1
            self._answer.set_result(answer)


def _complete_answer(held: bytes) -> Answer | None:
    """Return the response once it is complete, else None."""
    end = held.find(b"\r\n\r\n")
    if end < 0:
        return None
    head, body = held[: end + 2], held[end + 4 :]
    status = int(head[9:12])
    if status in _WITHOUT_BODY:
        return Answer(status, head, b"")
    if _CHUNKED.search(head):
        chunks = _Chunks()
        body = chunks.take(body)
        if not chunks.ended:
            return None
    else:
        length = _LENGTH.search(head)
        if length is None or len(body) < int(length[1]):
            return None
    return Answer(status, head, zlib.decompress(body, 31) if body and _COMPRESSED.search(head) else body)


def request(method: str, path: str, address: Address, headers: str, body: bytes = b"") -> bytes:
    """Return a request as bytes for the wire. ``headers`` are whole lines."""
    length = f"Content-Length: {len(body)}\r\n" if method != "GET" else ""
    return f"{method} {path} HTTP/1.1\r\nHost: {address.host}:{address.port}\r\n{headers}{length}\r\n".encode() + body


@dataclass
class Caller:
    """A client of the server that keeps connections and uses them again, as browsers do."""

    address: Address
    _idle: list[_Connection] = field(default_factory=list)

    async def ask(self, request: bytes) -> Answer:
        """Send a request and return the response. Raises Cut."""
        connection = await self._connection()
        with ExitStack() as unless_answered:
            unless_answered.callback(connection.close)
            try:
                async with asyncio.timeout(READ_TIMEOUT):
                    answer = await connection.ask(request)
            except TimeoutError as error:
                raise Cut(f"no complete response within {READ_TIMEOUT:g} s") from error
            unless_answered.pop_all()
        self._idle.append(connection)
        return answer

    async def _connection(self) -> _Connection:
        while self._idle:
            connection = self._idle.pop()
            if connection.usable:
                return connection
            connection.close()
        return await _connect(self.address, _Connection)

    def close(self) -> None:
        """Close all idle connections."""
        for connection in self._idle:
            connection.close()
        self._idle.clear()


async def _connect(address: Address, made: Callable[[], _Kind]) -> _Kind:
    """Open a connection. Raises Cut."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(READ_TIMEOUT):
            _, connection = await loop.create_connection(
                made, address.host, address.port, local_addr=(address.mine, 0)
            )
    except (OSError, TimeoutError) as error:
        raise Cut(f"no connection: {error}") from error
    return connection


# ------------------------------------------------------------------------------------------------------------ streams


class Frame(NamedTuple):
    """An event of a stream: its lines, the time when its last byte arrived, and its bytes on the wire."""

    lines: bytes
    at: float
    wire: int


class Stream(asyncio.Protocol):
    """An event stream. ``on_frame`` is called for each event with data, ``on_end`` once at the end."""

    def __init__(self, on_frame: Callable[[Frame], None], on_end: Callable[[], None]) -> None:
        self._on_frame = on_frame
        self._on_end = on_end
        self._transport: asyncio.Transport | None = None
        self._begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._head = b""
        self._chunks = _Chunks()
        self._unpack: Callable[[bytes], bytes] | None = None
        self._text = b""
        self._wire = 0

    async def begin(self, request: bytes) -> None:
        """Request the stream. Raises Turned, Cut, TimeoutError."""
        assert self._transport
        self._transport.write(request)
        async with asyncio.timeout(READ_TIMEOUT):
            status = await self._begun
        if status != 200:
            self.close()
            raise Turned(status)

    def close(self) -> None:
        """Close the stream; ``ended`` is not called any more."""
        self._on_end = _nothing
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport, to close it later."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Report the end of the stream; before its head has come, ``begin`` raises Cut."""
        self._transport = None
        if not self._begun.done():
            self._begun.set_exception(Cut("the server closed the connection"))
        self._on_end()

    def data_received(self, data: bytes) -> None:
        """Read the head of the response, then pass its events on."""
        at = perf_counter()
        self._wire += len(data)
        if not self._begun.done():
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            head, data, self._head = self._head[: end + 2], self._head[end + 4 :], b""
            if _COMPRESSED.search(head):
                self._unpack = zlib.decompressobj(31).decompress
            self._wire = len(data)
            self._begun.set_result(int(head[9:12]))
        chunk = self._chunks.take(data)
        if chunk and self._begun.result() == 200:
            self._read(self._unpack(chunk) if self._unpack else chunk, at)
        if self._chunks.ended and self._transport is not None:
            self._transport.close()

    def _read(self, chunk: bytes, at: float) -> None:
        """Pass on the events that are complete."""
        self._text += chunk
        while True:
            lines, end, rest = self._text.partition(b"\n\n")
            if not end:
                return
            self._text = rest
            if lines.startswith(b"data:") or b"\ndata:" in lines:
                self._on_frame(Frame(lines, at, self._wire))
            self._wire = 0


def _nothing() -> None:
    """Do nothing when a stream ends that its client has closed."""


async def open_stream(
    address: Address, request: bytes, on_frame: Callable[[Frame], None], on_end: Callable[[], None]
) -> Stream:
    """Open a stream and return it once it has begun. Raises Turned, Cut."""
    stream = await _connect(address, lambda: Stream(on_frame, on_end))
    with ExitStack() as unless_begun:
        unless_begun.callback(stream.close)
        try:
            await stream.begin(request)
        except TimeoutError as error:
            raise Cut(f"no stream within {READ_TIMEOUT:g} s") from error
        unless_begun.pop_all()
    return stream
