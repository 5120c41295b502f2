"""Tokens of programs: what each may do, and when it was last used. Those that there are may play, as ever."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tokens", sa.Column("scope", sa.String(10), nullable=False, server_default="play"))
    op.add_column("tokens", sa.Column("used", sa.BigInteger))
