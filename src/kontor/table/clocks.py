"""Time limits. No rule of a game depends on them: they only say when others may let a machine player sit in.

The mover's clock runs from ``since``, when the last line was written. A clock that is put back harms nobody, nor does
time in which the program did not run: both move ``since`` and ``deadline`` along.

What has run out is deleted by a clock that trails the machine's: no jump takes it along, and after days in which the
program did not run it catches up. So a clock that is wrong for a while deletes nothing that is still good.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Select, select, update

from kontor.table.changes import Change
from kontor.table.errors import BadPlan, NotAllowed, NotNow
from kontor.table.rows import SeatRow, TableRow, is_machine, seat_row, seat_rows
from kontor.table.schema import pulse, seats, tables
from kontor.table.values import Pace

_SECOND: Final = 1000
_HOUR: Final = 3600

HEARTBEAT_INTERVAL: Final = 10 * _SECOND
"""How often the program says that it runs, in milliseconds."""

DEADLINE_CHECK_INTERVAL: Final = _SECOND
"""How often to look for those who are late. It is to look at all tables in play."""

_MISSED: Final = 3 * HEARTBEAT_INTERVAL
"""A longer silence than this means that it did not run, or that the clock was put forward."""

_CATCHING_UP: Final = 4
"""So many times as fast as the program runs, the clock that trails goes on until it has the machine's time."""

_GRACE: Final = 24 * _HOUR * _SECOND
"""For which what has run out is kept. With the above: a clock that is wrong for eight hours deletes nothing good."""

_LIMITS: Final = {"live": (5, _HOUR, 4 * _HOUR), "slow": (_HOUR, 60 * 24 * _HOUR, 0), "none": (0, 0, 0)}
"""The fewest and most seconds a move, and the most in reserve."""


def check_pace(pace: Pace) -> None:
    """Raises BadPlan for a pace that no table can have."""
    fewest, most, reserve = _LIMITS[pace.kind]
    if not fewest <= pace.seconds <= most:
        reason = "A move can be given {fewest} to {most} seconds at this pace, not {seconds}."
        raise BadPlan("", reason, fewest=fewest, most=most, seconds=pace.seconds)
    if not 0 <= pace.reserve <= reserve:
        reason = "At this pace the reserve can have 0 to {most} seconds, not {seconds}."
        raise BadPlan("", reason, most=reserve, seconds=pace.reserve)


def deadline(row: TableRow, sitting: SeatRow, since: int) -> int | None:
    """When the seat will be late whose turn begins now. Machine players never are."""
    if row.pace == "none" or is_machine(sitting):
        return None
    until: int = since + row.seconds * _SECOND + sitting.left
    return until


def spent(row: TableRow, sitting: SeatRow, now: int) -> SeatRow:
    """The seat that has moved: what it took beyond the seconds of a move is taken from its reserve."""
    assert row.since is not None
    over = now - row.since - row.seconds * _SECOND
    if row.pace != "live" or over <= 0 or is_machine(sitting):
        return sitting
    return replace(sitting, left=max(0, sitting.left - over))


def note_left(db: Connection, sitting: SeatRow) -> None:
    """Writes what a seat has in reserve."""
    db.execute(update(seats).where(_seat(sitting.table_id, sitting.seat)).values(left=sitting.left))


def late(row: TableRow, now: int) -> int | None:
    """The seat whose time is over, if any."""
    mover: int | None = row.mover
    return mover if row.deadline is not None and row.deadline < now else None


# ----------------------------------------------------------------------------------------------------- standing in


def ask_stand_in(change: Change, table: str, seat: int, person: str) -> None:
    """Somebody else at the table wants a machine player to go on in the place of a late one."""
    row = change.take(table)
    sitting = seat_row(change.db, table, seat)
    if person not in {other.person for other in seat_rows(change.db, table)} - {sitting.person}:
        raise NotAllowed("", "Only the others at the table can ask for a machine player to sit in.")
    if row.stand_in == "never":
        raise NotAllowed("", "At this table no machine player sits in for anybody.")
    if late(row, change.now) != seat:
        raise NotNow("", "{name} is not late.", name=sitting.name)
    stand_in(change, row, sitting)


def stand_in(change: Change, row: TableRow, sitting: SeatRow) -> None:
    """From now on a machine player moves for the seat, until the person comes back."""
    take_over(change, row, sitting)
    change.say(row.id, "stood in", sitting.seat, sitting.name)


