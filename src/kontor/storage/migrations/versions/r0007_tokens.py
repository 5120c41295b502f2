"""Tokens of programs: what each may do, and its last use. Existing tokens may play, as before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the scope and the last use of tokens."""
    op.add_column("tokens", sa.Column("scope", sa.String(10), nullable=False, server_default="play"))
    op.add_column("tokens", sa.Column("used", sa.BigInteger))
