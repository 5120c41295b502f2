"""Moves that can be taken back, and who is at a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns of undo and presence."""
    op.add_column("tables", sa.Column("undo", sa.Text))
    op.add_column("tables", sa.Column("undone", sa.Integer, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("here", sa.Boolean, nullable=False, server_default=sa.false()))
