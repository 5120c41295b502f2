"""Mark of people who have dismissed the offer of a recovery code; nobody has yet, as nobody got one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column to the people."""
    op.add_column("people", sa.Column("code_put_away", sa.Boolean, nullable=False, server_default=sa.false()))
