"""Seeds drawn in advance: of a person's next table, and of each table's rematch.

So no request that brings a share of the dice makes the seed that it is mixed with. Existing people and tables get
theirs now.
"""

from __future__ import annotations

import hashlib
import secrets

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and draw a seed for each person and each table."""
    op.add_column("people", sa.Column("next_seed", sa.LargeBinary(32)))
    op.add_column("tables", sa.Column("next_seed", sa.LargeBinary(32)))
    op.add_column("tables", sa.Column("next_commitment", sa.String(64)))
    op.add_column("tables", sa.Column("dice", sa.String(10), nullable=False, server_default="late"))
    db = op.get_bind()
    people = sa.table("people", sa.column("id"), sa.column("next_seed"))
    tables = sa.table("tables", sa.column("id"), sa.column("next_seed"), sa.column("next_commitment"))
    for person in db.scalars(sa.select(people.c.id)).all():
        db.execute(sa.update(people).where(people.c.id == person).values(next_seed=secrets.token_bytes(32)))
    for table in db.scalars(sa.select(tables.c.id)).all():
        seed = secrets.token_bytes(32)
        new = {"next_seed": seed, "next_commitment": hashlib.sha256(seed).hexdigest()}
        db.execute(sa.update(tables).where(tables.c.id == table).values(new))
