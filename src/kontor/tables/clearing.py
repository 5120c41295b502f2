"""Deletion of old games: those of computer players after a week, those of people after the operator's time.

It runs in small portions, each in a transaction of its own, so that players do not wait for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, delete, exists, select

from kontor.storage.schema import seats, steps, tables
from kontor.tables.transactions import TableChange, TableTransactions

_DAY: Final = 24 * 3600 * 1000

MACHINES_KEPT: Final = 7
"""Days to keep a game at which no person sat, after somebody last looked while it went on."""

_AT_ONCE: Final = 10
"""Games deleted in one transaction."""


def clear(transactions: TableTransactions, until: int, keep: int | None) -> None:
    """Delete some of the games that were due for deletion at the time ``until``.

    Games of people are kept for ``keep`` days after their end, or for ever if it is None.
    """
    conditions = [_of_machines(until - min(keep or MACHINES_KEPT, MACHINES_KEPT) * _DAY)]
    if keep is not None:
        conditions.append(_ended_before(until - keep * _DAY))
    for condition in conditions:
        with transactions.reading() as db:
            table_ids = db.scalars(select(tables.c.id).where(condition).limit(_AT_ONCE)).all()
        if table_ids:
            with transactions.changing() as change:
                delete_tables(change, table_ids)


def _of_machines(before: int) -> ColumnElement[bool]:
    """Return the condition that no person sat there and nobody has looked since; such a game may never end."""
    person = exists().where(seats.c.table_id == tables.c.id, seats.c.person.is_not(None))
    return (tables.c.visited < before) & ~person


def _ended_before(before: int) -> ColumnElement[bool]:
    # ``started`` is indexed: a game that ended before had begun before.
    return (tables.c.status == "over") & (tables.c.started < before) & (tables.c.ended < before)


def delete_tables(change: TableChange, table_ids: Sequence[str]) -> None:
    """Delete tables and all rows that refer to them."""
    # A table that is locked by another change is deleted another time.
    free = select(tables.c.id).where(tables.c.id.in_(table_ids)).with_for_update(skip_locked=True)
    locked_ids = change.db.scalars(free).all()
    change.db.execute(delete(steps).where(steps.c.table_id.in_(locked_ids)))
    change.db.execute(delete(tables).where(tables.c.id.in_(locked_ids)))  # this deletes their other rows by cascade
    for table in locked_ids:
        change.touch(table)
