"""The length of archived games, whether they ended early, and the seats that won, for searches."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

_PORTION: Final = 1000
"""Games whose results are in memory at a time."""

_TABLES: Final = sa.table("tables", *(sa.column(name) for name in ("id", "result", "early", "archived")))
_SEATS: Final = sa.table("seats", *(sa.column(name) for name in ("table_id", "seat", "won")))


def upgrade() -> None:
    """Add the columns, fill them in for the games of the archive, and add them to its indexes."""
    op.add_column("tables", sa.Column("length", sa.Integer))
    op.add_column("tables", sa.Column("ended_early", sa.Boolean))
    op.add_column("seats", sa.Column("won", sa.Boolean))
    op.execute("UPDATE tables SET length = number - 1, ended_early = early IS NOT NULL WHERE archived IS NOT NULL")
    op.execute("UPDATE seats SET won = FALSE WHERE archived IS NOT NULL")
    _note_winners(op.get_bind())
    for table, columns in (
        ("tables", ["archived", "id", "game", "players", "rated", "length", "ended_early"]),
        ("seats", ["person", "archived", "table_id", "won"]),
    ):
        is_archived = sa.text("archived IS NOT NULL")
        op.drop_index(f"ix_{table}_archived", table)
        op.create_index(
            f"ix_{table}_archived", table, columns, sqlite_where=is_archived, postgresql_where=is_archived
        )


def _note_winners(db: sa.Connection) -> None:
    """Set ``won`` at the seats that won archived games, some games at a time."""
    is_winner = (_SEATS.c.table_id == sa.bindparam("table")) & (_SEATS.c.seat == sa.bindparam("winner"))
    note = sa.update(_SEATS).where(is_winner).values(won=True)
    page = sa.select(_TABLES.c.id, _TABLES.c.result, _TABLES.c.early).where(_TABLES.c.archived.is_not(None))
    page, last = page.order_by(_TABLES.c.id).limit(_PORTION), ""
    while rows := db.execute(page.where(_TABLES.c.id > last)).all():
        last = rows[-1].id
        if winners := _winners((row.id, row.early or row.result) for row in rows):
            db.execute(note, winners)


def _winners(results: Iterable[tuple[str, str | None]]) -> list[dict[str, Any]]:
    return [
        {"table": table, "winner": seat}
        for table, result in results
        if result
        for seat in json.loads(result)["winners"]
    ]
