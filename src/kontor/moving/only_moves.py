"""The only move of a person, played in their name where all can see that there is no other.

It is played by the loop of the computer players, as moves given ahead are. Tables that have changed are looked at
soon, and all at the start and now and then: after a crash, or once somebody has made the choice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Final

from sqlalchemy import Select, and_, select

from kontor.errors import Conflict, NotAllowed, NotNow, NotYourTurn, StoodIn
from kontor.moving.values import ForcedTurn
from kontor.storage.schema import people, seats, tables
from kontor.tables import undo
from kontor.tables.move import TableMoves
from kontor.tables.reading import TableQueries
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.turn_inputs import is_plainly_forced

_MOST_CHANGED: Final = 10_000
"""The most tables that are remembered as changed: only the leading process looks at them."""

_MOST_AT_ONCE: Final = 200
"""The most of them that are looked up at once."""

_SEARCH_INTERVAL: Final = 60.0
"""Seconds between two looks at all tables."""

_TURNS: Final = (
    select(tables.c.id, tables.c.game, tables.c.number, tables.c.undone, tables.c.undo, seats.c.seat)
    .join(seats, and_(seats.c.table_id == tables.c.id, seats.c.seat == tables.c.mover))
    .join(people, people.c.id == seats.c.person)
    .where(
        tables.c.status == "playing",
        ~tables.c.paused,
        ~tables.c.machine,
        people.c.only_move,
        people.c.suspended.is_(None),
    )
)


class OnlyMoves:
    """The only moves of people for whom they are played. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions, queries: TableQueries, moves: TableMoves) -> None:
        self._transactions = transactions
        self._queries = queries
        self._moves = moves
        self._changed: deque[str] = deque(maxlen=_MOST_CHANGED)
        self._checked: dict[str, tuple[int, int]] = {}
        self._searched_at = -_SEARCH_INTERVAL

    def note_change(self, table: str) -> None:
        """Note that a table has changed."""
        self._changed.append(table)

    def due(self) -> Sequence[ForcedTurn]:
        """Return the turns that have not been looked at yet, of people for whom the only move is played.

        A move before that can still be taken back is waited for.
        """
        if monotonic() - self._searched_at >= _SEARCH_INTERVAL:
            self._changed.clear()
            turns = self._read(_TURNS)
            self._checked = {turn.table: self._checked.get(turn.table, (0, -1)) for turn in turns}
            self._searched_at = monotonic()
        elif self._changed:
            changed = {self._changed.popleft() for _ in range(min(len(self._changed), _MOST_AT_ONCE))}
            turns = self._read(_TURNS.where(tables.c.id.in_(changed)))
        else:
            return ()
        return [turn for turn in turns if self._checked.get(turn.table) != (turn.number, turn.undone)]

    def _read(self, query: Select[Any]) -> list[ForcedTurn]:
        """Return the turns of a query; those before which a move can still be taken back are looked at again."""
        with self._transactions.reading() as db:
            rows = db.execute(query).all()
            now = self._transactions.now()
        self._changed.extend(row.id for row in rows if undo.is_undoable(row, now))
        return [
            ForcedTurn(row.id, row.game, row.seat, row.number, row.undone)
            for row in rows
            if not undo.is_undoable(row, now)
        ]

    def play(self, turn: ForcedTurn) -> bool:
        """Play the only move of this turn; return False if there is a choice, or somebody was quicker.

        Where several people share a device there are several hands to look at, so nothing is played.
        """
        now = self._queries.view(turn.table)
        row, sitting = now.snapshot.row, now.snapshot.seats
        if (row.number, row.undone) != (turn.number, turn.undone):
            return False
        moves, person = now.look(turn.seat).moves, sitting[turn.seat].person
        if len(moves) != 1 or sum(seat.person == person for seat in sitting) > 1 or not is_plainly_forced(now):
            self._checked[turn.table] = (turn.number, turn.undone)
            return False
        try:
            self._moves.play_ahead(turn.table, turn.seat, turn.number, moves[0], turn.undone, _claim(turn))
        except (Conflict, NotAllowed, NotNow, NotYourTurn, StoodIn):
            return False
        return True


def _claim(turn: ForcedTurn) -> Callable[[TableChange], None]:
    """Return the function that refuses the move if the person no longer wants it to be played for them."""

    def claim(change: TableChange) -> None:
        is_seat = and_(seats.c.table_id == turn.table, seats.c.seat == turn.seat)
        query = select(people.c.only_move).join(seats, seats.c.person == people.c.id).where(is_seat)
        if not change.db.scalar(query):
            raise Conflict(turn.number)

    return claim
