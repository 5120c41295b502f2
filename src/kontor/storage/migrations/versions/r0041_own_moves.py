"""Choices of people about their own moves: the tables at which they confirm each of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column of the tables at which a person confirms each move."""
    op.add_column("people", sa.Column("confirms", sa.String(20), nullable=False, server_default=""))
