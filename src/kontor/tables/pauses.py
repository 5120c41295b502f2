"""Pauses of games: all agree on one, anybody at the table ends it, and after thirty days it ends by itself.

Meanwhile no clock runs, nobody moves, and nobody is reminded.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from sqlalchemy import update

from kontor.errors import NotAllowed, NotNow
from kontor.storage.schema import tables
from kontor.tables import clocks, enqueuing
from kontor.tables.playing import own_seats_of, take_playing
from kontor.tables.rows import SeatRow, TableRow, seat_rows
from kontor.tables.transactions import TableChange, TableTransactions

LONGEST: Final = 30
"""Days after which a pause ends by itself, so that none holds a table open for ever."""

_DAY: Final = 24 * 3600 * 1000


def check_can_pause(row: TableRow) -> None:
    """Raise NotAllowed or NotNow where no pause can be proposed."""
    if not row.breaks:
        raise NotAllowed("", "In this tournament there are no pauses, no holidays and no extra time.")
    if row.paused:
        raise NotNow("", "The game is paused already.")


def begin(change: TableChange, row: TableRow) -> None:
    """Stop the clock of a table that was taken, until somebody ends the pause. The last move is final."""
    stopped = change.now if row.stopped is None else row.stopped
    until = change.now + LONGEST * _DAY
    clocks.write_clock(change, replace(row, deadline=None, stopped=stopped, resumes=until, paused=True))
    change.db.execute(update(tables).where(tables.c.id == row.id).values(undo=None))
    change.say(row.id, "paused", None, "")


class GamePauses:
    """Ends of pauses; their beginning is a proposal."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def end(self, table: str, person: str) -> None:
        """End the pause of a table, for a person who plays there. Raises NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row, sitting = take_playing(change, table)
            own_seats = own_seats_of(sitting, person)
            if not row.paused:
                raise NotNow("", "The game is not paused.")
            change.say(table, "resumed", own_seats[0].seat, own_seats[0].name, person=person)
            resume(change, replace(row, paused=False), sitting, person)


def wake(change: TableChange, row: TableRow) -> None:
    """Let the clock of a table that was taken go on at the end of its pause or of the mover's holiday."""
    if row.paused:
        change.say(row.id, "pause over", None, "")
    resume(change, replace(row, paused=False), seat_rows(change.db, row.id), None)


def resume(change: TableChange, row: TableRow, sitting: tuple[SeatRow, ...], person: str | None) -> None:
    """Let the clock of a table that is not paused go on, and notify the mover.

    If the mover is the person, they know it: they are only reminded before their time is over.
    """
    if row.mover is None:
        clocks.write_clock(change, replace(row, stopped=None, resumes=None))
        return
    mover = sitting[row.mover]
    row = clocks.with_clock(row, mover, change.now - clocks.time_used(row, change.now), change.now)
    clocks.write_clock(change, row)
    if mover.person != person:
        enqueuing.note_turn(change, row, mover)
    enqueuing.renew_reminder(change, row, mover)
