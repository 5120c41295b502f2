"""Moves that are taken back because all agree, and private notes about tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns of proposals to take back moves and of the dice afterwards, and the table of notes."""
    op.add_column("tables", sa.Column("undo_to", sa.Integer))
    op.add_column("tables", sa.Column("streams", sa.Text))
    op.create_table(
        "notes",
        sa.Column("person", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_notes_table_id", "notes", ["table_id"])
