"""Holidays of people at their tables: they stop the person's clock, except at live tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, func, select, update

from kontor.errors import NoTable
from kontor.storage.schema import holidays, seats, tables
from kontor.storage.stored_times import datetime_of
from kontor.tables import clocks, pauses
from kontor.tables.rows import TableRow, seat_rows
from kontor.tables.transactions import TableChange

_UNTIL: Final = (
    select(func.max(holidays.c.ends))
    .where(
        holidays.c.person == seats.c.person,
        holidays.c.begins <= bindparam("now"),
        holidays.c.ends > bindparam("now"),
    )
    .scalar_subquery()
)

_NOTE: Final = update(seats).where(seats.c.table_id == bindparam("table")).values(holiday=_UNTIL)

_THEIRS: Final = (
    select(tables.c.id)
    .where(
        tables.c.id.in_(select(seats.c.table_id).where(seats.c.person == bindparam("person"))),
        tables.c.status.in_(("waiting", "playing")),
        tables.c.pace != "live",
        tables.c.breaks,
    )
    .order_by(tables.c.id)
)
"""Their tables at which holidays count, in the order in which all transactions take them.

Those that wait are among them, because their game may begin in a transaction that has not ended: so one waits for it.
"""


def note_holidays(db: Connection, row: TableRow, now: int) -> None:
    """Write to the seats of a table, whose game begins, until when their people are on holiday."""
    if row.breaks and row.pace != "live":
        db.execute(_NOTE, {"table": row.id, "now": now})


def begin_holiday(change: TableChange, person: str, until: int) -> None:
    """Stop the person's clocks at all their tables, and announce it where it is not known yet."""
    day = datetime_of(until - 1).date().isoformat()
    for row in _their_tables(change, person):
        before = seat_rows(change.db, row.id)
        if all(seat.holiday == until for seat in before if seat.person == person):
            continue
        _write_holiday(change, row, person, until)
        sitting = seat_rows(change.db, row.id)
        own_seats = [seat for seat in sitting if seat.person == person and not seat.resigned]
        if own_seats:
            change.say(row.id, "holiday", own_seats[0].seat, own_seats[0].name, day, person=person)
        if row.mover is None or row.paused or sitting[row.mover] not in own_seats:
            continue
        since = change.now - clocks.time_used(row, change.now)
        clocks.write_clock(change, clocks.with_clock(row, sitting[row.mover], since, change.now))


def end_holiday(change: TableChange, person: str) -> None:
    """Let the person's clocks go on at all their tables, and announce it there."""
    for row in _their_tables(change, person):
        before = seat_rows(change.db, row.id)
        own_seats = [seat for seat in before if seat.person == person and not seat.resigned]
        _write_holiday(change, row, person, None)
        if own_seats:
            change.say(row.id, "is back", own_seats[0].seat, own_seats[0].name, person=person)
        if row.mover is not None and row.stopped is not None and not row.paused and before[row.mover] in own_seats:
            sitting = tuple([replace(seat, holiday=None) if seat in own_seats else seat for seat in before])
            pauses.resume(change, row, sitting, None)


def _their_tables(change: TableChange, person: str) -> Iterator[TableRow]:
    for table in change.db.scalars(_THEIRS, {"person": person}).all():
        try:
            row = change.take(table)
        except NoTable:  # one that waited has been closed meanwhile
            continue
        if row.status == "playing":
            yield row


def _write_holiday(change: TableChange, row: TableRow, person: str, until: int | None) -> None:
    own_seats = (seats.c.table_id == row.id) & (seats.c.person == person)
    change.db.execute(update(seats).where(own_seats).values(holiday=until))
