"""Connections that are too slow or too long-winded are cut before they cost others anything.

uvicorn would wait for ever until a request is whole, and take as many headers as are sent: whoever opens a thousand
connections and sends a byte now and then would leave no room for others.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD: Final = 32 * 1024
MOST_REQUEST: Final = 1024 * 1024
"""Bytes of a request: its address and headers; and all of it on the wire. (What a body may hold, app.py says.)"""

HEAD_TIMEOUT: Final = 10.0
BODY_TIMEOUT: Final = 30.0
"""Seconds until a head is here, from its first byte (the first, from the call); and then until its body is."""


class Connection(HttpToolsProtocol):
    """One connection, as uvicorn knows it."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._cut: asyncio.TimerHandle | None = None
        self._in_head = True
        self._bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody called, and has some seconds to say what for."""
        super().connection_made(transport)
        self._wait(HEAD_TIMEOUT)

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone, or were cut."""
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some more of a request."""
        self._bytes += len(data)
        super().data_received(data)
        if self._bytes > (MOST_HEAD if self._in_head else MOST_REQUEST):
            self.transport.close()

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._wait(HEAD_TIMEOUT)

    def on_headers_complete(self) -> None:
        """The head is whole; the body follows. An error is answered with 400."""
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MOST_HEAD:
            raise httptools.HttpParserError("The head is too long.")
        self._in_head = False
        self._wait(BODY_TIMEOUT)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is here; from now on others keep it waiting."""
        self._in_head, self._bytes = True, 0
        self._wait(None)
        super().on_message_complete()

    def _wait(self, seconds: float | None) -> None:
        """Cuts the connection after so many seconds if nothing comes between; None: never."""
        if self._cut is not None:
            self._cut.cancel()
        self._cut = None if seconds is None else self.loop.call_later(seconds, self.transport.close)
