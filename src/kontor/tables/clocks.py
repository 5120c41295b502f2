"""Time limits. No rule of a game depends on them: they only say when others may let a computer player stand in.

The mover's clock runs from ``since``, when the last line was written.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, update

from kontor.errors import BadPlan, NotAllowed, NotNow
from kontor.storage.schema import seats, tables
from kontor.tables.enqueuing import note_stand_in
from kontor.tables.rows import SeatRow, TableRow, is_machine, seat_row, seat_rows
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import Pace
from kontor.tables.visits import note_seating

_SECOND: Final = 1000
_HOUR: Final = 3600

_LIMITS: Final = {"live": (5, _HOUR, 4 * _HOUR), "slow": (_HOUR, 60 * 24 * _HOUR, 0), "none": (0, 0, 0)}
"""By kind of pace: the fewest and the most seconds for a move, and the most in reserve."""


def check_pace(pace: Pace) -> None:
    """Raise BadPlan for a pace that no table can have."""
    fewest, most, reserve = _LIMITS[pace.kind]
    if not fewest <= pace.seconds <= most:
        reason = "At this pace a move can take {fewest} to {most} seconds, not {seconds}."
        raise BadPlan("", reason, fewest=fewest, most=most, seconds=pace.seconds)
    if not 0 <= pace.reserve <= reserve:
        reason = "At this pace the reserve can be 0 to {most} seconds, not {seconds}."
        raise BadPlan("", reason, most=reserve, seconds=pace.reserve)


def deadline(row: TableRow, sitting: SeatRow, since: int) -> int | None:
    """Return when a seat will be late whose turn begins at ``since``; None if it never will be.

    Computer players never are late.
    """
    if row.pace == "none" or is_machine(sitting):
        return None
    until: int = since + row.seconds * _SECOND + sitting.left
    return until


def with_time_spent(row: TableRow, sitting: SeatRow, now: int) -> SeatRow:
    """Return the seat after its move, its reserve reduced by the time beyond the seconds of a move."""
    assert row.since is not None
    over = now - row.since - row.seconds * _SECOND
    if row.pace != "live" or over <= 0 or is_machine(sitting):
        return sitting
    return replace(sitting, left=max(0, sitting.left - over))


def write_reserve(db: Connection, sitting: SeatRow) -> None:
    """Write the reserve of a seat."""
    db.execute(update(seats).where(_seat(sitting.table_id, sitting.seat)).values(left=sitting.left))


def late_seat(row: TableRow, now: int) -> int | None:
    """Return the seat whose time is over, if any."""
    mover: int | None = row.mover
    return mover if row.deadline is not None and row.deadline < now else None


# ----------------------------------------------------------------------------------------------------- standing in


class Clocks:
    """Computer players that stand in for people who are late."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def stand_in(self, table: str, seat: int, person: str) -> None:
        """Let a computer player go on for a late seat, for another person at the table. Raises NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row = change.take(table)
            sitting = seat_row(change.db, table, seat)
            if person not in {other.person for other in seat_rows(change.db, table)} - {sitting.person}:
                raise NotAllowed("", "Only the others at the table can bring in a computer player.")
            if row.stand_in == "never":
                raise NotAllowed("", "At this table no computer player stands in.")
            if late_seat(row, change.now) != seat:
                raise NotNow("", "{name} still has time.", name=sitting.name)
            stand_in(change, row, sitting)

    def come_back(self, table: str, seat: int, person: str) -> None:
        """Let the person at the seat move again. Raises NotAllowed, NotNow.

        If other tables wait for this one, the computer player first makes the late move. So a person can't keep them
        waiting by coming back each time.
        """
        with self._transactions.changing() as change:
            row = change.take(table)
            sitting = seat_row(change.db, table, seat)
            if sitting.person != person:
                raise NotAllowed("", "This is not your seat.")
            if sitting.resigned:
                raise NotAllowed("", "You have resigned: the computer player keeps your seat.")
            if not sitting.stood_in:
                return
            if row.dice == "in step" and row.mover == seat:
                raise NotNow("", "The computer player is just moving for you: come back after that.")
            change.db.execute(update(seats).where(_seat(table, seat)).values(stood_in=""))
            note_seating(change, table)
            if row.mover == seat:
                until = deadline(row, seat_row(change.db, table, seat), change.now)
                change.db.execute(
                    update(tables).where(tables.c.id == table).values(machine=False, since=change.now, deadline=until)
                )
            change.say(table, "came back", seat, sitting.name, person=person)


def stand_in(change: TableChange, row: TableRow, sitting: SeatRow) -> None:
    """Let a computer player move for the seat until the person comes back."""
    take_over(change, row, sitting)
    change.say(row.id, "stood in", sitting.seat, sitting.name, person=sitting.person)
    note_stand_in(change, row, sitting.person)


def take_over(change: TableChange, row: TableRow, sitting: SeatRow) -> None:
    """Let a computer player of the agreed level move for the seat, at once if it is its turn."""
    change.db.execute(update(seats).where(_seat(row.id, sitting.seat)).values(stood_in=row.takeover))
    note_seating(change, row.id)
    if row.mover == sitting.seat:
        change.db.execute(
            update(tables).where(tables.c.id == row.id).values(machine=True, since=change.now, deadline=None)
        )


def _seat(table: str, seat: int) -> ColumnElement[bool]:
    return (seats.c.table_id == table) & (seats.c.seat == seat)