def take_over(change: Change, row: TableRow, sitting: SeatRow) -> None:
    """A machine player of the level that was agreed on moves for the seat; at once, if it is its turn."""
    change.db.execute(update(seats).where(_seat(row.id, sitting.seat)).values(stood_in=row.takeover))
    if row.mover == sitting.seat:
        change.db.execute(
            update(tables).where(tables.c.id == row.id).values(machine=True, since=change.now, deadline=None)
        )


def come_back(change: Change, table: str, seat: int, person: str) -> None:
    """The person moves again; if it is their turn, their time begins anew."""
    row = change.take(table)
    sitting = seat_row(change.db, table, seat)
    if sitting.person != person:
        raise NotAllowed("", "This is not your seat.")
    if sitting.resigned:
        raise NotAllowed("", "You have resigned: the machine player keeps your seat.")
    if not sitting.stood_in:
        return
    change.db.execute(update(seats).where(_seat(table, seat)).values(stood_in=""))
    if row.mover == seat:
        until = deadline(row, seat_row(change.db, table, seat), change.now)
        change.db.execute(
            update(tables).where(tables.c.id == table).values(machine=False, since=change.now, deadline=until)
        )
    change.say(table, "came back", seat, sitting.name)


# ----------------------------------------------------------------------------------------------- what time brings


def overdue(db: Connection, now: int) -> bool:
    """Whether :func:`apply_deadlines` has anything to do."""
    return (
        db.execute(select(tables.c.id).where(_PLAYING, _put_back(now) | _at_once(now)).limit(1)).first() is not None
    )


def apply_deadlines(change: Change, now: int) -> None:
    """Where the clock was put back, the present move counts from now. Where the late are to be stood in for at once,
    they are. ``now`` is the time at which the program was known to run: were the clock put forward since, everybody
    would be late."""
    change.db.execute(
        update(tables)
        .where(tables.c.id.in_(_free(_put_back(now))))
        .values(since=now, deadline=tables.c.deadline - (tables.c.since - now), changes=_CHANGED)
    )
    for table in change.db.scalars(_free(_at_once(now))).all():
        row = change.take(table)
        assert row.mover is not None
        stand_in(change, row, seat_row(change.db, table, row.mover))


def record_heartbeat(change: Change) -> int:
    """The program runs. If it did not for a while, that while is nobody's time. Returns the time until when what has
    run out is to be forgotten."""
    before, settled = change.db.execute(select(pulse.c.at, pulse.c.settled).with_for_update()).one()
    now = change.now
    if now - before > _MISSED:
        _move_on(change, before, now)
    settled = _settled(settled, before, now)
    change.db.execute(update(pulse).values(at=now, settled=settled))
    return settled - _GRACE


def _settled(settled: int, before: int, now: int) -> int:
    """The clock that trails, at the pulse after the one of ``before``. A new server has none yet."""
    ran = now - before if 0 <= now - before <= _MISSED else 0
    return min(now, settled + _CATCHING_UP * ran) if settled else now


def _move_on(change: Change, before: int, now: int) -> None:
    """Moves all running clocks on by what they would have run since ``before``."""
    missed = now - before
    began = tables.c.since
    change.db.execute(
        update(tables)
        .where(_PLAYING, began > before)
        .values(since=now, deadline=tables.c.deadline + (now - began), changes=_CHANGED)
    )
    change.db.execute(
        update(tables)
        .where(_PLAYING, began <= before)
        .values(since=began + missed, deadline=tables.c.deadline + missed, changes=_CHANGED)
    )


_PLAYING: Final = tables.c.status == "playing"
_CHANGED: Final = tables.c.changes + 1
"""As by ``Change.take``."""


def _free(which: ColumnElement[bool]) -> Select[str]:
    """Those of the tables in play that nobody is changing at this moment, kept from others. The rest can wait: two
    that wait for each other's tables would wait for ever."""
    return select(tables.c.id).where(_PLAYING, which).with_for_update(key_share=True, skip_locked=True)


def _put_back(now: int) -> ColumnElement[bool]:
    return tables.c.since > now


def _at_once(now: int) -> ColumnElement[bool]:
    return (tables.c.deadline < now) & (tables.c.stand_in == "at once")


def _seat(table: str, seat: int) -> ColumnElement[bool]:
    return (seats.c.table_id == table) & (seats.c.seat == seat)
