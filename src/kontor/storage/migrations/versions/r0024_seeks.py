"""People who look for a game at once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of seeks."""
    op.create_table(
        "seeks",
        sa.Column("person", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("id", sa.String(20), nullable=False, unique=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("pace", sa.String(10), nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("reserve", sa.Integer, nullable=False),
        sa.Column("near", sa.Boolean, nullable=False),
        sa.Column("fewest", sa.Integer, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("salt", sa.String(60), nullable=False),
        sa.Column("origin", sa.Integer, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("offer", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id", ondelete="CASCADE")),
    )
    op.create_index("ix_seeks_seen", "seeks", ["seen"])
    op.create_index("ix_seeks_table_id", "seeks", ["table_id"])


def downgrade() -> None:
    """Drop the table again."""
    op.drop_table("seeks")
