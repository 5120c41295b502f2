"""Who does not hear whom, and who is kept out of whose tables."""

from __future__ import annotations

from sqlalchemy import Connection, Select, bindparam, select

from kontor.table.schema import blocks, chat

_SPEAKERS = select(chat.c.person).where(chat.c.table_id == bindparam("table"))
_UNHEARD = select(blocks.c.person, blocks.c.other).where(blocks.c.other.in_(_SPEAKERS))
_BLOCKERS = select(blocks.c.person).where(blocks.c.other == bindparam("other"), blocks.c.kind == "block")
_KEPT_OUT = select(blocks.c.kind).where(
    blocks.c.person == bindparam("host"), blocks.c.other == bindparam("person"), blocks.c.kind == "block"
)


def unheard(db: Connection, table: str) -> frozenset[tuple[str, str]]:
    """Who does not want to hear whom of those who have said something at the table."""
    return frozenset((row.person, row.other) for row in db.execute(_UNHEARD, {"table": table}))


def blockers(db: Connection, person: str) -> frozenset[str]:
    """Who has blocked the person: whom they offer no rematch, and invite to nothing."""
    return frozenset(db.scalars(_BLOCKERS, {"other": person}))


def blocked_persons(person: str) -> Select[str]:
    """Whom the person has blocked, as a part of a larger question."""
    return select(blocks.c.other).where(blocks.c.person == person, blocks.c.kind == "block")


def is_kept_out(db: Connection, host: str, person: str) -> bool:
    """Whether the host of a table has blocked the person."""
    return db.execute(_KEPT_OUT, {"host": host, "person": person}).first() is not None
