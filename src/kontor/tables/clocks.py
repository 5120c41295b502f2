"""Time limits. No rule of a game depends on them: they only say when others may let a computer player stand in.

The mover's clock runs from ``since``, when the last line was written. It stands still from ``stopped`` on in a pause
and on the mover's holiday; when it goes on, ``since`` moves along, so that no time is lost or gained.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, update

from kontor.errors import BadPlan
from kontor.storage.schema import seats, tables
from kontor.tables.given_ahead import drop_given_of_seat
from kontor.tables.rows import SeatRow, TableRow, is_machine
from kontor.tables.transactions import TableChange
from kontor.tables.values import Pace
from kontor.tables.visits import note_seating

_SECOND: Final = 1000
_HOUR: Final = 3600

_LIMITS: Final = {"live": (5, _HOUR, 4 * _HOUR), "slow": (_HOUR, 60 * 24 * _HOUR, 0), "none": (0, 0, 0)}
"""By kind of pace: the fewest and the most seconds for a move, and the most in reserve."""

_GIFTS: Final = {"live": 60, "slow": 24 * _HOUR, "none": 0}
"""Seconds that one gives to another at once, by kind of pace."""

MOST_GIFTS: Final = 10
"""The most times that a seat can be given more time in a game."""


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


def time_used(row: TableRow, now: int) -> int:
    """Return for how many milliseconds the clock of the present turn has run."""
    assert row.since is not None
    return max(0, (now if row.stopped is None else row.stopped) - row.since)


def is_on_holiday(row: TableRow, sitting: SeatRow, now: int) -> bool:
    """Return True if the person's holiday stops their clock: not at live tables, nor where there are no breaks."""
    on_holiday = sitting.holiday is not None and sitting.holiday > now
    return on_holiday and row.breaks and row.pace != "live" and not is_machine(sitting)


def with_clock(row: TableRow, sitting: SeatRow, since: int, now: int) -> TableRow:
    """Return the row with the clock of the mover, whose turn began at ``since``: it runs, or stands still.

    A holiday does not stop a clock that has run out: the others need not wait.
    """
    if row.paused:
        return replace(row, since=since, deadline=None, stopped=now)
    until = deadline(row, sitting, since)
    is_over = until is not None and until < now
    if is_on_holiday(row, sitting, now) and not is_over:
        return replace(row, since=since, deadline=None, stopped=now, resumes=sitting.holiday)
    return replace(row, since=since, deadline=until, stopped=None, resumes=None)


def write_clock(change: TableChange, row: TableRow) -> None:
    """Write the clock of a table that was taken."""
    values = {name: getattr(row, name) for name in ("since", "deadline", "stopped", "resumes", "paused", "machine")}
    change.db.execute(update(tables).where(tables.c.id == row.id).values(**values))
    change.touch(row.id)


def with_time_spent(row: TableRow, sitting: SeatRow, now: int) -> SeatRow:
    """Return the seat after its move, its reserve reduced by the time beyond the seconds of a move."""
    over = time_used(row, now) - row.seconds * _SECOND
    if row.pace == "none" or over <= 0 or is_machine(sitting):
        return sitting
    return replace(sitting, left=max(0, sitting.left - over))


def write_reserve(db: Connection, sitting: SeatRow) -> None:
    """Write the reserve of a seat."""
    db.execute(update(seats).where(_seat(sitting.table_id, sitting.seat)).values(left=sitting.left))


def late_seat(row: TableRow, now: int) -> int | None:
    """Return the seat whose time is over, if any."""
    mover: int | None = row.mover
    return mover if row.deadline is not None and row.deadline < now else None


# ------------------------------------------------------------------------------------------------------- more time


def gift(row: TableRow, sitting: SeatRow) -> int:
    """Return how many seconds others can give to a seat at once; 0 if they can give none."""
    may_get = row.status == "playing" and row.breaks and not is_machine(sitting) and sitting.given < MOST_GIFTS
    return _GIFTS[row.pace] if may_get and sitting.person is not None else 0


def with_gift(row: TableRow, sitting: SeatRow, now: int) -> SeatRow:
    """Return the seat with more time in reserve; a person who is late already has all of it from now on."""
    late_by = 0
    if row.mover == sitting.seat:
        late_by = max(0, time_used(row, now) - row.seconds * _SECOND - sitting.left)
    return replace(sitting, left=sitting.left + late_by + _GIFTS[row.pace] * _SECOND, given=sitting.given + 1)


# ----------------------------------------------------------------------------------------------------- standing in


def take_over(change: TableChange, row: TableRow, sitting: SeatRow) -> None:
    """Let a computer player of the agreed level move for the seat, at once if it is its turn."""
    change.db.execute(update(seats).where(_seat(row.id, sitting.seat)).values(stood_in=row.takeover))
    note_seating(change, row.id)
    drop_given_of_seat(change.db, row.id, sitting.seat)
    if row.mover == sitting.seat:
        played = replace(sitting, stood_in=row.takeover)
        write_clock(change, with_clock(replace(row, machine=True), played, change.now, change.now))


def _seat(table: str, seat: int) -> ColumnElement[bool]:
    return (seats.c.table_id == table) & (seats.c.seat == seat)
