"""Tables as they are now, for one reader; the records and the fair dice of games."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection

from kontor.endings import EarlyEnd
from kontor.errors import NotAllowed, NotNow
from kontor.game import Value
from kontor.records import Record, ended, ended_early
from kontor.tables import game_states
from kontor.tables.rows import seat_rows, seed_of, table_row
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.transactions import TableTransactions
from kontor.tables.turn_checks import require_begun
from kontor.tables.values import SEALED_DICE, FairDiceInfo, TableInfo
from kontor.tables.views import GameLog, TableView


class PersonSeats(Value, frozen=True):
    """The seats of a person at a table, and the seat on turn (None: nobody's, or chance)."""

    table: str
    game: str
    mine: tuple[int, ...]
    mover: int | None


def acting_seat(mine: Sequence[int], mover: int | None, requested: int | None) -> int | None:
    """Return the seat for which a person moves: the one they looked from, else the mover's, else any of theirs."""
    if requested in mine:
        return requested
    if mover in mine:
        return mover
    return mine[0] if mine else None


def require_seat(seat: int | None) -> int:
    """Return the seat for which somebody acts. Raises NotAllowed if they have none."""
    if seat is None:
        raise NotAllowed("", "You have no seat at this table.")
    return seat


class TableQueries:
    """Tables to read, each query at one moment; safe from any thread."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def view(self, table: str, person: str | None = None) -> TableView:
        """Return the table as it is now: one moment, also if the table changes meanwhile. Raises NoTable."""
        log = GameLog(snapshot := self._snapshot(table), self._transactions.cache, self._transactions.reading)
        return TableView(snapshot, person, self._transactions.now(), log)

    def info(self, table: str, person: str | None = None) -> TableInfo:
        """Return the table from outside. Raises NoTable."""
        return self.view(table, person).info

    def seats_of(self, table: str, person: str | None) -> PersonSeats:
        """Return the person's seats at the table, with the seat on turn perhaps as it was a while ago.

        Once the game has begun, always the same people sit there, so what is in memory needs no query.

        Raises NoTable.
        """
        snapshot = self._transactions.cache.get_cached(table)
        if snapshot is None or snapshot.row.status != "playing":
            snapshot = self._snapshot(table)
        row = snapshot.row
        mine = tuple([seat.seat for seat in snapshot.seats if person is not None and seat.person == person])
        return PersonSeats(row.id, row.game, mine, row.mover if row.status == "playing" else None)

    def _snapshot(self, table: str) -> TableSnapshot:
        cache, transactions = self._transactions.cache, self._transactions
        snapshot = cache.get_noted(table) or transactions.ask(lambda db: cache.get_validated(db, table))
        if snapshot is None:
            with transactions.reading() as db:
                snapshot = cache.snapshot(db, table)
        return snapshot

    def record(self, table: str) -> Record:
        """Return the whole game with its seed and all that was hidden.

        Raises NotNow unless all games with its dice are over.
        """
        with self._transactions.reading() as db:
            return _record(db, table)

    def fair(self, table: str) -> FairDiceInfo:
        """Return the data that proves the dice fair, with the seed when the game is over."""
        with self._transactions.reading() as db:
            row, sitting = table_row(db, table), seat_rows(db, table)
            return FairDiceInfo(
                row.dice,
                row.commitment,
                tuple(seat.salt for seat in sitting),
                tuple(seat.salt_commitment for seat in sitting),
                None if row.status == "waiting" else tuple(seat.place for seat in sitting),
                seed_of(db, table).hex() if row.status == "over" and row.dice not in SEALED_DICE else None,
            )


def _record(db: Connection, table: str) -> Record:
    row = require_begun(table_row(db, table))
    if row.status != "over":
        raise NotNow("", "The game is not over: its record would reveal what is hidden.")
    if row.dice in SEALED_DICE:
        raise NotNow("", "Other tables have the same dice, and not all of them are over.")
    played, seed = game_states.record_of(db, row), seed_of(db, table)
    if row.early is not None:
        return ended_early(played, seed, msgspec.json.decode(row.early, type=EarlyEnd))
    game_state = game_states.load(db, row, seat_rows(db, table))
    result = game_state.game.result(game_state.state)
    assert result
    return ended(played, seed, result)
