"""Notification channels, and the outbox of messages still to be sent."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0014"
branch_labels = None
depends_on = None

_ID = sa.String(20)


def _person(**more: Any) -> sa.Column[str]:
    return sa.Column("person", _ID, sa.ForeignKey("people.id", ondelete="CASCADE"), **more)


def _table(**more: Any) -> sa.Column[str]:
    return sa.Column("table_id", _ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), **more)


def upgrade() -> None:
    """Create the tables of notifications."""
    op.create_table(
        "mail_addresses",
        _person(primary_key=True),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("confirmed", sa.BigInteger),
        sa.Column("owned", sa.String(254), unique=True),
        sa.Column("code", sa.String(64)),
        sa.Column("expires", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
    )
    op.create_table(
        "ways",
        sa.Column("id", _ID, primary_key=True),
        _person(nullable=False, index=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("dead", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "notification_settings",
        _person(primary_key=True),
        sa.Column("frequency", sa.String(10), nullable=False),
        sa.Column("reminders", sa.Boolean, nullable=False),
        sa.Column("language", sa.String(5), nullable=False),
        sa.Column("base", sa.Text, nullable=False),
        sa.Column("summary", sa.BigInteger),
        sa.Column("feed", sa.String(64), unique=True),
    )
    op.create_table(
        "looks",
        _table(primary_key=True),
        _person(primary_key=True, index=True),
        sa.Column("at", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("visible", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("told", sa.BigInteger),
        sa.Column("line", sa.Integer),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(48), primary_key=True),
        sa.Column("way", _ID, sa.ForeignKey("ways.id", ondelete="CASCADE"), index=True),
        _table(index=True),
        sa.Column("occasion", sa.String(10), nullable=False),
        sa.Column("number", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("mail", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False, index=True),
        sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
    )
