"""The numbers of reviews by seat; and which parts of their page people show to others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of reviewed seats, and add the parts of a profile."""
    op.create_table(
        "reviewed_seats",
        sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("lost", sa.Float, nullable=False),
        sa.Column("result", sa.Float, nullable=False),
        sa.Column("adjusted", sa.Float),
    )
    op.add_column(
        "profiles", sa.Column("parts", sa.String(80), nullable=False, server_default="results rating companions")
    )
