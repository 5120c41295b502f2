"""The chat of a table. What is said there binds nobody, and is told to all who see the table."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete, select

from kontor.table.changes import Change
from kontor.table.errors import NotAllowed
from kontor.table.opening import seats_of
from kontor.table.rows import moment, name_of_person, seat_row, table_row
from kontor.table.schema import chat
from kontor.table.texts import chat_of
from kontor.table.values import Said

MOST_KEPT: Final = 2000
"""Rows of one table; the oldest make room."""

_MOST_TOLD: Final = 500

_GREATEST: Final = 2**31 - 1
"""Number that databases are asked about."""


def say(change: Change, table: str, person: str, text: str, seat: int | None) -> int:
    """The number of what was said. Raises BadText, NotAllowed."""
    row = change.take(table)
    theirs = seats_of(change.db, table, person)
    if seat is not None and seat not in theirs:
        raise NotAllowed("", "This is not your seat.")
    if theirs:
        seat = theirs[0] if seat is None else seat
        name = seat_row(change.db, table, seat).name
    elif row.host == person:
        name = name_of_person(change.db, person)
    else:
        raise NotAllowed("", "Only those who sit at this table can talk here.")
    said = chat_of(text)
    # Before the start seats are not drawn yet: there the number would be another's later.
    number = change.say(table, "said", None if row.status == "waiting" else seat, name, said)
    change.db.execute(delete(chat).where(chat.c.table_id == table, chat.c.number <= number - MOST_KEPT))
    return number


def said(db: Connection, table: str, since: int, limit: int) -> tuple[Said, ...]:
    """The last of what was said after the row ``since``, in its order."""
    table_row(db, table)
    last_first = (
        select(chat)
        .where(chat.c.table_id == table, chat.c.number > max(0, min(since, _GREATEST)))
        .order_by(chat.c.number.desc())
        .limit(max(0, min(limit, _MOST_TOLD)))
    )
    rows = db.execute(last_first).all()
    return tuple(Said(row.number, row.kind, row.seat, row.name, row.text, moment(row.at)) for row in reversed(rows))
