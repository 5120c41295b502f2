"""Mark of duplicate tournaments played in step: those opened from now on. The others continue as they began."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add whether a tournament is played in step."""
    op.add_column("tournaments", sa.Column("in_step", sa.Boolean, nullable=False, server_default=sa.false()))
