"""What stands before everything: headers that browsers keep us safe by, and forms from other sites turned away.

Plain ASGI round the whole application, so that it also holds for pages that are not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast
from urllib.parse import urlsplit

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

CONTENT_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

_HEADERS: Final = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with no-referrer, browsers would send no Origin with our own forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-frame-options": "DENY",
}

_SAFE: Final = ("GET", "HEAD", "OPTIONS")

FOREIGN: Final = "This came from another site, so nothing was done. Open the page here and try again."
"""What somebody reads who was sent here by a form elsewhere. (The page behind it may be anybody's, so no style.)"""


def from_elsewhere(headers: Mapping[str, str]) -> bool:
    """Whether a request that changes something was made by another site's page.

    ``Sec-Fetch-Site`` says so itself. On plain HTTP in a home network browsers do not send it: there ``Origin`` must
    be where we are. A browser sends one or the other with every form.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site != "same-origin"
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc != headers.get("host")


class Guard:
    """The application behind its headers. The API needs no such care: it knows nobody by a cookie."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the start and end of the process."""
        if str(scope["type"]) not in (ScopeType.HTTP, ScopeType.HTTP.value):
            await self._app(scope, receive, send)
            return
        request = cast("HTTPScope", scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        by_cookie = not scope["path"].startswith("/api/")
        if by_cookie and request["method"] not in _SAFE and from_elsewhere(Headers.from_scope(scope)):
            await _refuse(guarded)
            return
        await self._app(scope, receive, guarded)


async def _refuse(send: Any) -> None:
    body = FOREIGN.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
