"""Undo: a person takes back their last move, if it revealed nothing and within three seconds, until another acts.

The log is the truth: the line is deleted, and the table is as it was before, the mover's clock included. Others may
have seen the line, and another may get its number. So ``tables.undone`` counts deleted lines, and clients refer to a
state of the table by that number as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import bindparam, delete, update

from kontor.errors import NotAllowed, NotNow
from kontor.game import CHANCE, OVER, Value
from kontor.storage.schema import hints, steps, tables
from kontor.storage.stored_times import datetime_of
from kontor.tables import clocks
from kontor.tables.agreed_undo import without_proposal
from kontor.tables.game_states import GameState, LogEntry
from kontor.tables.given_ahead import drop_given_after
from kontor.tables.rows import SeatRow, TableRow, is_machine
from kontor.tables.transactions import TableChange
from kontor.tables.values import UndoChoice

UNDO_TIME: Final = 3000
"""Milliseconds during which a move can be taken back."""


class LastMove(Value, frozen=True):
    """The last line, if it can be taken back.

    It holds who moved and ``at`` what time, ``since`` when it was their turn, and what was ``left`` of their reserve.
    ``waits``: computer players do not move before the time is over.
    """

    seat: int
    at: int
    since: int
    left: int
    waits: bool


def last_move(row: TableRow) -> LastMove | None:
    """Return the move that may be taken back, if that is requested in time, or None."""
    return None if row.undo is None else msgspec.json.decode(row.undo, type=LastMove)


def is_undoable(row: Any, now: int) -> bool:
    """Return True if the last move can still be taken back, of a row with the column ``undo``."""
    last = last_move(row)
    return last is not None and 0 <= now - last.at <= UNDO_TIME


def undo_column(
    before: GameState, new: Sequence[LogEntry], row: TableRow, sitting: SeatRow, choice: UndoChoice
) -> str | None:
    """Return the column ``undo`` for a move with these new lines; None if it cannot be taken back.

    It cannot if its player chose so, if chance follows it (perhaps later, in step), or if it revealed something.
    ``row`` and ``sitting`` are those before the move. Computer players wait for it, unless they are to move at once
    and the player did not choose that they wait.
    """
    move = new[0]
    assert move.step
    if choice == "never" or len(new) > 1 or move.state.mover in (CHANCE, OVER):
        return None
    if before.game.reveals(before.state, move.step.action, move.state):
        return None
    waits = choice == "wait" or row.tempo != "at once"
    since = move.at - clocks.time_used(row, move.at)
    undoable = LastMove(sitting.seat, move.at, since, sitting.left, waits)
    return msgspec.json.encode(undoable).decode()


def undo_until(row: TableRow, sitting: Sequence[SeatRow], person: str | None, now: int) -> datetime | None:
    """Return until when the person can take back their last move, if nobody acts before; None if they cannot."""
    last = last_move(row)
    if last is None or row.status != "playing" or person is None or sitting[last.seat].person != person:
        return None
    return datetime_of(last.at + UNDO_TIME) if 0 <= now - last.at <= UNDO_TIME else None


_LINE_GOES: Final = delete(steps).where(steps.c.table_id == bindparam("table"), steps.c.number == bindparam("line"))


def undo(change: TableChange, table: str, person: str, number: int, undone: int) -> None:
    """Take back the person's move on the line ``number``, of a table with so many lines ``undone`` before.

    A second call changes nothing. Raises NotNow, NotAllowed.
    """
    row = change.hold(table)
    if row.number == number - 1 and row.undone == undone + 1:
        return
    last = last_move(row)
    if (row.number, row.undone) != (number, undone) or last is None or row.status != "playing":
        raise NotNow("", "This move stands: someone has acted since, or it revealed something.")
    snapshot, game_state = change.cache.read_taken(change.db, row)
    sitting = snapshot.sitting(last.seat)
    if sitting.person != person or is_machine(sitting):
        raise NotAllowed("", "This is not your seat.")
    if not 0 <= change.now - last.at <= UNDO_TIME:
        raise NotNow("", "This move stands: three seconds have passed.")
    before = game_state.at(number - 1)
    assert before is not None  # the game state goes back further than its last line
    change.db.execute(_LINE_GOES, {"table": table, "line": number})
    change.db.execute(delete(hints).where(hints.c.table_id == table, hints.c.found.is_(None)))  # asked for before
    drop_given_after(change.db, table, number - 1, last.seat)
    change.write_row(_restore_row(row, replace(sitting, left=last.left), last, change.now))
    if sitting.left != last.left:
        clocks.write_reserve(change.db, replace(sitting, left=last.left))
    change.say(table, "undone", last.seat, sitting.name, person=person)


def _restore_row(row: TableRow, sitting: SeatRow, last: LastMove, now: int) -> TableRow:
    """Return the row as it was before the move."""
    before = replace(
        without_proposal(row),
        number=row.number - 1,
        mover=last.seat,
        machine=False,
        undo=None,
        undone=row.undone + 1,
    )
    return clocks.with_clock(before, sitting, last.since, now)


def close(change: TableChange, table: str) -> None:
    """Make the last move final: somebody has acted on what they saw, without a move."""
    change.db.execute(update(tables).where(tables.c.id == table).values(undo=None))
