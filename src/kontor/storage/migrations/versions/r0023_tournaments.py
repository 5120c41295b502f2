"""Tournaments, their entrants, and their pairings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_ID = sa.String(20)


def upgrade() -> None:
    """Create the tables of tournaments."""
    op.create_table(
        "tournaments",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("system", sa.String(10), nullable=False),
        sa.Column("duplicate", sa.Boolean, nullable=False),
        sa.Column("sizes", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("pace", sa.String(10), nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("reserve", sa.Integer, nullable=False),
        sa.Column("takeover", sa.String(10), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("host", _ID, sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("joining", sa.Boolean, nullable=False),
        sa.Column("fewest", sa.Integer, nullable=False),
        sa.Column("starts", sa.BigInteger),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("started", sa.BigInteger),
        sa.Column("ended", sa.BigInteger),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("next", sa.BigInteger),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("changes", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
    )
    op.create_index("ix_tournaments_status_created", "tournaments", ["status", "created"])
    op.create_table(
        "entrants",
        sa.Column("tournament", _ID, sa.ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", _ID, sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("salt", sa.String(60), nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("left", sa.BigInteger),
        sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "pairings",
        sa.Column("tournament", _ID, sa.ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entrants", sa.Text, nullable=False),
        sa.Column("table_id", _ID, sa.ForeignKey("tables.id", ondelete="SET NULL"), index=True),
        sa.Column("points", sa.Text),
        sa.Column("scores", sa.Text),
    )
