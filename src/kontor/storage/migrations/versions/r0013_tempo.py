"""Tempo of computer players at a table; at existing ones they move briskly, as before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tempo of tables."""
    op.add_column("tables", sa.Column("tempo", sa.String(10), nullable=False, server_default="brisk"))
