"""Strict dice: each seat's commitment before any salt is told, and who agrees to begin without the missing ones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns to the seats."""
    op.add_column("seats", sa.Column("salt_commitment", sa.String(64), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("begins_without", sa.Boolean, nullable=False, server_default=sa.false()))
