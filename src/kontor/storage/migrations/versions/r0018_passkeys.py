"""Passkeys, and the challenges that they sign."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0016"
branch_labels = None
depends_on = None

_ID = sa.String(20)


def upgrade() -> None:
    """Create the tables of passkeys and challenges."""
    op.create_table(
        "passkeys",
        sa.Column("handle", _ID, primary_key=True),
        sa.Column("person", _ID, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("user_handle", _ID, nullable=False),
        sa.Column("credential", sa.Text, nullable=False, unique=True),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("counter", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
    )
    op.create_table(
        "challenges",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("challenge", sa.LargeBinary(32), nullable=False),
        sa.Column("person", _ID, sa.ForeignKey("people.id", ondelete="CASCADE"), index=True),
        sa.Column("expires", sa.BigInteger, nullable=False, index=True),
    )
