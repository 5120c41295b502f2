"""An archive of the finished games that anybody may watch, found by their end, game, players and people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what finished games are found by, and fill it in for the games that are over."""
    op.add_column("tables", sa.Column("archived", sa.BigInteger))
    op.add_column("tables", sa.Column("players", sa.Integer))
    op.add_column("tables", sa.Column("rated", sa.Boolean))
    op.add_column("seats", sa.Column("archived", sa.BigInteger))
    op.execute(
        "UPDATE tables SET archived = ended, players = (SELECT count(*) FROM seats WHERE table_id = tables.id) "
        "WHERE status = 'over' AND watch AND dice NOT IN ('sealed', 'in step') "
        "AND EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND person IS NOT NULL)"
    )
    op.execute(
        "UPDATE seats SET archived = (SELECT archived FROM tables WHERE id = seats.table_id) "
        "WHERE table_id IN (SELECT id FROM tables WHERE archived IS NOT NULL)"
    )
    for table, columns in (
        ("tables", ["archived", "id", "game", "players", "rated"]),
        ("seats", ["person", "archived", "table_id"]),
    ):
        is_archived = sa.text("archived IS NOT NULL")
        op.create_index(
            f"ix_{table}_archived", table, columns, sqlite_where=is_archived, postgresql_where=is_archived
        )
