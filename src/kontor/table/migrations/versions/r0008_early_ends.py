"""Games that end early: the level of the computer player that takes over, how a game ended, who proposes to end it,
who has resigned, who agrees, and when each was last seen.

Tables that are there keep what they were promised: the highest level sits in. And nobody is away only because nobody
counted before: all were there when the program last ran.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("takeover", sa.String(10), nullable=False, server_default="expert"))
    op.add_column("tables", sa.Column("early", sa.Text))
    op.add_column("tables", sa.Column("proposed", sa.Integer))
    op.add_column("seats", sa.Column("resigned", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("agreed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("visited", sa.BigInteger))
    op.execute("UPDATE seats SET visited = (SELECT at FROM pulse) WHERE person IS NOT NULL")
