"""Brings a database up to date, or says why it cannot be."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, String, column, inspect, select, table

from kontor.table.errors import NewerDatabase, NotADatabase

VERSION_TABLE: Final = "alembic_version"
VERSIONS: Final = table(VERSION_TABLE, column("version_num", String))


def migrate(connection: Connection, name: str) -> None:
    """All of it within the transaction that the connection is in: after a crash it has not happened. ``name`` is for
    the sentences. Raises CannotOpen."""
    tables = inspect(connection).get_table_names()
    if tables and VERSION_TABLE not in tables:
        raise NotADatabase("", "The database {name} is that of something else.", name=name)
    with as_file(files("kontor.table").joinpath("migrations")) as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        present = set(connection.scalars(select(VERSIONS.c.version_num))) if tables else set()
        if present - known:
            raise NewerDatabase(
                "",
                "The database {name} was made by a newer Kontor (its version is {version}). "
                "Use that one, or another database.",
                name=name,
                version=", ".join(sorted(present - known)),
            )
        command.upgrade(config, "head")
