"""Values about people."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

from kontor.game import Value

Scope = Literal["play", "read", "notify", "messages"]
"""Scope of a program's token. ``play``: all that its person can do, including to see it, but for messages; ``read``:
to see it; ``notify``: to hear whose turn it is, and to choose where that is sent; ``messages``: to read and write
messages."""


SCOPES: Final[tuple[Scope, ...]] = ("play", "read", "notify", "messages")


ConfirmedPace = Literal["live", "slow"]
"""Tables at which a person confirms each move: live games, or all others (``slow``)."""

CONFIRMED_PACES: Final[tuple[ConfirmedPace, ...]] = ("live", "slow")


class Person(Value, frozen=True):
    """A person who has named themselves. Only they know their id."""

    id: str
    name: str
    scopes: tuple[Scope, ...] = SCOPES
    """Scopes of the token by which they came; a program's can be fewer than all."""
    unread: int = 0
    """Number of their conversations with unread messages."""
    confirms: tuple[ConfirmedPace, ...] = ()
    """The tables at which they confirm each move."""


class SessionInfo(Value, frozen=True):
    """A browser session (``session``) or a program (``api``) of a person."""

    id: str
    kind: Literal["session", "api"]
    label: str
    created: datetime
    expires: datetime
    scopes: tuple[Scope, ...] = SCOPES
    used: datetime | None = None
    """Time when a program last used its token, to the hour."""
