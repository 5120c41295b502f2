"""Alembic's environment: runs the migrations on the connection that it is given."""

from alembic import context

from kontor.storage.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite can change almost nothing of a table without copying it
)
with context.begin_transaction():
    context.run_migrations()
