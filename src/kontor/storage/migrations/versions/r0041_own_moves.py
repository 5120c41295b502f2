"""Choices of people about their own moves: where they confirm each, and whether the only one is played for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns of both choices, which are off."""
    op.add_column("people", sa.Column("confirms", sa.String(20), nullable=False, server_default=""))
    op.add_column("people", sa.Column("only_move", sa.Boolean, nullable=False, server_default=sa.false()))
