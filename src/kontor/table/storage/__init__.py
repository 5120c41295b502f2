"""What a house lives in: a folder with an SQLite database, or a PostgreSQL database that several processes share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import Connection

from kontor.table.errors import NoDriver
from kontor.table.storage.sqlite import Folder

Place = Path | str
"""A folder, or the address of a PostgreSQL database: ``postgresql://name:password@host:port/database``."""

DRIVER: Final = "psycopg"


class Storage(Protocol):
    """Transactions on a house's database, from any thread; and news of what other processes have changed there."""

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction that is on the disk when the block ends, or has not happened if it raises. Raises
        StorageFailure."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that sees one moment, and changes nothing. Raises StorageFailure."""

    def announce(self, changes: Mapping[str, int]) -> None:
        """Tells other processes which tables have changed, each with its counter ``changes``. Nobody waits for it."""

    def hear(self, heard: Callable[[str], None], watched: Callable[[], Collection[str]]) -> None:
        """From now on ``heard(table)`` is called, in a thread of its own, after other processes have changed a table.
        Of those that are ``watched`` none is missed, whatever becomes of the news."""

    def leads(self) -> bool:
        """Whether this process is the one, of all that have the house open, that plays for the machine players. To
        be asked again every second, always by the same thread."""

    def close(self) -> None:
        """Waits for what is being written. Calls that come later are refused."""


def open_storage(place: Place) -> Storage:
    """Opens the database, or makes one, and brings it up to date. Raises CannotOpen."""
    if isinstance(place, Path):
        return Folder(place)
    if find_spec(DRIVER) is None:
        raise NoDriver(
            "",
            "PostgreSQL needs the package {package}, which is not installed: pip install “kontor[postgres]”.",
            package=DRIVER,
        )
    # Whoever keeps a house in a folder need not have its driver.
    from kontor.table.storage.postgres import Postgres

    return Postgres(place)
