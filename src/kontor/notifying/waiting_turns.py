"""Turns that wait for a person."""

from __future__ import annotations

import math
from typing import Final

from sqlalchemy import Connection, bindparam, select

from kontor.game import Value
from kontor.notifying.due_rows import WaitingTable
from kontor.storage.schema import seats, tables
from kontor.tables.infos import IS_KNOWN_GAME
from kontor.tables.rows import TableRow

_HOUR: Final = 60 * 60 * 1000


def waiting_table(row: TableRow, now: int) -> WaitingTable:
    """Return the table of a row, as messages tell of it."""
    return WaitingTable(row.id, row.game, _hours(row.deadline, now))


_TURNS: Final = (
    select(tables.c.id, tables.c.game, tables.c.number, tables.c.since, tables.c.deadline)
    .join(seats, (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.mover))
    .where(
        seats.c.person == bindparam("person"),
        seats.c.stood_in == "",
        tables.c.status == "playing",
        tables.c.stopped.is_(None),
        IS_KNOWN_GAME,
    )
    .order_by(tables.c.deadline.is_(None), tables.c.deadline, tables.c.since)
)


class TurnEntry(Value, frozen=True):
    """A turn that waits for a person, as in a feed."""

    table: str
    game: str
    number: int
    since: int
    deadline: int | None


def turns_of(db: Connection, person: str) -> tuple[TurnEntry, ...]:
    """Return the turns that wait for the person, most urgent first."""
    return tuple([TurnEntry(*row) for row in db.execute(_TURNS, {"person": person})])


def waiting_tables(db: Connection, person: str, now: int) -> tuple[WaitingTable, ...]:
    """Return the tables where it is the person's turn, as in a summary."""
    return tuple([WaitingTable(turn.table, turn.game, _hours(turn.deadline, now)) for turn in turns_of(db, person)])


def _hours(deadline: int | None, now: int) -> int | None:
    return None if deadline is None else math.ceil(max(0, deadline - now) / _HOUR)
