"""The cookies, the visitor of a request, and the form that it carries.

The session cookie holds only a long random token; the server stores only its hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from email.message import Message as MailMessage
from email.parser import BytesParser
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl

from litestar import Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from litestar.handlers import BaseRouteHandler
from litestar.types import Message, Scope

from kontor.errors import NotAllowed
from kontor.people.people import SESSION_DAYS, People
from kontor.people.values import SCOPES, Person
from kontor.people.values import Scope as TokenScope
from kontor.web.base_path import base_path_of
from kontor.web.forms import Form
from kontor.web.negotiation import is_head_only
from kontor.web.pages.languages import language_of
from kontor.web.pages.moments import zone_named
from kontor.web.pages.visitor import Visitor, is_form_token, nobody

AnyRequest = Request[Any, Any, Any]

TOKEN_SCHEME: Final = "token"  # noqa: S105 (its name in the description of the API)
"""The security scheme by which programs identify themselves."""

SESSION: Final = "kontor"
LANGUAGE: Final = "kontor-language"
THEME: Final = "kontor-theme"
ZONE: Final = "kontor-zone"
"""The name of the cookie in which our script tells the time zone."""
THEMES: Final = ("light", "dark")
_DAY: Final = 24 * 3600
_YEAR: Final = 365 * _DAY

FORM_TOKEN: Final = "token"  # noqa: S105 (the name of a field)
FORM_HEADER: Final = "x-kontor-token"


class StaleForm(Exception):
    """A form without the token of this session: its page is older than the session, or is not ours."""


class SessionUse:
    """The session of a request.

    A use prolongs the session in the database and, with the response, the cookie: both expire together. Once the
    response has begun no cookie can be added; then neither is prolonged.
    """

    def __init__(self, people: People, token: str) -> None:
        self._people = people
        self._token = token
        self._begun = False
        self._prolonged = False

    def __call__(self) -> Person | None:
        """Return the person of the session, if it is valid, and prolong it."""
        if self._begun:
            return self._people.holder_of_session(self._token)
        person, prolonged = self._people.use_session(self._token)
        self._prolonged = self._prolonged or prolonged
        return person

    def begin_response(self) -> bool:
        """Note that the response begins; return True if its cookie must be prolonged."""
        self._begun = True
        return self._prolonged


_USE: Final = "session_use"
"""The key of a request's state that holds its use of a session."""


async def prolong_cookies(message: Message, scope: Scope) -> None:
    """Add the cookies to a response whose request prolonged the session, unless it sets a session itself."""
    use = scope["state"].get(_USE)
    if message["type"] != "http.response.start" or use is None or not use.begin_response():
        return
    request: AnyRequest = Request(scope)
    visitor = _with_session(request, use)
    session = session_cookie(visitor, visitor.session)
    headers = list(message["headers"])
    if any(name == b"set-cookie" and value.startswith(f"{session.key}=".encode()) for name, value in headers):
        return
    chosen = [cookie_for(visitor, name, value) for name in (LANGUAGE, THEME) if (value := cookie_of(request, name))]
    message["headers"] = [*headers, *(cookie.to_encoded_header() for cookie in (session, *chosen))]


def cookie_name(name: str, secure: bool, path: str = "/", base_path: str = "") -> str:
    """Return the name of a cookie of a path of the server with this base path.

    Over https it has a prefix that browsers accept only from this very host, and only over https. So no neighbouring
    site can give somebody a session of its choice. A cookie of a part of a server can't have that prefix. The base
    path is in the name, because a browser also sends the cookies of other servers at this host.
    """
    name += base_path.replace("/", "+")
    if not secure:
        return name
    return f"__Host-{name}" if path == "/" else f"__Secure-{name}"


def cookie_for(visitor: Visitor, name: str, value: str, *, seconds: int = _YEAR, path: str = "/") -> Cookie:
    """Return a cookie for a visitor. Scripts can't read it; forms of other sites do not send it."""
    is_of_host = visitor.secure and path == "/"
    return Cookie(
        key=cookie_name(name, visitor.secure, path, visitor.base_path),
        value=value,
        max_age=seconds,
        path="/" if is_of_host else visitor.base_path + path,
        httponly=True,
        samesite="lax",
        secure=visitor.secure,
    )


def session_cookie(visitor: Visitor, token: str) -> Cookie:
    """Return the session cookie of a visitor, which lasts as long as the session."""
    return cookie_for(visitor, SESSION, token, seconds=SESSION_DAYS * _DAY)


def cookie_of(request: AnyRequest, name: str, path: str = "/") -> str:
    """Return the value of one of our cookies; empty if it is missing."""
    key = cookie_name(name, request.scope["scheme"] == "https", path, base_path_of(request.scope))
    return request.cookies.get(key, "")


def visitor_of(request: AnyRequest, people: People) -> Visitor:
    """Return the visitor who made a request."""
    session = _session_of(request)
    if session and is_head_only(request.scope):
        return _with_session(request, partial(people.holder_of_session, session))
    use = request.scope["state"].setdefault(_USE, SessionUse(people, session)) if session else nobody
    return _with_session(request, use)


def _session_of(request: AnyRequest) -> str:
    return cookie_of(request, SESSION)[:200]


