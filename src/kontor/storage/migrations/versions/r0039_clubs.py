"""Clubs: their members and tournaments, and reports of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of clubs, and add the club to reports."""
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
    op.add_column("reports", sa.Column("club", sa.String(20), nullable=False, server_default=""))
