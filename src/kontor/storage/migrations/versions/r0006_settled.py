"""A trailing clock for deletions: a clock that was wrong for a while deletes nothing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the trailing clock, set to the time of the pulse."""
    op.add_column("pulse", sa.Column("settled", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.execute("UPDATE pulse SET settled = at")