def _with_session(request: AnyRequest, find_person: Callable[[], Person | None]) -> Visitor:
    theme, zone = cookie_of(request, THEME), cookie_of(request, ZONE)
    query = request.scope["query_string"].decode("latin-1")
    return Visitor(
        find_person=find_person,
        session=_session_of(request),
        language=language_of(cookie_of(request, LANGUAGE), request.headers.get("accept-language")),
        theme=theme if theme in THEMES else "",
        address=request.client.host if request.client else "",
        secure=request.scope["scheme"] == "https",
        path=_path_here(request) + (f"?{query}" if query else ""),
        script="hx-request" in request.headers,
        origin=f"{request.scope['scheme']}://{request.headers.get('host', '')}",
        zone=zone if zone_named(zone) else "",
        speculative=is_head_only(request.scope) or _is_speculative(request.headers),
        live="x-kontor-live" in request.headers,
        base_path=base_path_of(request.scope),
    )


def _path_here(request: AnyRequest) -> str:
    """Return the path as it was requested, percent-encoded. It begins with one slash: two would name another host."""
    raw = request.scope.get("raw_path") or b"/"
    return "/" + raw.decode("latin-1").lstrip("/\\")


def _is_speculative(headers: Mapping[str, str]) -> bool:
    """Return True if a browser prefetches, prerenders or previews a page that nobody has asked for yet."""
    purposes = [headers.get(name, "").lower() for name in _PURPOSES]
    return any(word in purpose for purpose in purposes for word in ("prefetch", "prerender", "preview"))


_PURPOSES: Final = ("sec-purpose", "purpose", "x-purpose", "x-moz")
"""Headers in which browsers say why they fetch a page: that of the Fetch standard, and older ones."""


def bearer_of(request: AnyRequest) -> str:
    """Return the bearer token of the calling program; empty if it has none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:200] if scheme.lower() == "bearer" else ""


class MissingScope(NotAllowed):
    """A scope that a call needs and the program's token lacks."""

    def __init__(self, scope: TokenScope) -> None:
        super().__init__("", "The scope “{scope}” is missing: this token was not made for that.", scope=scope)
        self.scope = scope


def needed_scopes(handler: BaseRouteHandler) -> tuple[TokenScope, ...]:
    """Return the scopes that a call of the API needs, as its description says."""
    scope_lists = [scheme.get(TOKEN_SCHEME, ()) for scheme in getattr(handler, "security", None) or ()]
    return tuple([scope for scope in SCOPES if any(scope in scopes for scopes in scope_lists)])


def _holder(people: People, token: str, needed: tuple[TokenScope, ...]) -> Person | None:
    person = people.of_api_token(token)
    for scope in needed if person else ():
        if person and scope not in person.scopes:
            raise MissingScope(scope)
    return person


def program_of(request: AnyRequest, people: People) -> Visitor:
    """Return the person for whom a program calls, by its token; cookies do not count.

    Looking up the person also checks that the token has the scopes of this call. Raises MissingScope.
    """
    token = bearer_of(request)
    needed = needed_scopes(request.route_handler)
    return Visitor(
        find_person=partial(_holder, people, token, needed) if token else nobody,
        session="",
        language=language_of(None, request.headers.get("accept-language")),
        theme="",
        address=request.client.host if request.client else "",
        secure=request.scope["scheme"] == "https",
        path=request.scope["path"],
        script=True,
        speculative=is_head_only(request.scope),
    )


TheVisitor = NamedDependency[Visitor]
TheForm = NamedDependency[Form]
TheBody = NamedDependency[bytes]
"""The body of a request, for a route that parses it in a worker thread."""


SENT_FORM: Final = "form"
"""The key of a request's state that holds its form, for the page that shows a fault. (In the scope, because each
``request.state`` of Litestar is a copy.)"""


MOST_FIELDS: Final = 200
"""Maximum number of fields of a form; ours have some dozens."""


def _fields(content_type: str, body: bytes) -> list[tuple[str, str]]:
    if content_type.partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        return []
    try:
        return parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise ClientException(status_code=413) from error


async def form_of(request: AnyRequest, visitor: Visitor) -> Form:
    """Return the fields of a form that one of our own pages sent. Raises StaleForm.

    Litestar would parse any number of fields, and cache what it has parsed of a thousand forms.
    """
    return _checked(request, visitor, Form(_fields(request.headers.get("content-type", ""), await request.body())))


def large_form_of(request: AnyRequest, visitor: Visitor, body: bytes) -> Form:
    """Return the fields of a form that may be large, or that browsers send with files. Raises StaleForm.

    Parsing takes a while, so it is done in a worker thread. A file is a field with its text.
    """
    content_type = request.headers.get("content-type", "")
    is_multipart = content_type.partition(";")[0].strip().lower() == "multipart/form-data"
    fields = list(_parts(content_type, body)) if is_multipart else _fields(content_type, body)
    return _checked(request, visitor, Form(fields))


def _parts(content_type: str, body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the fields of a form that is sent in parts. Raises ClientException where there are too many."""
    head = f"content-type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser().parsebytes(head + body)
    parts = message.get_payload()
    if not isinstance(parts, list):
        return
    if len(parts) > MOST_FIELDS:
        raise ClientException(status_code=413)
    for part in parts:
        if isinstance(part, MailMessage):
            name, content = part.get_param("name", header="content-disposition"), part.get_payload(decode=True)
            if isinstance(name, str) and isinstance(content, bytes):
                yield name, content.decode(errors="replace")


def _checked(request: AnyRequest, visitor: Visitor, form: Form) -> Form:
    """Return the form, and note it for the page that shows a fault. Raises StaleForm."""
    request.scope.setdefault("state", {})[SENT_FORM] = form
    token = request.headers.get(FORM_HEADER) or form.get(FORM_TOKEN, "")
    if not is_form_token(token, visitor.session):
        raise StaleForm
    return form
