"""Moves that are taken back because all agree."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns of proposals to take back moves, and of the dice afterwards."""
    op.add_column("tables", sa.Column("undo_to", sa.Integer))
    op.add_column("tables", sa.Column("streams", sa.Text))
