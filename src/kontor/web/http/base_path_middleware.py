"""ASGI middleware around the application of a server below a path of a domain: in a request and in response headers.

A proxy passes the path on or strips it: both work, because a request without it is one to the same page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from litestar.status_codes import HTTP_308_PERMANENT_REDIRECT
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kontor.web.base_path import BASE_PATH

_SUBDOMAINS: Final = b"; includeSubDomains"
"""The part of a header that is about other hosts than ours."""


class BasePathMiddleware:
    """ASGI middleware that takes the base path off requests, and writes it into the headers of responses."""

    def __init__(self, app: ASGIApp, base_path: str) -> None:
        self._app = app
        self._base_path = base_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or the start and end of the process."""
        if str(scope["type"]) != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] == self._base_path:
            await self._redirect_into(scope["query_string"], send)
            return

        async def send_below(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = list(self._headers(message["headers"]))
            await send(message)

        await self._app(self._inner_scope(scope), receive, send_below)

    async def _redirect_into(self, query: bytes, send: Send) -> None:
        """Respond to a request for the base path itself, which is outside the scope of cookies and service worker."""
        address = self._base_path.encode() + b"/" + (b"?" + query if query else b"")
        headers = [(b"location", address), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": HTTP_308_PERMANENT_REDIRECT, "headers": headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _inner_scope(self, scope: Scope) -> Scope:
        """Return the request without the base path."""
        inner = cast("dict[str, Any]", {**scope, BASE_PATH: self._base_path})
        prefix = self._base_path + "/"
        if inner["path"].startswith(prefix) and inner["raw_path"].startswith(prefix.encode()):
            inner["path"] = inner["path"][len(self._base_path) :]
            inner["raw_path"] = inner["raw_path"][len(self._base_path) :]
        return cast("Scope", inner)

    def _headers(self, headers: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the headers of a response with our addresses below the path, and none about other programs."""
        base_path = self._base_path.encode()
        for name, value in headers:
            match name.lower():
                case b"location" if value.startswith(b"/"):
                    yield name, base_path + value
                case b"link":
                    yield name, value.replace(b"</", b"<" + base_path + b"/")
                case b"strict-transport-security":
                    yield name, value.replace(_SUBDOMAINS, b"")
                case b"clear-site-data":
                    continue
                case _:
                    yield name, value
