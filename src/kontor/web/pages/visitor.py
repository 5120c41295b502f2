"""Whoever looks at a page, and the token that their forms carry.

A form's token follows from the session's, so no key has to be kept, and forms that were open while the server started
anew still count. It is another in each answer: answers are compressed, and hold what others have said. Were it always
the same, whoever sees how long they are on the wire could guess it letter by letter (BREACH).
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from kontor.lazy_attribute import lazy_attribute
from kontor.table import Person
from kontor.web.pages.languages import words_in
from kontor.words import Words

_OCCASION: Final = 16
_TOKEN: Final = 32
"""Hexadecimal digits: of what tells one answer from another, and of what shows the session."""


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
    origin: str = ""
    """What the browser takes for the site's: scheme and host, with the port."""
    speculative: bool = False
    """Whether nobody sees the answer: it is of a HEAD, or a browser fetches the page in case it is wanted."""
    live: bool = False
    """Whether its page has a live stream, by which that part comes anyway."""

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
        """What their forms carry, in this one answer."""
        return form_token(self.session, secrets.token_hex(_OCCASION // 2))


def nobody() -> None:
    """Whoever has no name."""


def form_token(session: str, occasion: str) -> str:
    """The token of the forms of a session, on an occasion; the session cannot be told from it, nor another token."""
    return occasion + hmac.digest(session.encode(), b"kontor form " + occasion.encode(), "sha256").hex()[:_TOKEN]


def is_form_token(given: str, session: str) -> bool:
    """Whether it is a token of the session's forms, of whatever occasion."""
    return hmac.compare_digest(given.encode(), form_token(session, given[:_OCCASION]).encode())
