"""Looks of people at tables: who sees what happens there needs no notification of it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from kontor.storage.schema import looks, people, tables

VISIBLE_FOR: Final = 90 * 1000
"""Milliseconds for which a page counts as seen after it said so; it says so every minute (kontor.js)."""


def note_look(db: Connection, table: str, person: str, values: dict[str, int]) -> None:
    """Write the person's looks at a table, unless one of the two was deleted meanwhile."""
    making = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    query = select(tables.c.id).join(people, people.c.id == person).where(tables.c.id == table)
    if db.scalar(query) is None:
        return
    row = making(looks).values(table_id=table, person=person, **values)
    db.execute(row.on_conflict_do_update(index_elements=["table_id", "person"], set_=values))
