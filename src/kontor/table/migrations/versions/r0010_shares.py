"""So that nobody crowds the others out: who has asked for a review, which tables share thinkers, and when somebody
last looked at a table where no person plays.

Nobody is away only because nobody counted before: at games that go on, somebody was when the program last ran.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
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
