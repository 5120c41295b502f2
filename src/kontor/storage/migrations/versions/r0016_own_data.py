"""People can leave, be suspended, block each other and be reported; and the chat stores who wrote each line.

By this, lines can be removed with their author. The author of an older line is the person on its seat. For lines from
before the game began, it is the person with that name at the table. If there is none, it is the host, if they have
that name.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, find the authors of older lines, and create the tables of blocks, reports and acts."""
    op.add_column("people", sa.Column("left", sa.BigInteger))
    op.add_column("people", sa.Column("suspended", sa.BigInteger))
    op.create_index("ix_people_left", "people", ["left"])
    op.add_column("chat", sa.Column("person", sa.String(20)))
    op.execute(
        "UPDATE chat SET person = (SELECT person FROM seats WHERE table_id = chat.table_id AND seat = chat.seat) "
        "WHERE seat IS NOT NULL"
    )
    op.execute(
        "UPDATE chat SET person = (SELECT min(person) FROM seats WHERE table_id = chat.table_id AND seats.name = "
        "chat.name) WHERE seat IS NULL AND name <> ''"
    )
    op.execute(
        "UPDATE chat SET person = (SELECT people.id FROM people JOIN tables ON tables.host = people.id WHERE "
        "tables.id = chat.table_id AND people.name = chat.name) WHERE person IS NULL AND seat IS NULL AND name <> ''"
    )
    op.create_index("ix_chat_person", "chat", ["person"])
    op.create_table(
        "blocks",
        sa.Column("person", sa.String(20), nullable=False),
        sa.Column("other", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("handle", sa.String(20), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "other", name="pk_blocks"),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_blocks_person", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["other"], ["people.id"], name="fk_blocks_other", ondelete="CASCADE"),
        sa.UniqueConstraint("handle", name="uq_blocks_handle"),
    )
    op.create_index("ix_blocks_other", "blocks", ["other"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(20), nullable=False),
        sa.Column("reporter", sa.String(20)),
        sa.Column("about", sa.String(20), nullable=False),
        sa.Column("table_id", sa.String(20), nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("handled", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sa.ForeignKeyConstraint(["reporter"], ["people.id"], name="fk_reports_reporter", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["about"], ["people.id"], name="fk_reports_about", ondelete="CASCADE"),
    )
    op.create_index("ix_reports_reporter", "reports", ["reporter"])
    op.create_index("ix_reports_about", "reports", ["about"])
    op.create_table(
        "acts",
        sa.Column("id", sa.String(20), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.String(20), nullable=False),
        sa.Column("act", sa.String(10), nullable=False),
        sa.Column("person", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_acts"),
    )
    op.create_index("ix_acts_at", "acts", ["at"])
