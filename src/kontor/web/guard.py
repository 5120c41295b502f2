"""What stands before everything: headers that browsers keep us safe by, and forms from other sites turned away.

Plain ASGI round the whole application, so that it also holds for pages that are not there.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final, cast
from urllib.parse import urlsplit

from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Message, Receive, Scope, Send

from kontor.thinking.failures import told

_log = logging.getLogger("kontor.web")

CONTENT_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "object-src 'none'",
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

_HEADERS: Final = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # with no-referrer, browsers would send no Origin with our own forms
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
)
"""Said with every answer that does not say it otherwise."""

_HEADERS_OF_HTTPS: Final = (*_HEADERS, (b"strict-transport-security", b"max-age=31536000; includeSubDomains"))
"""The last is said over https alone: on plain HTTP browsers take no notice of it."""

_SAFE: Final = ("GET", "HEAD", "OPTIONS")

FOREIGN: Final = "This came from another site, so nothing was done. Open the page here and try again."
"""What somebody reads who was sent here by a form elsewhere. (The page behind it may be anybody's, so no style.)"""


class CutOff(HTTPException):
    """Whoever asked has gone, or was too slow, before all of it was here. Nobody reads the answer."""

    status_code = 400


def from_elsewhere(headers: Mapping[str, str]) -> bool:
    """Whether a request that changes something was made by another site's page.

    ``Sec-Fetch-Site`` says so itself. On plain HTTP in a home network browsers do not send it: there ``Origin`` must
    be where we are. A browser sends one or the other with every form.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site != "same-origin"
    try:
        origin = urlsplit(headers.get("origin", "")).netloc
    except ValueError:  # no address at all
        return True
    return not origin or origin != headers.get("host")


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
        headers = _HEADERS_OF_HTTPS if request["scheme"] == "https" else _HEADERS

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = {name.lower() for name, _ in message["headers"]}
                unsaid = [(name, value) for name, value in headers if name not in said]
                message["headers"] = [*message["headers"], *unsaid]
            await send(message)

        whole = request["method"] in _SAFE

        async def whole_or_nothing() -> HTTPReceiveMessage:
            nonlocal whole
            message = cast("HTTPReceiveMessage", await receive())
            if message["type"] == "http.disconnect" and not whole:
                raise CutOff
            whole = whole or not message.get("more_body", False)
            return message

        by_cookie = not scope["path"].startswith("/api/")
        if by_cookie and request["method"] not in _SAFE and from_elsewhere(Headers.from_scope(scope)):
            await _refuse(guarded)
            return
        try:
            await self._app(scope, whole_or_nothing, guarded)
        except Exception as error:  # noqa: BLE001 (the server would log what it says, and that may quote a secret)
            fields = {
                "method": request["method"],
                "route": scope.get("path_template", ""),
                "error": told(_first(error)),
            }
            _log.error("a request failed", extra=fields)


def _first(error: BaseException) -> BaseException:
    """The error that all began with. (Where an answer had begun, Litestar throws errors of its own.)"""
    return _first(error.__cause__) if error.__cause__ else error


async def _refuse(send: Any) -> None:
    body = FOREIGN.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
