"""The visitor of a page, and the token that their forms carry.

A form's token follows from the session's, so no key has to be stored, and forms that were open while the server
restarted still count. It differs in each response: responses are compressed, and hold text of others. If it were
constant, people who see the length of the traffic could guess it letter by letter (BREACH).
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from kontor.lazy_attribute import lazy_attribute
from kontor.people.values import Person
from kontor.web.pages.languages import words_in
from kontor.words import Words

_OCCASION: Final = 16
_TOKEN: Final = 32
"""Hexadecimal digits of a token: of the part that differs in each response, and of the proof of the session."""


@dataclass(frozen=True)
class Visitor:
    """The visitor of a page."""

    find_person: Callable[[], Person | None] = field(repr=False)
    """Looks up the person. That waits for the database, so ``person`` is read in worker threads only."""
    session: str
    """The cookie's token; empty without a session."""
    language: str
    theme: str
    """``light`` or ``dark`` if chosen, else empty."""
    address: str
    secure: bool
    """True if the page came over https."""
    path: str
    """The path of the page, with the query."""
    script: bool
    """True if our script sent the request: it needs only the part of the page that changes."""
    origin: str = ""
    """The site's origin as the browser sees it: scheme and host, with the port."""
    zone: str = ""
    """The name of the time zone that the browser has told; empty if it has not."""
    speculative: bool = False
    """True if nobody sees the response: the request is a HEAD, or a browser's prefetch."""
    live: bool = False
    """True if the page has a live stream, which sends that part anyway."""
    base_path: str = ""
    """The base path of the server, for the paths of cookies."""

    @lazy_attribute
    def person(self) -> Person | None:
        """Return the person; None for a visitor without a name."""
        return self.find_person()

    @property
    def id(self) -> str | None:
        """Return the person's id, if there is one."""
        return self.person.id if self.person else None

    @property
    def words(self) -> Words:
        """Return the sentences in the visitor's language, with times in their time zone."""
        return words_in(self.language, self.zone)

    @lazy_attribute
    def token(self) -> str:
        """Return the token of the visitor's forms in this response."""
        return form_token(self.session, secrets.token_hex(_OCCASION // 2))


def nobody() -> None:
    """Return None: a visitor without a name."""


def form_token(session: str, occasion: str) -> str:
    """Return the token of a session's forms on an occasion; it reveals neither the session nor another token."""
    return occasion + hmac.digest(session.encode(), b"kontor form " + occasion.encode(), "sha256").hex()[:_TOKEN]


def is_form_token(given: str, session: str) -> bool:
    """Return True if it is a token of the session's forms, of any occasion."""
    return hmac.compare_digest(given.encode(), form_token(session, given[:_OCCASION]).encode())
