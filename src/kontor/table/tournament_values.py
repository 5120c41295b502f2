"""What goes into a tournament and comes out of it. No person's id is in what others are told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from kontor.game import Value
from kontor.table.values import Level, Pace

System = Literal["swiss", "all", "all twice", "tables"]
"""Who plays whom: those who stand alike; everybody plays everybody, once or twice; at tables for more than two,
people who have met as rarely as can be."""

TournamentStatus = Literal["open", "running", "over", "cancelled"]


class TournamentPlan(Value, frozen=True):
    """A tournament to be opened. ``sizes`` of tables, the preferred first; ``options`` of the game, by how many play.
    ``rounds`` do not matter where everybody plays everybody. ``starts``: when it begins by itself, else when its
    opener says so; with fewer than ``fewest`` it does not.
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


class TournamentInfo(Value, frozen=True):
    """What a tournament looks like from outside, to one person or to nobody in particular."""

    id: str
    name: str
    game: str
    system: System
    sizes: tuple[int, ...]
    duplicate: bool
    in_step: bool
    """Whether chance acts at all tables of a round at the same time, and both games of a match are played at once."""
    rounds: int
    """0 until it begins, where everybody plays everybody."""
    pace: Pace
    takeover: Level
    public: bool
    fewest: int
    starts: datetime | None
    status: TournamentStatus
    joining: bool
    """Whether people can join, also late."""
    created: datetime
    started: datetime | None
    ended: datetime | None
    round: int
    """The last that was paired."""
    next: datetime | None
    """When the next one is, after a break."""
    entrants: int
    """How many take part, without those who have left."""
    opener: str
    """The name of whoever opened it."""
    host: bool
    """Whether that is the asking person."""
    mine: bool
    """Whether the asking person takes part."""
    commitment: str
    """To the seed from which pairings and dice are drawn."""
    seed: str | None
    """Told when it is over."""


class EntrantInfo(Value, frozen=True):
    """Somebody who takes part, or did."""

    number: int
    name: str
    mine: bool
    first: int
    """The round from which they play."""
    left: bool
    removed: bool


class StandingInfo(Value, frozen=True):
    """Where somebody stands; ``tie_breaks`` in the order of ``TournamentView.tie_breaks``."""

    place: int
    entrant: int
    points: float
    tie_breaks: tuple[float, ...]
    played: int
    wins: int


class BoardInfo(Value, frozen=True):
    """A table of a round: the numbers of the entrants in the order of their seats, what they got for it once it is
    over, and the table where it is played, if that is still there. One alone has a bye.
    """

    entrants: tuple[int, ...]
    points: tuple[float, ...] | None
    scores: tuple[int, ...] | None
    table: str | None
    second: bool
    """Whether it is the second game of a duplicate match: the same luck from the other side."""


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
    """Where the asking person's games are being played."""


class TournamentOfTable(Value, frozen=True):
    """The tournament, and the round, that a table belongs to; and the table of the other game of a duplicate match,
    if that is there.
    """

    id: str
    name: str
    round: int
    other: str | None


class TournamentFilter(Value, frozen=True):
    """Which tournaments somebody looks for. ``after`` is the cursor of a page: when its last one was opened, in
    milliseconds, and its id.
    """

    show: Literal["open", "running", "over"] = "open"
    game: str = ""
    name: str = ""
    after: tuple[int, str] | None = None


class FoundTournaments(Value, frozen=True):
    """A page of the tournaments found, the newest first, and the cursor of the next one."""

    tournaments: tuple[TournamentInfo, ...]
    after: tuple[int, str] | None
