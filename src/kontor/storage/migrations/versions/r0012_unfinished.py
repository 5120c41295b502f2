"""An index to count the unfinished games from one network when another is opened."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_tables_origin_status", "tables", ["origin", "status"])
