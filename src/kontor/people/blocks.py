"""Queries of mutes and blocks."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, exists, select

from kontor.storage.schema import blocks, chat

_SPEAKERS = select(chat.c.person).where(chat.c.table_id == bindparam("table"))
_UNHEARD = select(blocks.c.person, blocks.c.other).where(blocks.c.other.in_(_SPEAKERS))
_BLOCKERS = select(blocks.c.person).where(blocks.c.other == bindparam("other"), blocks.c.kind == "block")
_KEPT_OUT = select(blocks.c.kind).where(
    blocks.c.person == bindparam("host"), blocks.c.other == bindparam("person"), blocks.c.kind == "block"
)


def unheard(db: Connection, table: str) -> frozenset[tuple[str, str]]:
    """Return pairs (person, other): the person does not want to hear the other, who has spoken at the table."""
    return frozenset((row.person, row.other) for row in db.execute(_UNHEARD, {"table": table}))


def blockers(db: Connection, person: str) -> frozenset[str]:
    """Return the people who have blocked the person; the person can't offer them a rematch, or invite them."""
    return frozenset(db.scalars(_BLOCKERS, {"other": person}))


def blocked_persons(person: str) -> Select[str]:
    """Return a subquery of the people whom the person has blocked."""
    return select(blocks.c.other).where(blocks.c.person == person, blocks.c.kind == "block")


def does_block(person: Any, other: Any) -> ColumnElement[bool]:
    """Return the condition that the person has blocked the other; each is a column, a parameter or an id."""
    return exists().where(blocks.c.person == person, blocks.c.other == other, blocks.c.kind == "block")


def is_kept_out(db: Connection, host: str, person: str) -> bool:
    """Return True if the host of a table has blocked the person."""
    return db.execute(_KEPT_OUT, {"host": host, "person": person}).first() is not None
