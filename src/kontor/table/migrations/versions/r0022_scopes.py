"""Tokens of programs have several scopes. Those that there are may do what they could: who plays has always seen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tokens", sa.Column("scopes", sa.String(40), nullable=False, server_default=""))
    op.execute("UPDATE tokens SET scopes = CASE scope WHEN 'play' THEN 'play read' ELSE scope END WHERE kind = 'api'")
    op.drop_column("tokens", "scope")
