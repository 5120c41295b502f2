"""Games that end early.

New are the level of the computer player that takes over, and how a game ended. New are also who proposes to end it,
who has resigned, who agrees, and when each was last seen. At existing tables the highest level takes over, as
promised before. Everybody there counts as seen when the program last ran, so that nobody is absent only for lack of
data.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns of early ends, and set the last visits."""
    op.add_column("tables", sa.Column("takeover", sa.String(10), nullable=False, server_default="expert"))
    op.add_column("tables", sa.Column("early", sa.Text))
    op.add_column("tables", sa.Column("proposed", sa.Integer))
    op.add_column("seats", sa.Column("resigned", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("agreed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("visited", sa.BigInteger))
    op.execute("UPDATE seats SET visited = (SELECT at FROM pulse) WHERE person IS NOT NULL")
