"""Queries for tournaments, their entrants and pairings."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec
from sqlalchemy import BindParameter, ColumnElement, Connection, bindparam, select, update

from kontor.errors import NoTable
from kontor.game import Result, Value
from kontor.storage.ids import is_id
from kontor.storage.schema import TOURNAMENT_ROW, entrants, pairings, people, tables, tournaments
from kontor.tables.transactions import TableChange
from kontor.tables.values import Level, PaceKind
from kontor.tournaments import POINT, TournamentGame, duplicate_match, played, played_early
from kontor.tournaments.values import Leavers, System, TournamentStatus


class TournamentRow(Value, frozen=True):
    """A row of ``tournaments`` but for the seed, in the order of TOURNAMENT_ROW."""

    id: str
    name: str
    game: str
    system: System
    duplicate: bool
    sizes_text: str
    options: str
    rounds: int
    pace: PaceKind
    seconds: int
    reserve: int
    takeover: Level
    public: bool
    host: str
    joining: bool
    fewest: int
    starts: int | None
    status: TournamentStatus
    created: int
    started: int | None
    ended: int | None
    round: int
    next: int | None
    commitment: str
    changes: int
    in_step: bool
    breaks: bool
    description: str
    most: int | None
    leavers: Leavers
    approval: bool
    proposal_text: str | None

    @property
    def proposal(self) -> tuple[tuple[int, ...], ...] | None:
        """Return the pairing proposed for the next round: entrants by their seats; a single one has the bye."""
        if self.proposal_text is None:
            return None
        return msgspec.json.decode(self.proposal_text, type=tuple[tuple[int, ...], ...])

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the sizes of tables, the preferred one first."""
        return msgspec.json.decode(self.sizes_text, type=tuple[int, ...])

    @property
    def of_pairs(self) -> bool:
        """Return True if each game has two players."""
        return self.system != "tables"

    @property
    def everybody(self) -> bool:
        """Return True if everybody plays everybody."""
        return self.system in ("all", "all twice")

    @property
    def smallest(self) -> int:
        """Return the least number of players that a round needs."""
        return 2 if self.of_pairs else 3

    def takes_more(self) -> bool:
        """Return True if people can still join.

        They can join late until the last round is paired, but not where everybody plays everybody.
        """
        if self.status == "running":
            return self.joining and not self.everybody and self.round < self.rounds
        return self.joining and self.status == "open"


class EntrantRow(Value, frozen=True):
    """A row of ``entrants``, in the order of its columns; ``gone`` if the person has left for good or is suspended.

    Such a person is not paired. ``waiting`` is for a place, in a tournament that is full.
    """

    tournament: str
    number: int
    person: str
    name: str
    salt: str
    first: int
    left: int | None
    removed: bool
    waiting: bool
    gone: bool

    @property
    def plays(self) -> bool:
        """Return True if the entrant is to be paired."""
        return self.left is None and not self.waiting and not self.gone


class PairingRow(Value, frozen=True):
    """A row of ``pairings``, with the status and result of its table."""

    round: int
    board: int
    game: int
    entrants: tuple[int, ...]
    table: str | None
    points: tuple[int, ...] | None
    scores: tuple[int, ...]
    corrected: bool = False
    status: str | None = None
    result: Result | None = None
    winners: tuple[int, ...] | None = None

    @property
    def is_bye(self) -> bool:
        """Return True if the entrant has no opponent."""
        return len(self.entrants) == 1

    def played_game(self) -> TournamentGame | None:
        """Return the result stored with the pairing, by entrants' numbers; None for a bye or an unfinished game."""
        if self.points is None or self.is_bye:
            return None
        return TournamentGame(self.round, tuple(map(str, self.entrants)), self.points, self.scores)

    @property
    def is_settled(self) -> bool:
        """Return True if the table is over and its result not yet stored."""
        return self.result is not None or self.winners is not None

    def settled_game(self, forfeits: Collection[int] = ()) -> TournamentGame | None:
        """Return the result of the finished table, by entrants' numbers; None if it is not over or already stored.

        ``forfeits`` are the seats that forfeited the game.
        """
        seats = tuple(map(str, self.entrants))
        if self.result is not None:
            return played(self.round, seats, self.result, forfeits)
        return None if self.winners is None else played_early(self.round, seats, self.winners, forfeits)


_HERE: Final[BindParameter[str]] = bindparam("tournament")
_ROW: Final = select(*TOURNAMENT_ROW).where(tournaments.c.id == _HERE)
_FREE: Final = _ROW.with_for_update(skip_locked=True)
_TAKE: Final = (
    update(tournaments)
    .where(tournaments.c.id == _HERE)
    .values(changes=tournaments.c.changes + 1)
    .returning(*TOURNAMENT_ROW)
)
_SEED: Final = select(tournaments.c.seed).where(tournaments.c.id == _HERE)
_ENTRANTS: Final = (
    select(*entrants.c, people.c.left.is_not(None) | people.c.suspended.is_not(None))
    .join(people, people.c.id == entrants.c.person)
    .where(entrants.c.tournament == _HERE)
    .order_by(entrants.c.number)
)
_PAIRINGS: Final = (
    select(
        pairings.c.round,
        pairings.c.board,
        pairings.c.game,
        pairings.c.entrants,
        pairings.c.table_id,
        pairings.c.points,
        pairings.c.scores,
        pairings.c.corrected,
        tables.c.status,
        tables.c.result,
        tables.c.early,
    )
    .outerjoin(tables, tables.c.id == pairings.c.table_id)
    .where(pairings.c.tournament == _HERE)
    .order_by(pairings.c.round, pairings.c.board, pairings.c.game)
)


