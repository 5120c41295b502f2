"""Brings a database up to date, or says why it cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, String, column, inspect, select, table

from kontor.table.errors import NewerDatabase, NotADatabase

VERSION_TABLE: Final = "alembic_version"
VERSIONS: Final = table(VERSION_TABLE, column("version_num", String))


def migrate(connection: Connection, name: str, to: str = "head") -> None:
    """All of it within the transaction that the connection is in: after a crash it has not happened. ``name`` is for
    the sentences. Raises CannotOpen."""
    revision_of(connection, name)
    with _config() as config:
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def revision_of(connection: Connection, name: str) -> str | None:
    """At which step the database is; None if it is empty. Raises NewerDatabase, NotADatabase."""
    tables = inspect(connection).get_table_names()
    if tables and VERSION_TABLE not in tables:
        raise NotADatabase("", "The database {name} is that of something else.", name=name)
    present = set(connection.scalars(select(VERSIONS.c.version_num))) if tables else set()
    unknown = present - known_revisions()
    if unknown:
        raise NewerDatabase(
            "",
            "The database {name} was made by a newer Kontor (its version is {version}). "
            "Use that one, or another database.",
            name=name,
            version=", ".join(sorted(unknown)),
        )
    return next(iter(present), None)


def known_revisions() -> frozenset[str]:
    """The steps that this Kontor knows."""
    with _config() as config:
        return frozenset(script.revision for script in ScriptDirectory.from_config(config).walk_revisions())


def is_current(connection: Connection) -> bool:
    """Whether the database is as this program makes it: another may have brought it further since."""
    return set(connection.scalars(select(VERSIONS.c.version_num))) == _heads()


@cache
def _heads() -> frozenset[str]:
    with _config() as config:
        return frozenset(ScriptDirectory.from_config(config).get_heads())


@contextmanager
def _config() -> Iterator[Config]:
    with as_file(files("kontor.table").joinpath("migrations")) as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        yield config
