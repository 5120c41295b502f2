"""Calibration of the ratings of each game, without any person's data."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of calibrations; the next night fills it."""
    op.create_table(
        "calibrations",
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
    )
