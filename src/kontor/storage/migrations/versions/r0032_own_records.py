"""The records that people have brought, and the reviews of these."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of records and of their reviews."""
    person = sa.ForeignKey("people.id", ondelete="CASCADE")
    op.create_table(
        "own_records",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("person", sa.String(20), person, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Column("added", sa.BigInteger, nullable=False),
        sa.Column("link", sa.String(20), unique=True),
    )
    op.create_index("ix_own_records_person", "own_records", ["person"])
    op.create_table(
        "record_reviews",
        sa.Column("record", sa.String(20), sa.ForeignKey("own_records.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("parts", sa.Integer, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False),
        sa.Column("found", sa.LargeBinary),
        sa.Column("person", sa.String(20)),
    )
    op.create_index("ix_record_reviews_person", "record_reviews", ["person"])
