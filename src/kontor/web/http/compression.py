"""Compression of long responses for clients that accept gzip.

It is plain ASGI, so that it costs a short response nothing: a move is answered with a number, or an empty body.
(Files and streams are compressed elsewhere.)
"""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from litestar.datastructures import MutableScopeHeaders
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

from kontor.web.http.request_cost import in_executor
from kontor.web.negotiation import accepts_gzip

SHORTEST: Final = 1000
"""The fewest bytes of a response that is worth compressing."""

_LEVEL: Final = 6
_COMPRESSED_ALREADY: Final = "/static/"

_COMPRESSING: Final = ThreadPoolExecutor(2, thread_name_prefix="compressing")


class CompressionMiddleware:
    """ASGI middleware that gzips responses of 1,000 bytes and more."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or the start and end of the process."""
        start: HTTPResponseStartEvent | None = None

        async def send_compressed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if message["type"] == "http.response.body" and start is not None:
                begun, start = start, None
                if not message.get("more_body") and len(message["body"]) >= SHORTEST:
                    message["body"] = await _compress(begun, message["body"])
                await send(begun)
            await send(message)

        is_compressible = str(scope["type"]) == "http" and not scope["path"].startswith(_COMPRESSED_ALREADY)
        should_compress = is_compressible and accepts_gzip(scope["headers"])
        await self._app(scope, receive, send_compressed if should_compress else send)


async def _compress(start: HTTPResponseStartEvent, body: bytes) -> bytes:
    """Return the compressed body, and update the response's headers.

    The body is compressed in a thread, so that other requests need not wait.
    """
    body = await in_executor(_COMPRESSING, partial(gzip.compress, body, _LEVEL, mtime=0))
    headers = MutableScopeHeaders.from_message(start)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(body))
    headers.extend_header_value("vary", "accept-encoding")
    return body
