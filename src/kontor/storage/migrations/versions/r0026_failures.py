"""Reason why a notification channel delivers nothing, and since when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the failures of channels."""
    op.add_column("ways", sa.Column("failing", sa.BigInteger))
    op.add_column("ways", sa.Column("reason", sa.String(20), nullable=False, server_default=""))
    op.add_column("ways", sa.Column("detail", sa.String(80), nullable=False, server_default=""))
    op.add_column("ways", sa.Column("refused", sa.BigInteger))
