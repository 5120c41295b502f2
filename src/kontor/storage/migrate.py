"""Migration of a database to the revision of this program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, String, column, inspect, select, table

from kontor.storage.errors import NewerDatabase, NotADatabase

if TYPE_CHECKING:
    from alembic.config import Config

# Alembic takes a moment to import; only processes with an older database, or an empty one, wait for it.

VERSION_TABLE: Final = "alembic_version"
VERSIONS: Final = table(VERSION_TABLE, column("version_num", String))


def migrate(connection: Connection, name: str, to: str | None = None) -> None:
    """Migrate the database to the newest revision, or to the revision ``to``.

    All of it happens in the connection's transaction: after a crash it has not happened. ``name`` is for messages.
    Raises CannotOpen.
    """
    to = to or _newest()
    if revision_of(connection, name) == to:
        return
    from alembic import command

    with _config() as config:
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def revision_of(connection: Connection, name: str) -> str | None:
    """Return the revision of the database; None if it is empty. Raises NewerDatabase, NotADatabase."""
    tables = inspect(connection).get_table_names()
    if tables and VERSION_TABLE not in tables:
        raise NotADatabase("", "The database {name} does not belong to Kontor.", name=name)
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


def is_current(connection: Connection) -> bool:
    """Return True if the database is at this program's revision; a newer program may have migrated it since."""
    return set(connection.scalars(select(VERSIONS.c.version_num))) == {_newest()}


_NAME: Final = re.compile(r"r(\d{4})_\w+\.py")
_BEFORE: Final = re.compile(r'^down_revision = "(\d+)"$', re.MULTILINE)


@cache
def _predecessors() -> dict[str, str | None]:
    """Return each revision with the one before it. Their files are named after them: ``r0001_word.py``."""
    revisions = {}
    for file in files("kontor.storage.migrations.versions").iterdir():
        if name := _NAME.fullmatch(file.name):
            before = _BEFORE.search(file.read_text("utf-8"))
            revisions[name[1]] = before[1] if before else None
    return revisions


def known_revisions() -> frozenset[str]:
    """Return the revisions that this Kontor knows."""
    return frozenset(_predecessors())


def _newest() -> str:
    """Return the revision that has no successor.

    Its number need not be the highest: numbers are assigned before migrations are ready.
    """
    (newest,) = known_revisions() - set(_predecessors().values())
    return newest


@contextmanager
def _config() -> Iterator[Config]:
    from alembic.config import Config

    with as_file(files("kontor.storage").joinpath("migrations")) as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        yield config
