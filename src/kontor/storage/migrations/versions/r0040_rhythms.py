"""Hours of summaries, reminders and quiet hours for each notification channel."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Move the hour of summaries and the choice of reminders to the channels, and add the quiet hours."""
    op.add_column("ways", sa.Column("hour", sa.Integer, nullable=False, server_default="18"))
    op.add_column("ways", sa.Column("lead", sa.Integer))
    op.add_column("ways", sa.Column("quiet_from", sa.Integer, nullable=False, server_default="0"))
    op.add_column("ways", sa.Column("quiet_to", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        "UPDATE ways SET hour = COALESCE((SELECT hour FROM notification_settings "
        "WHERE notification_settings.person = ways.person), 18)"
    )
    op.execute(
        "UPDATE ways SET lead = 0 WHERE person IN (SELECT person FROM notification_settings WHERE NOT reminders)"
    )
    op.drop_column("notification_settings", "hour")
    op.drop_column("notification_settings", "reminders")
