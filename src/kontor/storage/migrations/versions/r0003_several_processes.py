"""Support for several processes at one database.

By a counter each process sees that a table has changed. Hints and reviews are stored, so that one process shows what
another has computed. The row of the pulse exists from the start: no process needs to insert it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the counter of changes and the tables of hints and reviews, and insert the row of the pulse."""
    op.add_column("tables", sa.Column("changes", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.create_table(
        "hints",
        sa.Column("table_id", sa.String(20), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False),
        sa.Column("found", sa.LargeBinary),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_hints"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_hints_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(20), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("parts", sa.Integer, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False),
        sa.Column("found", sa.LargeBinary),
        sa.PrimaryKeyConstraint("table_id", name="pk_reviews"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_reviews_table_id", ondelete="CASCADE"),
    )
    op.execute("INSERT INTO pulse (id, at) SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM pulse)")
