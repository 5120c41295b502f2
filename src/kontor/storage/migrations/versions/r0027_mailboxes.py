"""The times at which codes were sent to a mailbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of mailboxes."""
    op.create_table(
        "mailboxes",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("sent", sa.Text, nullable=False),
        sa.Column("requested", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_mailboxes_requested", "mailboxes", ["requested"])


def downgrade() -> None:
    """Drop the table again."""
    op.drop_table("mailboxes")
