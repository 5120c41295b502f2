"""Clubs with their members and tournaments, reports of them, and webhooks of tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of clubs and of tables' webhooks, and add the club to reports."""
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("visible", sa.Boolean, nullable=False),
        sa.Column("invitation", sa.String(20), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "club_members",
        sa.Column("club", sa.String(20), sa.ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("handle", sa.String(20), nullable=False, unique=True),
        sa.Column("founder", sa.Boolean, nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_club_members_person", "club_members", ["person"])
    op.create_table(
        "club_tournaments",
        sa.Column("tournament", sa.String(20), sa.ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("club", sa.String(20), sa.ForeignKey("clubs.id", ondelete="SET NULL")),
        sa.Column("members_only", sa.Boolean, nullable=False),
    )
    op.create_index("ix_club_tournaments_club", "club_tournaments", ["club"])
    op.create_table(
        "table_webhooks",
        sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("address", "secret", "base", "mentions")),
        sa.Column("form", sa.String(10), nullable=False),
        sa.Column("language", sa.String(5), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("posted", sa.BigInteger),
        sa.Column("dead", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("failing", sa.BigInteger),
        sa.Column("reason", sa.String(20), nullable=False, server_default=""),
        sa.Column("detail", sa.String(80), nullable=False, server_default=""),
        sa.Column("refused", sa.BigInteger),
    )
    op.create_index("ix_table_webhooks_person", "table_webhooks", ["person"])
    op.add_column("reports", sa.Column("club", sa.String(20), nullable=False, server_default=""))
