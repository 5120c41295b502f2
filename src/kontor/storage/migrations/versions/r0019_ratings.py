"""Ratings of people, their history, and what people show of them to others."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0021"
branch_labels = None
depends_on = None

_ID = sa.String(20)


def _person(**more: Any) -> sa.Column[str]:
    return sa.Column("person", _ID, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, **more)


def upgrade() -> None:
    """Create the tables of profiles and ratings."""
    op.add_column("pulse", sa.Column("rated", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.create_table(
        "profiles",
        _person(),
        sa.Column("handle", _ID, nullable=False, unique=True),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("game", sa.String(40), primary_key=True),
        _person(index=True),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("played", sa.BigInteger, nullable=False),
        sa.Column("fitted", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_ratings_game_points", "ratings", ["game", "points"])
    op.create_table(
        "rating_days",
        _person(),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
    )