def no_tournament() -> NoTable:
    """Return the refusal to raise where there is no such tournament."""
    return NoTable("", "This tournament does not exist.")


def tournament_row(db: Connection, tournament: str) -> TournamentRow:
    """Return the row of a tournament. Raises NoTable."""
    row = db.execute(_ROW, {"tournament": tournament}).first() if is_id(tournament) else None
    if row is None:
        raise no_tournament()
    return TournamentRow(*row)


def take(change: TableChange, tournament: str) -> TournamentRow:
    """Lock a tournament's row until the transaction ends, count the change, and return the row. Raises NoTable."""
    row = change.db.execute(_TAKE, {"tournament": tournament}).first() if is_id(tournament) else None
    if row is None:
        raise no_tournament()
    return TournamentRow(*row)


def take_free(change: TableChange, tournament: str) -> TournamentRow | None:
    """Take a tournament and return its row; None if another transaction has locked it."""
    if change.db.execute(_FREE, {"tournament": tournament}).first() is None:
        return None
    return take(change, tournament)


def set_row(change: TableChange, tournament: str, **values: object) -> TournamentRow:
    """Change a tournament that was taken, and return its row."""
    changed = update(tournaments).where(tournaments.c.id == tournament).values(**values).returning(*TOURNAMENT_ROW)
    return TournamentRow(*change.db.execute(changed).one())


def entrant_rows(db: Connection, tournament: str) -> tuple[EntrantRow, ...]:
    """Return all current and former entrants, in the order in which they joined."""
    return tuple([EntrantRow(*tuple(row)) for row in db.execute(_ENTRANTS, {"tournament": tournament})])


class _Early(msgspec.Struct):
    winners: tuple[int, ...] = ()


def pairing_rows(db: Connection, tournament: str) -> tuple[PairingRow, ...]:
    """Return the pairings of all rounds, table by table."""
    return tuple([_pairing(*tuple(row)) for row in db.execute(_PAIRINGS, {"tournament": tournament})])


def _pairing(
    round_: int,
    board: int,
    game: int,
    entrants_text: str,
    table: str | None,
    points: str | None,
    scores: str | None,
    corrected: bool,
    status: str | None,
    result: str | None,
    early: str | None,
) -> PairingRow:
    over = points is None and status == "over"
    return PairingRow(
        round_,
        board,
        game,
        _numbers(entrants_text),
        table,
        None if points is None else _numbers(points),
        _numbers(scores) if scores else (),
        corrected,
        status,
        msgspec.json.decode(result, type=Result) if over and result else None,
        msgspec.json.decode(early, type=_Early).winners if over and early else None,
    )


def is_pairing(row: TournamentRow, pairing: PairingRow) -> ColumnElement[bool]:
    """Return the condition for the row of a pairing."""
    same: ColumnElement[bool] = (
        (pairings.c.tournament == row.id)
        & (pairings.c.round == pairing.round)
        & (pairings.c.board == pairing.board)
        & (pairings.c.game == pairing.game)
    )
    return same


def _numbers(text: str) -> tuple[int, ...]:
    return msgspec.json.decode(text, type=tuple[int, ...])


def numbers_text(numbers: Sequence[int]) -> str:
    """Return numbers as the database stores them."""
    return msgspec.json.encode(tuple(numbers)).decode()


def matches(rows: Sequence[PairingRow]) -> tuple[TournamentGame, ...]:
    """Return the finished games; of duplicate matches, those of which both games are over."""
    second = {(row.round, row.board): row.played_game() for row in rows if row.game == 1}
    games = []
    for row in rows:
        if row.game == 1:
            continue
        game = row.played_game()
        if game is not None and (row.round, row.board) in second:
            other = second[row.round, row.board]
            game = None if other is None else duplicate_match(game, other)
        if game is not None:
            games.append(game)
    return tuple(games)


def byes(rows: Sequence[PairingRow]) -> tuple[tuple[int, str], ...]:
    """Return the byes: pairs of a round and an entrant."""
    return tuple([(row.round, str(row.entrants[0])) for row in rows if row.is_bye])


def seed_of(db: Connection, tournament: str) -> bytes:
    """Return the secret seed of the tournament."""
    seed: bytes = db.execute(_SEED, {"tournament": tournament}).scalar_one()
    return seed


def seed_for(seed: bytes, purpose: str) -> bytes:
    """Return the seed of a part of a tournament.

    Anyone can recompute it once the tournament's seed is published.
    """
    return hmac.digest(seed, b"kontor-tournament-1 " + purpose.encode(), "sha256")


def options_by_size(row: TournamentRow) -> Mapping[int, str]:
    """Return the game's options as a table stores them, by number of players."""
    raw_options = msgspec.json.decode(row.options, type=dict[int, msgspec.Raw])
    return {size: bytes(options).decode() for size, options in raw_options.items()}


_FULL: Final = POINT


def bye_points() -> str:
    """Return the points of a bye, as the database stores them."""
    return numbers_text((_FULL,))
