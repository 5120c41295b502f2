"""A counter by which each of several processes sees that another has ended sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the counter of ended sessions."""
    op.add_column("pulse", sa.Column("endings", sa.Integer, nullable=False, server_default=sa.text("0")))
