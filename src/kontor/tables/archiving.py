"""Finished games that anybody may watch are archived when they end: from then on they are found in searches.

Games with the same dice as an unfinished one are archived when the last of these ends; games of computer players
alone, which are deleted soon, never.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, select, update

from kontor.endings import EarlyEnd
from kontor.game import Result
from kontor.storage.schema import seats, tables
from kontor.tables.game_states import FIRST
from kontor.tables.transactions import TableChange
from kontor.tables.values import SEALED_DICE

_SITTING: Final = seats.c.table_id == tables.c.id
_HAS_PERSON: Final = select(seats.c.seat).where(_SITTING, seats.c.person.is_not(None)).exists()
_SIZE: Final = select(func.count()).select_from(seats).where(_SITTING).scalar_subquery()
_HAS_WON: Final = (
    update(seats).where(seats.c.table_id == bindparam("table"), seats.c.seat == bindparam("winner")).values(won=True)
)
_IS_PUBLIC: Final = (tables.c.status == "over") & tables.c.watch & tables.c.dice.not_in(SEALED_DICE) & _HAS_PERSON


def archive(change: TableChange, condition: ColumnElement[bool]) -> None:
    """Archive the tables that meet a condition, as far as their games are over and anybody may see them."""
    rows = change.db.execute(
        update(tables)
        .where(condition, _IS_PUBLIC)
        .values(
            archived=tables.c.ended,
            players=_SIZE,
            length=tables.c.number - FIRST,
            ended_early=tables.c.early.is_not(None),
        )
        .returning(tables.c.id, tables.c.result, tables.c.early)
    ).all()
    ended = select(tables.c.ended).where(_SITTING).scalar_subquery()
    is_archived = seats.c.table_id.in_([row.id for row in rows])
    change.db.execute(update(seats).where(is_archived).values(archived=ended, won=False))
    winners = [{"table": row.id, "winner": seat} for row in rows for seat in _winning_seats(row.result, row.early)]
    if winners:
        change.db.execute(_HAS_WON, winners)


def _winning_seats(result: str | None, early: str | None) -> tuple[int, ...]:
    """Return the seats that won a game that is over; none if it has no result."""
    if early is not None:
        return msgspec.json.decode(early, type=EarlyEnd).winners
    return msgspec.json.decode(result, type=Result).winners if result is not None else ()


def archive_table(change: TableChange, table: str) -> None:
    """Archive a table if its game is over and anybody may see it."""
    archive(change, tables.c.id == table)
