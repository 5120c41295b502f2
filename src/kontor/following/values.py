"""People whom somebody follows, and what these do just now."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from kontor.game import Value


class Doing(Value, frozen=True):
    """A thing that a person does just now, as everybody may see it.

    ``seeks``: they look for a game; ``waits``: they sit at a table with a seat that is open to all; ``plays``: they
    play a game that may be watched. A seek has no ``table``.
    """

    kind: Literal["seeks", "waits", "plays"]
    game: str
    table: str = ""


class FollowedPerson(Value, frozen=True):
    """A person whom somebody follows."""

    name: str
    """Their name; empty if they no longer show a page."""
    handle: str
    public: bool
    """True if they have a page that the reader may see; else nothing of theirs is shown."""
    since: datetime
    doings: tuple[Doing, ...]


class OwnFollow(Value, frozen=True):
    """A person whom somebody follows, for that person's own data."""

    name: str
    """Their name; empty if they no longer show a page."""
    at: datetime
