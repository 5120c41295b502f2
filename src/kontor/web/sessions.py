"""Who is there: the cookie, the visitor behind a request, and the token that every form carries.

The cookie holds nothing but a long random token; the server keeps only its hash. A form's token follows from the
session's, so no key has to be kept, and forms that were open while the server started anew still count. It is another
in each answer: answers are compressed, and hold what others have said. Were it the same each time, whoever sees how
long they are on the wire could guess it letter by letter (BREACH).
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar

from litestar import Request
from litestar.datastructures import Cookie, FormMultiDict
from litestar.di import NamedDependency
from litestar.types import Message, Scope

from kontor.lazy_attribute import lazy_attribute
from kontor.table import SESSION_DAYS, Person, TableService
from kontor.web.languages import language_of, words_in
from kontor.words import Words

AnyRequest = Request[Any, Any, Any]
Known = TypeVar("Known")

SESSION: Final = "kontor"
LANGUAGE: Final = "kontor-language"
THEME: Final = "kontor-theme"
THEMES: Final = ("light", "dark")
_DAY: Final = 24 * 3600
_YEAR: Final = 365 * _DAY

FORM_TOKEN: Final = "token"  # noqa: S105 (the name of a field)
FORM_HEADER: Final = "x-kontor-token"
_OCCASION: Final = 16
_TOKEN: Final = 32
"""Hexadecimal digits: of what tells one answer from another, and of what shows the session."""


ASKED_AGAIN: Final = 60.0
"""Seconds after which a stream asks in any case whether its session is still good: it may have run out."""


class StaleForm(Exception):
    """A form without the token of this session: its page is older than the session, or is not ours."""


@dataclass(frozen=True)
class Visitor:
    """Whoever looks at a page."""

    whose: Callable[[], Person | None] = field(repr=False)
    """Looks up who they are: that waits for the server, so ``person`` is asked for in worker threads."""
    session: str
    """The cookie's token; empty for who has none."""
    language: str
    theme: str
    """``light`` or ``dark`` where it was chosen, else empty."""
    address: str
    secure: bool
    """Whether the page came over https."""
    path: str
    """Where they are, with the query."""
    script: bool
    """Whether our script asks, which wants only the part of the page that changes."""
    live: bool = False
    """Whether its page has a live stream, by which that part comes anyway."""
    occasion: str = field(default_factory=lambda: new_occasion())
    """Of this one answer; its forms' token is mixed with it."""

    @lazy_attribute
    def person(self) -> Person | None:
        """Who they are; None for whoever has no name yet."""
        return self.whose()

    @property
    def id(self) -> str | None:
        """Of the person, for the server."""
        return self.person.id if self.person else None

    @property
    def words(self) -> Words:
        """The sentences in their language."""
        return words_in(self.language)

    @lazy_attribute
    def token(self) -> str:
        """What their forms carry."""
        return form_token(self.session, self.occasion)

    def cookie(self, name: str, value: str, *, seconds: int = _YEAR, path: str = "/") -> Cookie:
        """A cookie for them. No script can read it; other sites' forms do not send it."""
        return Cookie(
            key=cookie_name(name, self.secure, path),
            value=value,
            max_age=seconds,
            path=path,
            httponly=True,
            samesite="lax",
            secure=self.secure,
        )

    def session_cookie(self, token: str) -> Cookie:
        """The cookie by which they are known, for as long as the session lasts."""
        return self.cookie(SESSION, token, seconds=SESSION_DAYS * _DAY)


class SessionUse:
    """Whose session a request brings. A use prolongs the session in the database and, with the answer, the cookie:
    the two run out together. Once the answer has begun no cookie can go with it; then neither is prolonged."""

    def __init__(self, service: TableService, token: str) -> None:
        self._service = service
        self._token = token
        self._begun = False
        self._prolonged = False

    def __call__(self) -> Person | None:
        """Who they are."""
        if self._begun:
            return self._service.holder_of_session(self._token)
        person, prolonged = self._service.use_session(self._token)
        self._prolonged = self._prolonged or prolonged
        return person

    def begin_answer(self) -> bool:
        """Whether the cookie is to be prolonged with it."""
        self._begun = True
        return self._prolonged


_USE: Final = "session_use"
"""The name under which a request keeps its use of a session."""


async def prolong_cookies(message: Message, scope: Scope) -> None:
    """With the answer for which a session was prolonged go the cookies again, unless it brings a session itself."""
    use = scope["state"].get(_USE)
    if message["type"] != "http.response.start" or use is None or not use.begin_answer():
        return
    request: AnyRequest = Request(scope)
    visitor = _with_session(request, use)
    session = visitor.session_cookie(visitor.session)
    headers = list(message["headers"])
    if any(name == b"set-cookie" and value.startswith(f"{session.key}=".encode()) for name, value in headers):
        return
    chosen = [visitor.cookie(name, value) for name in (LANGUAGE, THEME) if (value := cookie_of(request, name))]
    message["headers"] = [*headers, *(cookie.to_encoded_header() for cookie in (session, *chosen))]


