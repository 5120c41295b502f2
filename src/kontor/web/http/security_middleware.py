"""What stands before everything: headers that browsers keep us safe by; and whoever asks for another host, or sends
something from another site, is turned away.

Plain ASGI round the whole application, so that it also holds for pages that are not there.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final, Literal, cast
from urllib.parse import urlsplit

from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Message, Receive, Scope, Send

from kontor.web.http.hosts import Hosts
from kontor.web.http.turned_away import NOT_OUR_HOST, TOO_LONG, RefusalPages
from kontor.words import mark
from kontor.work.failures import safe_traceback

_LOG = logging.getLogger("kontor.web")

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
_CHANGING: Final = ("POST", "PUT", "PATCH", "DELETE")

_PROBES: Final = ("/health", "/ready")
"""Load balancers ask these by whatever name; the answer is always the same."""

LONGEST_LIST: Final = 8192
"""Bytes of a path, of a query, and of the cookies."""

MOST_ITEMS: Final = 200
"""Parts of each of them. (Litestar keeps what it has read of a thousand.)"""

_API: Final = "/api/"
UNSUBSCRIBE: Final = "/unsubscribe/"
"""Mailboxes send a form here by themselves (RFC 8058). The token in the address is all the proof there is."""

NOT_HERE: Final = mark("This server does not answer to “{host}”. Its operator can allow that with --allowed-host.")
CROSS_SITE: Final = mark("This came from another site, so nothing was changed. Open the page here and try again.")
TOO_MUCH: Final = mark("That is too much data. Send less.")
NOT_JSON: Final = mark("Only JSON is understood here: send it with Content-Type: application/json.")
BROKEN: Final = mark("Something went wrong on our side. Your game is safe; please try again.")
"""What somebody reads who is turned away."""

FetchSite = Literal["same-origin", "same-site", "cross-site", "none", ""]


class IncompleteRequest(HTTPException):
    """Whoever asked has gone, or was too slow, before all of it was here. Nobody reads the answer."""

    status_code = 400


def site_of(headers: Mapping[str, str]) -> FetchSite:
    """By whose page a request was made, in the words of ``Sec-Fetch-Site``; empty if nothing tells.

    On plain HTTP in a home network browsers do not send that header. There they say ``Origin`` with all that changes
    something, and that must be where we are. A program says neither.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return cast("FetchSite", site)
    origin = headers.get("origin")
    if origin is None:
        return ""
    try:
        here = urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # no address at all
        here = False
    return "same-origin" if here else "cross-site"


def is_json(headers: Mapping[str, str]) -> bool:
    """Whether a body, if there is one, is said to be JSON. Any other type a page elsewhere can make browsers send to
    us without asking first."""
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return True
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


class SecurityMiddleware:
    """The application behind its headers. Forms must come from our own pages. The API knows nobody by a cookie, and
    programs do not tell where they are; but who asks there without a token can do something too."""

    def __init__(self, app: ASGIApp, hosts: Hosts, refusal_pages: RefusalPages) -> None:
        self._app = app
        self._hosts = hosts
        self._refusal_pages = refusal_pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the start and end of the process."""
        if str(scope["type"]) not in (ScopeType.HTTP, ScopeType.HTTP.value):
            await self._app(scope, receive, send)
            return
        request = cast("HTTPScope", scope)
        headers = _HEADERS_OF_HTTPS if request["scheme"] == "https" else _HEADERS

        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            begun = True
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
                raise IncompleteRequest
            whole = whole or not message.get("more_body", False)
            return message

        refusal = self._refusal(request)
        if refusal is not None:
            await self._refusal_pages.send(request, guarded, *refusal)
            return
        try:
            await self._app(scope, whole_or_nothing, guarded)
        except Exception as error:  # noqa: BLE001 (the server would log what it says, and that may quote a secret)
            fields = {
                "method": request["method"],
                "route": scope.get("path_template", ""),
                "error": safe_traceback(_root_cause(error)),
            }
            _LOG.error("a request failed", extra=fields)
            if not begun:
                await self._refusal_pages.send(request, guarded, 500, BROKEN)

    def _refusal(self, request: HTTPScope) -> tuple[int, str] | None:
        """Why a request goes no further: the status, and the sentence."""
        cookies = b";".join(value for name, value in request["headers"] if name == b"cookie")
        if any(map(_is_long, (request["raw_path"], request["query_string"], cookies), b"/&;")):
            return TOO_LONG, TOO_MUCH
        hosts = [value.decode("latin-1") for name, value in request["headers"] if name == b"host"]
        if request["path"] not in _PROBES and not all(map(self._hosts.answers_to, hosts)):
            return NOT_OUR_HOST, NOT_HERE
        if request["method"] not in _CHANGING:
            return None  # no route takes it
        if request["path"].startswith(UNSUBSCRIBE):
            return None
        headers = Headers.from_scope(request)
        if not request["path"].startswith(_API):
            return None if site_of(headers) == "same-origin" else (403, CROSS_SITE)
        if site_of(headers) in ("cross-site", "same-site"):
            return 403, CROSS_SITE
        return None if is_json(headers) else (415, NOT_JSON)


def _is_long(items: bytes, separator: int) -> bool:
    return len(items) > LONGEST_LIST or items.count(separator) >= MOST_ITEMS


def _root_cause(error: BaseException) -> BaseException:
    """The error that all began with. (Where an answer had begun, Litestar throws errors of its own.)"""
    return _root_cause(error.__cause__) if error.__cause__ else error
