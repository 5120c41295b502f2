"""A frequency for each notification channel, and summaries at an hour of the person's own time zone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Move the frequency from the settings to the channels, and add the hour and the time zone."""
    op.add_column("ways", sa.Column("frequency", sa.String(10), nullable=False, server_default="once"))
    op.execute(
        "UPDATE ways SET frequency = COALESCE((SELECT frequency FROM notification_settings "
        "WHERE notification_settings.person = ways.person), 'once')"
    )
    op.add_column("notification_settings", sa.Column("hour", sa.Integer, nullable=False, server_default="18"))
    op.add_column("notification_settings", sa.Column("zone", sa.String(64), nullable=False, server_default=""))
    op.drop_column("notification_settings", "frequency")
    op.drop_column("notification_settings", "summary")
