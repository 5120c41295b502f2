"""Moves that people give before it is their turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of moves given ahead."""
    op.create_table(
        "moves_ahead",
        sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("checked", sa.Integer),
        sa.Column("missed", sa.Boolean, nullable=False),
    )
    op.create_index("ix_moves_ahead_person", "moves_ahead", ["person"])
