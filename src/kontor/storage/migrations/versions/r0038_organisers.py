"""Tournaments with descriptions, waiting lists, talk, pairings by hand and corrected results; and seasons.

In tournaments that were opened before, computer players still finish the games of people who leave.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns of what organisers choose and change, and the tables of their log, of talk and of seasons."""
    op.add_column("tournaments", sa.Column("description", sa.Text, nullable=False, server_default=""))
    op.add_column("tournaments", sa.Column("most", sa.Integer))
    op.add_column("tournaments", sa.Column("leavers", sa.String(10), nullable=False, server_default="computer"))
    op.add_column("tournaments", sa.Column("approval", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tournaments", sa.Column("proposal", sa.Text))
    op.add_column("entrants", sa.Column("waiting", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("pairings", sa.Column("corrected", sa.Boolean, nullable=False, server_default=sa.false()))
    in_tournament = sa.ForeignKey("tournaments.id", ondelete="CASCADE")
    person = sa.ForeignKey("people.id", ondelete="SET NULL")
    op.create_table(
        "tournament_log",
        sa.Column("tournament", sa.String(20), in_tournament, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("person", sa.String(20), person),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_index("ix_tournament_log_person", "tournament_log", ["person"])
    of_tournament = sa.ForeignKey("tournaments.id", ondelete="CASCADE")
    author = sa.ForeignKey("people.id", ondelete="CASCADE")
    op.create_table(
        "tournament_talk",
        sa.Column("tournament", sa.String(20), of_tournament, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(20), author, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_tournament_talk_person", "tournament_talk", ["person"])
    host = sa.ForeignKey("people.id", ondelete="SET NULL")
    op.create_table(
        "seasons",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("host", sa.String(20), host),
        sa.Column("points", sa.Text, nullable=False),
        sa.Column("best", sa.Integer),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_seasons_host", "seasons", ["host"])
    in_season = sa.ForeignKey("seasons.id", ondelete="CASCADE")
    in_tournaments = sa.ForeignKey("tournaments.id", ondelete="CASCADE")
    op.create_table(
        "season_tournaments",
        sa.Column("tournament", sa.String(20), in_tournaments, primary_key=True),
        sa.Column("season", sa.String(20), in_season, nullable=False),
    )
    op.create_index("ix_season_tournaments_season", "season_tournaments", ["season"])
