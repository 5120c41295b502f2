"""Messages between people, who may write to a person, and reports of messages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of conversations, and add the columns of choices and reports."""
    low, high, person, author = (sa.ForeignKey("people.id", ondelete="CASCADE") for _ in range(4))
    in_conversation, of_message = (sa.ForeignKey("conversations.id", ondelete="CASCADE") for _ in range(2))
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("low", sa.String(20), low, nullable=False),
        sa.Column("high", sa.String(20), high, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_conversations_low_high", "conversations", ["low", "high"], unique=True)
    for column in ("high", "last"):
        op.create_index(f"ix_conversations_{column}", "conversations", [column])
    op.create_table(
        "correspondents",
        sa.Column("conversation", sa.String(20), in_conversation, primary_key=True),
        sa.Column("person", sa.String(20), person, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("unread", sa.Integer, nullable=False),
        sa.Column("notified", sa.BigInteger),
        sa.Column("begun", sa.BigInteger),
    )
    op.create_index("ix_correspondents_person_unread", "correspondents", ["person", "unread"])
    op.create_table(
        "messages",
        sa.Column("conversation", sa.String(20), of_message, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("author", sa.String(20), author, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_messages_author", "messages", ["author"])
    op.add_column("people", sa.Column("writers", sa.String(10), nullable=False, server_default="met"))
    op.add_column("notification_settings", sa.Column("written", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("reports", sa.Column("around", sa.Text, nullable=False, server_default=""))
