"""The puzzles that people have solved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of solved puzzles."""
    op.create_table(
        "solved",
        sa.Column("person", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("progress", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop the table again."""
    op.drop_table("solved")
