"""Storage of a server: a folder with an SQLite database, or a PostgreSQL database that several processes share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol, TypeVar

from sqlalchemy import Connection

from kontor.distribution import command_for
from kontor.storage import sqlite
from kontor.storage.change_counters import CounterQuery
from kontor.storage.errors import NoDriver
from kontor.storage.sqlite import Folder
from kontor.storage.tally import MissingCommits

Place = Path | str
"""A folder, or the address of a PostgreSQL database: ``postgresql://name:password@host:port/database``."""

Answer = TypeVar("Answer")

DRIVER: Final = "psycopg"


class Storage(Protocol):
    """Transactions on a server's database, from any thread, and notifications of changes by other processes."""

    exclusive: bool
    """True if no other process can change the database, so that cached tables stay valid."""

    missing: MissingCommits | None
    """The commits that the database lacked when it was opened, as far as they are known."""

    def writing(self, *, urgent: bool = False) -> AbstractContextManager[Connection]:
        """Open a transaction that is on the disk when the block ends, or is undone if the block raises.

        Where there is a single writer, ``urgent`` transactions go first. Raises StorageFailure.
        """

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a read-only transaction that sees one moment. Raises StorageFailure."""

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """Return the answer to a question of one statement, without a transaction. Raises StorageFailure.

        A single statement sees one moment by itself.
        """

    def filling(self) -> AbstractContextManager[Connection]:
        """Open a transaction as :meth:`writing` does, without a time limit, to fill a new server from a copy.

        Raises InUse where others have the server open.
        """

    def announce(self, changes: Mapping[str, int]) -> None:
        """Tell other processes which tables have changed, with their ``changes`` counters; do not wait for them."""

    def note_lines(self, lines: Mapping[str, int]) -> None:
        """Record outside of the database the last line numbers of tables, which are on the disk. Raises nothing."""

    def hear(
        self,
        heard: Callable[[str], None],
        watched: Callable[[], Collection[str]],
        counted: Collection[CounterQuery] = (),
    ) -> None:
        """Call ``heard(table)``, in a thread of its own, after other processes have changed a table.

        No change of a ``watched`` table is missed, even if notifications are lost; nor one of what ``counted``
        queries count.
        """

    def leads(self) -> bool:
        """Return True if this process is the leader, which plays for the computer players.

        Of all processes that have the server open, one is. Call this every second, always from the same thread.
        """

    def starting(self) -> AbstractContextManager[bool]:
        """Return a block for a process that starts, in which it learns whether no other process has the server open.

        Others that start wait until the block ends.
        """

    def close(self) -> None:
        """Wait for the transaction that is being written, then close. Later calls are refused."""


def open_storage(place: Place) -> Storage:
    """Open the database, create it if it is missing, and migrate it. Raises CannotOpen."""
    if isinstance(place, Path):
        return Folder(place)
    _check_driver()
    # A server in a folder does not need the driver of PostgreSQL.
    from kontor.storage.postgres import Postgres

    return Postgres(place)


def make_empty(place: Place) -> None:
    """Make an empty server in a folder without a database. Raises CannotOpen.

    Files that an earlier server has left there are kept under other names.
    """
    if isinstance(place, Path):
        sqlite.make_empty(place)


def consistent_read(place: Place) -> AbstractContextManager[Connection]:
    """Open a read-only transaction that sees a server as it is now, also while others have it open.

    The database is not even migrated. Raises NothingToCopy, CannotOpen.
    """
    if isinstance(place, Path):
        return sqlite.consistent_read(place)
    _check_driver()
    from kontor.storage import postgres

    return postgres.consistent_read(place)


@contextmanager
def closed(place: Place, connection: Connection) -> Iterator[None]:
    """Hold a block in which nobody has the server open that the ``connection`` sees. Raises InUse.

    A folder is locked until the block ends; of a PostgreSQL database it is checked only at the start.
    """
    if isinstance(place, Path):
        with sqlite.hold(place):
            yield
    else:
        from kontor.storage import postgres

        postgres.check_closed(connection, name_of(place))
        yield


def name_of(place: Place) -> str:
    """Return a place as text without secrets. Raises NoAddress, NoDriver."""
    if isinstance(place, Path):
        return str(place)
    _check_driver()
    from kontor.storage import postgres

    return postgres.name_of(postgres.url_of(place))


def _check_driver() -> None:
    if find_spec(DRIVER) is None:
        raise NoDriver(
            "",
            "PostgreSQL needs the package {package}, which is not installed: {command}",
            package=DRIVER,
            command=command_for("postgres"),
        )
