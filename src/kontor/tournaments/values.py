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

Leavers = Literal["forfeit", "computer"]
"""The fate of the game that a leaver is playing: they forfeit it, or a computer player finishes it for them."""


class TournamentPlan(Value, frozen=True):
    """A tournament to be opened.

    ``sizes``: of tables, the preferred one first. ``options``: of the game, by number of players. ``rounds`` is
    ignored where everybody plays everybody. ``starts``: when it begins automatically; without it, its host starts it.
    With fewer than ``fewest`` entrants it does not begin; while there are ``most``, others wait for a place. With
    ``breaks`` holidays count at its tables, games can be paused, and people can give each other more time. With
    ``approval`` its host looks over each pairing before the round begins, and can change it. ``club`` is the id of
    its club, or empty; with ``members_only`` only members of the club can join, and it is not listed in public.
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
    description: str = ""
    most: int | None = None
    leavers: Leavers = "forfeit"
    approval: bool = False
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
    most: int
    """While it has so many entrants, others wait for a place."""
    description: str
    leavers: Leavers
    approval: bool
    """True if its host looks over each pairing before the round begins, and can change it."""
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
    """Number of entrants, without those who have left or wait for a place."""
    waiting: int
    """Number of people who wait for a place."""
    opener: str
    """The name of the tournament's host."""
    host: bool
    """True if the reader is the host."""
    mine: bool
    """True if the reader takes part."""
    waits: bool
    """True if the reader waits for a place."""
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
    waiting: bool
    """True if they wait for a place."""


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
    there once the game is over, and the point of a bye once the round is over. ``table`` is its table, if that still
    exists. ``number`` is that of the board. ``corrected``: the host has changed the points;
    then there are no scores.
    """

    number: int

    entrants: tuple[int, ...]
    points: tuple[float, ...] | None
    scores: tuple[int, ...] | None
    table: str | None
    second: bool
    """True if it is the second game of a duplicate match: the same luck from the other side."""
    corrected: bool


class RoundInfo(Value, frozen=True):
    """A round, and whether all of its tables are over."""

    number: int
    boards: tuple[BoardInfo, ...]
    over: bool


PairingFaultKind = Literal["met", "bye", "seats"]
"""The rule of pairing that is broken: people meet again, somebody has a second bye, or the same seat too often."""


class PairingFault(Value, frozen=True):
    """A broken rule of pairing, and the ``entrants`` whom it concerns."""

    kind: PairingFaultKind
    entrants: tuple[int, ...]


class ProposalInfo(Value, frozen=True):
    """A pairing proposed for the next ``round``, as long as the host can change it.

    ``boards`` are entrants in the order of the seats; a single one has the bye. ``faults`` are the rules it breaks.
    """

    round: int
    boards: tuple[tuple[int, ...], ...]
    faults: tuple[PairingFault, ...]


class Correction(Value, frozen=True):
    """A correction of a result: the board, and whether it is of the ``second`` game of a match.

    ``places`` are those of the seats, from 1; several can share one.
    """

    round: int
    board: int
    places: tuple[int, ...]
    reason: str
    second: bool = False


class Swap(Value, frozen=True):
    """A change of the proposed pairing: two ``entrants`` take each other's seats, or bye.

    ``anyway``: even if that breaks rules of pairing which the proposal keeps.
    """

    entrants: tuple[int, int]
    reason: str
    anyway: bool = False


class OrganiserChange(Value, frozen=True):
    """A change by the host, for all who see the tournament.

    ``corrected``: the result of a board, with the points ``before`` and ``after``. ``swapped``: two ``entrants`` in
    the pairing proposed for a round, with the ``faults`` that this added. ``name`` is that of the host.
    """

    kind: Literal["corrected", "swapped"]
    at: datetime
    name: str
    round: int
    entrants: tuple[int, ...]
    reason: str
    board: int | None = None
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()
    faults: tuple[PairingFault, ...] = ()


class TournamentLine(Value, frozen=True):
    """A line of the talk of a tournament; ``own`` if the reader wrote it."""

    number: int
    name: str
    text: str
    at: datetime
    own: bool


class SeasonOfTournament(Value, frozen=True):
    """The season to which a tournament belongs."""

    id: str
    name: str


class SeasonPlan(Value, frozen=True, forbid_unknown_fields=True):
    """A season to be opened: a series of tournaments with a table of points.

    ``points`` are those of the first place, the second, and so on; other places have none. Of a person's results the
    ``best`` count, so many of them; without it all do.
    """

    name: str
    points: tuple[int, ...]
    best: int | None = None


class SeasonInfo(Value, frozen=True):
    """A season from outside. ``opener`` is its host's name, and ``host`` is true for that person."""

    id: str
    name: str
    points: tuple[int, ...]
    best: int | None
    opener: str
    host: bool


class TournamentOfSeason(Value, frozen=True):
    """A tournament of a season. It counts when it is over."""

    id: str
    name: str
    status: TournamentStatus


class SeasonStanding(Value, frozen=True):
    """A person's place in a season.

    ``results`` are their points in its tournaments, in the order of these; null for those not played. ``counted``:
    whether each of them counts. ``mine`` is true for the reader.
    """

    place: int
    name: str
    mine: bool
    points: float
    results: tuple[float | None, ...]
    counted: tuple[bool, ...]


class SeasonView(Value, frozen=True):
    """A season at one moment: its tournaments, the first one first, and its table."""

    info: SeasonInfo
    tournaments: tuple[TournamentOfSeason, ...]
    standings: tuple[SeasonStanding, ...]


class TournamentView(Value, frozen=True):
    """A tournament at one moment, for one person."""

    info: TournamentInfo
    entrants: tuple[EntrantInfo, ...]
    standings: tuple[StandingInfo, ...]
    tie_breaks: tuple[str, ...]
    rounds: tuple[RoundInfo, ...]
    my_tables: tuple[str, ...]
    """The tables where the reader is playing."""
    options: Mapping[str, Any]
    """The options of the game, by the number of players at a table."""
    proposal: ProposalInfo | None = None
    log: tuple[OrganiserChange, ...] = ()
    """The changes by its host, the first one first."""
    season: SeasonOfTournament | None = None


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
    their share of the dice. ``description`` is theirs if they opened it, ``changes`` what they changed by hand, and
    ``chat`` what they wrote in its chat. ``season`` is that of a tournament that they opened.
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
    description: str
    changes: tuple[OrganiserChange, ...]
    chat: tuple[TournamentLine, ...]
    season: SeasonOfTournament | None
