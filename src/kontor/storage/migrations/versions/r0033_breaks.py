"""Pauses, holidays and more time; tables of tournaments that were opened before have none of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns of stopped clocks, and the table of holidays."""
    op.add_column("tables", sa.Column("proposal", sa.String(10), nullable=False, server_default="end"))
    op.add_column("tables", sa.Column("stopped", sa.BigInteger))
    op.add_column("tables", sa.Column("resumes", sa.BigInteger))
    op.add_column("tables", sa.Column("paused", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("breaks", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("seats", sa.Column("holiday", sa.BigInteger))
    op.add_column("seats", sa.Column("given", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("tournaments", sa.Column("breaks", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "holidays",
        sa.Column("person", sa.String(20), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("begins", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
    )
    table, pairings = sa.table("tables", sa.column("id"), sa.column("breaks")), sa.table("pairings")
    pairings.append_column(sa.column("table_id"))
    of_tournaments = sa.select(pairings.c.table_id).where(pairings.c.table_id.is_not(None))
    op.execute(sa.update(table).where(table.c.id.in_(of_tournaments)).values(breaks=False))
