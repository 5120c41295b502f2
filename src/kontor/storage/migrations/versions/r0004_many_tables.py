"""Support for many tables at once, and long games.

A snapshot of each table leads to its present state quickly, however long its log is. Queries for a few of many tables
use an index.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the snapshots; add indices, and the column by which computer players' turns are found."""
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.String(20), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_snapshots"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_snapshots_table_id", ondelete="CASCADE"),
    )
    op.add_column("tables", sa.Column("machine", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(
        "UPDATE tables SET machine = (1 = 1) WHERE status = 'playing' AND EXISTS (SELECT 1 FROM seats "
        "WHERE table_id = tables.id AND seat = mover AND (player <> '' OR stood_in <> ''))"
    )
    op.create_index("ix_tables_machine", "tables", ["machine"])
    op.create_index("ix_tables_status_started", "tables", ["status", "started"])
    op.create_index("ix_seats_reserved", "seats", ["reserved"])
