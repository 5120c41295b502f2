"""Whom people follow and challenge, and whether they want to be told of that."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of follows and challenges, and add columns for their notifications."""
    person = sa.ForeignKey("people.id", ondelete="CASCADE")
    op.create_table(
        "follows",
        sa.Column("person", sa.String(20), person, primary_key=True),
        sa.Column("other", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("notified", sa.BigInteger),
    )
    op.create_index("ix_follows_other", "follows", ["other"])
    op.create_table(
        "person_challenges",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id", ondelete="SET NULL"), unique=True),
        sa.Column("challenger", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("challenged", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("counters", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("declined", sa.BigInteger),
    )
    for column in ("challenger", "challenged", "at"):
        op.create_index(f"ix_person_challenges_{column}", "person_challenges", [column])
    for column in ("followed", "challenged"):
        switch = sa.Column(column, sa.Boolean, nullable=False, server_default=sa.true())
        op.add_column("notification_settings", switch)
    op.add_column("outbox", sa.Column("about", sa.String(20)))
