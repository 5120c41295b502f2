"""Requests to tournaments and their answers. What others see contains no person's id."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from kontor.game import Value
from kontor.tables.values import Level, Pace

System = Literal["swiss", "all", "all twice", "tables"]
"""The pairing system: players with similar scores; everybody plays everybody, once or twice; or tables for more than
two, with people who have met as rarely as possible."""

TournamentStatus = Literal["open", "running", "over", "cancelled"]


class TournamentPlan(Value, frozen=True):
    """A tournament to be opened.

    ``sizes``: of tables, the preferred one first. ``options``: of the game, by number of players. ``rounds`` is
    ignored where everybody plays everybody. ``starts``: when it begins automatically; without it, its host starts it.
    With fewer than ``fewest`` entrants it does not begin. With ``breaks`` holidays count at its tables, games can be
    paused, and people can give each other more time. ``club`` is the id of its club, or empty; with ``members_only``
    only members of the club can join, and it is not listed in public.
    """

    name: str
    game: str
    system: System
    sizes: tuple[int, ...]
    options: Mapping[int, Any]
    rounds: int = 5
    pace: Pace = Pace("live", 60, 600)
    duplicate: bool = False
    public: bool = True
    takeover: Level = "casual"
    fewest: int = 2
    starts: datetime | None = None
    breaks: bool = False
    club: str = ""
    members_only: bool = False


class ClubOfTournament(Value, frozen=True):
    """The club to which a tournament belongs, for a reader.

    ``id`` and ``name`` are empty where the reader may not see the club, or where it was closed.
    """

    id: str
    name: str
    members_only: bool
    """True if only members of the club can join."""
    member: bool
    """True if the reader is a member."""


class TournamentInfo(Value, frozen=True):
    """A tournament from outside, for one person or for a reader without a person."""

    id: str
    name: str
    game: str
    system: System
    sizes: tuple[int, ...]
    duplicate: bool
    in_step: bool
    """True if chance acts at all tables of a round at the same time, and both games of a match are played at once."""
    breaks: bool
    """True if holidays count, games can be paused, and people can give each other more time."""
    rounds: int
    """0 until it begins, where everybody plays everybody."""
    pace: Pace
    takeover: Level
    public: bool
    fewest: int
    starts: datetime | None
    status: TournamentStatus
    joining: bool
    """True if people can join, possibly late."""
    created: datetime
    started: datetime | None
    ended: datetime | None
    round: int
    """The last round that was paired."""
    next: datetime | None
    """Time when the next round is paired, after a break."""
    entrants: int
    """Number of entrants, without those who have left."""
    opener: str
    """The name of the tournament's host."""
    host: bool
    """True if the reader is the host."""
    mine: bool
    """True if the reader takes part."""
    commitment: str
    """The commitment to the seed from which pairings and dice are drawn."""
    seed: str | None
    """Published when the tournament is over."""
    club: ClubOfTournament | None
    """None if it belongs to no club."""


class EntrantInfo(Value, frozen=True):
    """A current or former entrant."""

    number: int
    name: str
    mine: bool
    first: int
    """The round from which they play."""
    left: bool
    removed: bool


class StandingInfo(Value, frozen=True):
    """An entrant's place in the standings; ``tie_breaks`` in the order of ``TournamentView.tie_breaks``."""

    place: int
    entrant: int
    points: float
    tie_breaks: tuple[float, ...]
    played: int
    wins: int


class BoardInfo(Value, frozen=True):
    """A board of a round.

    ``entrants`` are their numbers in the order of the seats; a single one has a bye. ``points`` and ``scores`` are
    there once the game is over. ``table`` is its table, if that still exists.
    """

    entrants: tuple[int, ...]
    points: tuple[float, ...] | None
    scores: tuple[int, ...] | None
    table: str | None
    second: bool
    """True if it is the second game of a duplicate match: the same luck from the other side."""


class RoundInfo(Value, frozen=True):
    """A round, and whether all of its tables are over."""

    number: int
    boards: tuple[BoardInfo, ...]
    over: bool


class TournamentView(Value, frozen=True):
    """A tournament at one moment, for one person."""

    info: TournamentInfo
    entrants: tuple[EntrantInfo, ...]
    standings: tuple[StandingInfo, ...]
    tie_breaks: tuple[str, ...]
    rounds: tuple[RoundInfo, ...]
    my_tables: tuple[str, ...]
    """The tables where the reader is playing."""


class TournamentFilter(Value, frozen=True):
    """A query for tournaments.

    ``after`` is the cursor of a page: when its last tournament was opened, in milliseconds, and that tournament's id.
    """

    show: Literal["open", "running", "over"] = "open"
    game: str = ""
    name: str = ""
    after: tuple[int, str] | None = None


class FoundTournaments(Value, frozen=True):
    """A page of the tournaments found, the newest first, and the cursor of the next one."""

    tournaments: tuple[TournamentInfo, ...]
    after: tuple[int, str] | None


class OwnTournament(Value, frozen=True):
    """A tournament that a person ``opened``, or takes or took part in, for their own data.

    ``number`` is theirs as an entrant, ``called`` their name, ``first`` the round from which they play, and ``salt``
    their share of the dice.
    """

    tournament: str
    name: str
    game: str
    status: Literal["open", "running", "over", "cancelled"]
    opened: bool
    number: int | None
    called: str
    first: int | None
    left: datetime | None
    removed: bool
    salt: str
