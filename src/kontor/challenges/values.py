"""Challenges, and the people who can be challenged."""

from __future__ import annotations

from datetime import datetime

from kontor.game import Value
from kontor.tables.values import Plan, Share, TableInfo


class OpponentKey(Value, frozen=True):
    """A person who can be challenged: by the handle of their page, or by their seat at a common finished game."""

    handle: str = ""
    table: str = ""
    seat: int = 0

    @property
    def address(self) -> str:
        """Return the address of the form in which they are challenged."""
        return f"/challenges/to/{self.handle or f'{self.table}/{self.seat}'}"


class Opponent(Value, frozen=True):
    """A person who can be challenged; the ``id`` is for the server alone."""

    id: str
    name: str


class PastOpponent(Value, frozen=True):
    """A person with whom somebody has finished a game."""

    name: str
    key: OpponentKey


class Terms(Value, frozen=True):
    """The table that somebody proposes, with their share of its dice.

    ``expected`` is the commitment that they were shown, ``origin`` the number of their network.
    """

    plan: Plan
    share: Share
    expected: str
    origin: int


class OpenChallenge(Value, frozen=True):
    """A challenge that waits for an answer, for the person who is challenged."""

    id: str
    name: str
    """The name of the challenger."""
    handle: str
    """The handle of their page; empty if they show none."""
    seat: int
    """The seat that is kept."""
    counters: bool
    """True if it proposes other terms than a challenge before."""
    at: datetime
    table: TableInfo


class DeclinedChallenge(Value, frozen=True):
    """A challenge that was declined, for the challenger."""

    id: str
    name: str
    game: str


class OwnChallenge(Value, frozen=True):
    """A challenge by or to a person, for that person's own data."""

    name: str
    """The name of the other."""
    sent: bool
    """True if the person is the challenger."""
    game: str
    table: str | None
    at: datetime
    declined: datetime | None
