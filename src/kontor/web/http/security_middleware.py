"""ASGI middleware round the whole application: security headers, and refusals of foreign hosts and cross-site forms.

It is plain ASGI so that it also covers pages that do not exist.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, cast
from urllib.parse import urlsplit

from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.status_codes import HTTP_200_OK
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

_OF_FILES: Final = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""Headers that every response gets unless it sets them itself. Our own static files need no others."""

_OF_DOCUMENTS: Final = (
    (b"referrer-policy", b"same-origin"),  # with no-referrer, browsers would send no Origin with our own forms
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
)
"""Headers that everything else gets as well: browsers use them for pages. A first load has some twenty files."""

_OF_HTTPS: Final = ((b"strict-transport-security", b"max-age=31536000; includeSubDomains"),)
"""Sent over https only: on plain HTTP browsers ignore it."""

FILES: Final = "/static/"

_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_CHANGING: Final = ("POST", "PUT", "PATCH", "DELETE")

_PROBES: Final = ("/health", "/ready")
"""Load balancers request these under any host name; the response is always the same."""

LONGEST_LIST: Final = 8192
"""Maximum number of bytes of a path, of a query, and of the cookies."""

MOST_ITEMS: Final = 200
"""Maximum number of parts of each of them. (Litestar caches a thousand that it has parsed.)"""

_API: Final = "/api/"
UNSUBSCRIBE: Final = "/unsubscribe/"
"""Mail providers post a form here by themselves (RFC 8058). The token in the address is the only proof."""

NOT_HERE: Final = mark("This server does not answer to “{host}”. Its operator can allow that with --allowed-host.")
CROSS_SITE: Final = mark("This came from another site, so nothing was changed. Open the page here and try again.")
TOO_MUCH: Final = mark("That is too much data. Send less.")
NOT_JSON: Final = mark("Only JSON is understood here: send it with Content-Type: application/json.")
BROKEN: Final = mark("Something went wrong on our side. Your game is safe; please try again.")
"""The sentences of the refusals."""

FetchSite = Literal["same-origin", "same-site", "cross-site", "none", ""]


class IncompleteRequest(HTTPException):
    """A request whose client left, or was too slow, before all of it had arrived. Nobody reads the response."""

    status_code = 400


def site_of(headers: Mapping[str, str]) -> FetchSite:
    """Return which site's page sent a request, in the words of ``Sec-Fetch-Site``; empty if unknown.

    On plain HTTP in a home network browsers do not send that header. There they send ``Origin`` with every request
    that changes something, and it must match our host. A program sends neither.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return cast("FetchSite", site)
    origin = headers.get("origin")
    if origin is None:
        return ""
    try:
        is_same = urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # not a URL
        is_same = False
    return "same-origin" if is_same else "cross-site"


def is_json(headers: Mapping[str, str]) -> bool:
    """Return True if the body, if there is one, is declared as JSON.

    A page on another site can make browsers send any other type without a preflight request.
    """
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return True
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


class SecurityMiddleware:
    """The application with its security headers. Forms must come from our own pages.

    The API takes no cookies, and programs do not say from which site they call. But a call without a token can change
    something too, so calls from other sites are refused there as well.
    """

    def __init__(self, app: ASGIApp, hosts: Hosts, refusal_pages: RefusalPages) -> None:
        self._app = app
        self._hosts = hosts
        self._refusal_pages = refusal_pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or the start and end of the process."""
        if str(scope["type"]) not in (ScopeType.HTTP, ScopeType.HTTP.value):
            await self._app(scope, receive, send)
            return
        request = cast("HTTPScope", scope)
        has_begun = False

        async def send_secured(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if message["type"] == "http.response.start":
                is_file = request["path"].startswith(FILES) and message["status"] == HTTP_200_OK
                headers = _headers(is_file, request["scheme"] == "https")
                own_names = {name.lower() for name, _ in message["headers"]}
                missing = [(name, value) for name, value in headers if name not in own_names]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        is_complete = request["method"] in _SAFE

        async def receive_complete() -> HTTPReceiveMessage:
            nonlocal is_complete
            message = cast("HTTPReceiveMessage", await receive())
            if message["type"] == "http.disconnect" and not is_complete:
                raise IncompleteRequest
            is_complete = is_complete or not message.get("more_body", False)
            return message

        refusal = self._refusal(request)
        if refusal is not None:
            await self._refusal_pages.send(request, send_secured, *refusal)
            return
        try:
            await self._app(scope, receive_complete, send_secured)
        except Exception as error:  # noqa: BLE001 (the server would log what it says, and that may quote a secret)
            fields = {
                "method": request["method"],
                "route": scope.get("path_template", ""),
                "error": safe_traceback(_root_cause(error)),
            }
            _LOG.error("a request failed", extra=fields)
            if not has_begun:
                await self._refusal_pages.send(request, send_secured, 500, BROKEN)

    def _refusal(self, request: HTTPScope) -> tuple[int, str] | None:
        """Return the status and the sentence if the request must be refused, else None."""
        cookies = b";".join(value for name, value in request["headers"] if name == b"cookie")
        if any(map(_is_long, (request["raw_path"], request["query_string"], cookies), b"/&;")):
            return TOO_LONG, TOO_MUCH
        hosts = [value.decode("latin-1") for name, value in request["headers"] if name == b"host"]
        if request["path"] not in _PROBES and not all(map(self._hosts.answers_to, hosts)):
            return NOT_OUR_HOST, NOT_HERE
        if request["method"] not in _CHANGING:
            return None  # it changes nothing, or no route takes it
        if request["path"].startswith(UNSUBSCRIBE):
            return None
        headers = Headers.from_scope(request)
        if not request["path"].startswith(_API):
            return None if site_of(headers) == "same-origin" else (403, CROSS_SITE)
        if site_of(headers) in ("cross-site", "same-site"):
            return 403, CROSS_SITE
        return None if is_json(headers) else (415, NOT_JSON)


@cache
def _headers(is_file: bool, is_https: bool) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers for a response, of a static file or of anything else."""
    return _OF_FILES + (() if is_file else _OF_DOCUMENTS) + (_OF_HTTPS if is_https else ())


def _is_long(items: bytes, separator: int) -> bool:
    return len(items) > LONGEST_LIST or items.count(separator) >= MOST_ITEMS


def _root_cause(error: BaseException) -> BaseException:
    """Return the error that caused all the others.

    If a response had begun, Litestar raises errors of its own.
    """
    return _root_cause(error.__cause__) if error.__cause__ else error