def new_occasion() -> str:
    """Tells one answer from another."""
    return secrets.token_hex(_OCCASION // 2)


class Watcher:
    """Whoever a stream was opened for, for each of its frames. Who they are is asked anew whenever sessions have been
    ended, here or elsewhere, and after ``ASKED_AGAIN`` seconds. Whose session has ended is told nothing more."""

    def __init__(self, service: TableService, visitor: Visitor) -> None:
        self._service = service
        self._visitor = visitor
        self._endings = service.endings
        self._asked = monotonic()
        self._id = visitor.id
        self._person = visitor.whose()

    def now(self) -> Visitor | None:
        """The visitor on a new occasion; None if they are not any more who they were."""
        endings, now = self._service.endings, monotonic()
        if endings != self._endings or now - self._asked >= ASKED_AGAIN:
            self._endings, self._asked = endings, now
            self._person = self._visitor.whose()
        if (self._person and self._person.id) != self._id:
            return None
        return replace(self._visitor, whose=lambda: self._person, occasion=new_occasion())


def nobody() -> None:
    """Whoever has no name."""


def cookie_name(name: str, secure: bool, path: str = "/") -> str:
    """What a cookie is called. Over https by a name that browsers take from nobody but this very host, and over https
    alone: no neighbour can slip somebody a session of their choice."""
    if not secure:
        return name
    return f"__Host-{name}" if path == "/" else f"__Secure-{name}"


def form_token(session: str, occasion: str) -> str:
    """The token of the forms of a session, on an occasion; the session cannot be told from it, nor another token."""
    return occasion + hmac.digest(session.encode(), b"kontor form " + occasion.encode(), "sha256").hex()[:_TOKEN]


def is_form_token(given: str, session: str) -> bool:
    """Whether it is a token of the session's forms, of whatever occasion."""
    return hmac.compare_digest(given.encode(), form_token(session, given[:_OCCASION]).encode())


def cookie_of(request: AnyRequest, name: str, path: str = "/") -> str:
    """What stands in one of our cookies; empty where there is none."""
    return request.cookies.get(cookie_name(name, request.scope["scheme"] == "https", path), "")


def visitor_of(request: AnyRequest, service: TableService) -> Visitor:
    """The visitor behind a request."""
    session = _session_of(request)
    use = request.scope["state"].setdefault(_USE, SessionUse(service, session)) if session else nobody
    return _with_session(request, use)


def _session_of(request: AnyRequest) -> str:
    return cookie_of(request, SESSION)[:200]


def _with_session(request: AnyRequest, whose: Callable[[], Person | None]) -> Visitor:
    theme = cookie_of(request, THEME)
    query = request.scope["query_string"].decode("latin-1")
    return Visitor(
        whose=whose,
        session=_session_of(request),
        language=language_of(cookie_of(request, LANGUAGE), request.headers.get("accept-language")),
        theme=theme if theme in THEMES else "",
        address=request.client.host if request.client else "",
        secure=request.scope["scheme"] == "https",
        path=request.scope["path"] + (f"?{query}" if query else ""),
        script="hx-request" in request.headers,
        live="x-kontor-live" in request.headers,
    )


def bearer_of(request: AnyRequest) -> str:
    """The token of the program that calls; empty for who has none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:200] if scheme.lower() == "bearer" else ""


def program_of(request: AnyRequest, service: TableService) -> Visitor:
    """The person as whom a program calls, by its token; nobody by a cookie."""
    token = bearer_of(request)
    return Visitor(
        whose=partial(service.person_of_api_token, token) if token else nobody,
        session="",
        language=language_of(None, request.headers.get("accept-language")),
        theme="",
        address=request.client.host if request.client else "",
        secure=request.scope["scheme"] == "https",
        path=request.scope["path"],
        script=True,
    )


class Form(Mapping[str, str]):
    """The fields of a form. A field that comes several times is joined by spaces: ``lay=45&lay=-2`` is ``45 -2``."""

    def __init__(self, fields: FormMultiDict) -> None:
        joined: dict[str, list[str]] = {}
        for name, value in fields.multi_items():
            if isinstance(value, str):
                joined.setdefault(name, []).append(value)
        self._fields = {name: " ".join(values) for name, values in joined.items()}

    def __getitem__(self, name: str) -> str:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def text(self, name: str, most: int) -> str:
        """A line of text, without control characters and spaces at its ends."""
        line = "".join(sign for sign in self.get(name, "") if sign.isprintable())
        return line.strip()[:most]

    def number(self, name: str, usual: int = 0) -> int:
        """A whole number; whatever else stands there is the usual one."""
        given = self.get(name, "").strip()
        return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else usual

    def one_of(self, name: str, known: Sequence[Known], usual: Known) -> Known:
        """One of several values; whatever else stands there is the usual one."""
        return next((value for value in known if value == self.get(name)), usual)

    def starter(self) -> int | None:
        """The seat that a form for a new table lets start; None for whoever the lot falls on."""
        given = self.get("starter", "")
        return int(given) if given.isascii() and given.isdigit() and len(given) < 3 else None


TheVisitor = NamedDependency[Visitor]
TheForm = NamedDependency[Form]


SENT_FORM: Final = "form"
"""Where the state of a request keeps the form that came with it, for whoever tells of a fault. (In the scope: each
``request.state`` of Litestar is a copy.)"""


async def form_of(request: AnyRequest, visitor: Visitor) -> Form:
    """The fields of a form that one of our own pages sent. Raises StaleForm."""
    form = Form(await request.form())
    request.scope.setdefault("state", {})[SENT_FORM] = form
    given = request.headers.get(FORM_HEADER) or form.get(FORM_TOKEN, "")
    if not is_form_token(given, visitor.session):
        raise StaleForm
    return form
