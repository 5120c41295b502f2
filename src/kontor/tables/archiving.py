"""Finished games that anybody may watch are archived when they end: from then on they are found in searches.

Games with the same dice as an unfinished one are archived when the last of these ends; games of computer players
alone, which are deleted soon, never.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, func, select, update

from kontor.storage.schema import seats, tables
from kontor.tables.transactions import TableChange
from kontor.tables.values import SEALED_DICE

_SITTING: Final = seats.c.table_id == tables.c.id
_HAS_PERSON: Final = select(seats.c.seat).where(_SITTING, seats.c.person.is_not(None)).exists()
_SIZE: Final = select(func.count()).select_from(seats).where(_SITTING).scalar_subquery()
_IS_PUBLIC: Final = (tables.c.status == "over") & tables.c.watch & tables.c.dice.not_in(SEALED_DICE) & _HAS_PERSON


def archive(change: TableChange, condition: ColumnElement[bool]) -> None:
    """Archive the tables that meet a condition, as far as their games are over and anybody may see them."""
    ids = change.db.scalars(
        update(tables)
        .where(condition, _IS_PUBLIC)
        .values(archived=tables.c.ended, players=_SIZE)
        .returning(tables.c.id)
    ).all()
    ended = select(tables.c.ended).where(_SITTING).scalar_subquery()
    change.db.execute(update(seats).where(seats.c.table_id.in_(ids)).values(archived=ended))


def archive_table(change: TableChange, table: str) -> None:
    """Archive a table if its game is over and anybody may see it."""
    archive(change, tables.c.id == table)
