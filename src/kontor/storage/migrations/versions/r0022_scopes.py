"""Several scopes for tokens of programs. Existing ones keep their rights: those that could play could always read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the one scope of a token by several."""
    op.add_column("tokens", sa.Column("scopes", sa.String(40), nullable=False, server_default=""))
    op.execute("UPDATE tokens SET scopes = CASE scope WHEN 'play' THEN 'play read' ELSE scope END WHERE kind = 'api'")
    op.drop_column("tokens", "scope")
