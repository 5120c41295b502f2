"""Fair shares: who has asked for a review, which tables share thinkers, and the last look at tables without people.

Games of computer players alone count as looked at when the program last ran, so that none stops only for lack of
data.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and their indices, and set the last looks."""
    op.drop_index("ix_tables_machine", "tables")
    op.add_column("reviews", sa.Column("person", sa.String(20)))
    op.create_index("ix_reviews_person", "reviews", ["person"])
    op.add_column("tables", sa.Column("origin", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("tables", sa.Column("visited", sa.BigInteger))
    op.execute(
        "UPDATE tables SET visited = coalesce(ended, (SELECT at FROM pulse)) WHERE status <> 'waiting' AND NOT "
        "EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND player = '' AND stood_in = '')"
    )
    op.create_index("ix_tables_visited_machine", "tables", ["visited", "machine"])
