"""What a server lives in: a folder with an SQLite database, or a PostgreSQL database that several processes share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol, TypeVar

from sqlalchemy import Connection

from kontor.distribution import command_for
from kontor.table.errors import NoDriver
from kontor.table.storage import sqlite
from kontor.table.storage.sqlite import Folder
from kontor.table.storage.tally import MissingCommits

Place = Path | str
"""A folder, or the address of a PostgreSQL database: ``postgresql://name:password@host:port/database``."""

Answer = TypeVar("Answer")

DRIVER: Final = "psycopg"


class Storage(Protocol):
    """Transactions on a server's database, from any thread; and news of what other processes have changed there."""

    exclusive: bool
    """Whether no other process can change the database: what this one remembers of its own changes is true."""

    missing: MissingCommits | None
    """What the database lacked when it was opened of what had been committed, as far as that is known."""

    def writing(self, *, urgent: bool = False) -> AbstractContextManager[Connection]:
        """A transaction that is on the disk when the block ends, or has not happened if it raises. Where there is one
        writer only, what is ``urgent`` goes before others. Raises StorageFailure.
        """

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that sees one moment, and changes nothing. Raises StorageFailure."""

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """The answer to a question of one statement, which sees one moment by itself: there is no transaction around
        it. Raises StorageFailure.
        """

    def filling(self) -> AbstractContextManager[Connection]:
        """As :meth:`writing`, for a server that is made anew from a copy: it may take as long as it likes. Raises
        InUse where others have the server open.
        """

    def announce(self, changes: Mapping[str, int]) -> None:
        """Tells other processes which tables have changed, each with its counter ``changes``. Nobody waits for it."""

    def note_lines(self, lines: Mapping[str, int]) -> None:
        """Note outside of the database the numbers of the last lines of tables, which are on the disk. Raises
        nothing.
        """

    def hear(self, heard: Callable[[str], None], watched: Callable[[], Collection[str]]) -> None:
        """From now on ``heard(table)`` is called, in a thread of its own, after other processes have changed a table.
        Of those that are ``watched`` none is missed, whatever becomes of the news.
        """

    def leads(self) -> bool:
        """Whether this process is the one, of all that have the server open, that plays for the computer players. To
        be asked again every second, always by the same thread.
        """

    def starting(self) -> AbstractContextManager[bool]:
        """Return a block for a process that starts, in which it learns whether no other process has the server open.
        Others that start wait until the block ends.
        """

    def close(self) -> None:
        """Waits for what is being written. Calls that come later are refused."""


def open_storage(place: Place) -> Storage:
    """Opens the database, or makes one, and brings it up to date. Raises CannotOpen."""
    if isinstance(place, Path):
        return Folder(place)
    _check_driver()
    # Whoever keeps a server in a folder need not have its driver.
    from kontor.table.storage.postgres import Postgres

    return Postgres(place)


def make_empty(place: Place) -> None:
    """Make an empty server in a folder without a database, even if an earlier one has left files there; they are kept
    under other names. Raises CannotOpen.
    """
    if isinstance(place, Path):
        sqlite.make_empty(place)


def consistent_read(place: Place) -> AbstractContextManager[Connection]:
    """A transaction that sees a server as it is now, whoever has it open, and changes nothing: it is not even brought
    up to date. Raises NothingToCopy, CannotOpen.
    """
    if isinstance(place, Path):
        return sqlite.consistent_read(place)
    _check_driver()
    from kontor.table.storage import postgres

    return postgres.consistent_read(place)


@contextmanager
def closed(place: Place, seen: Connection) -> Iterator[None]:
    """Nobody has the server open, which the connection sees; a folder can be opened by nobody as long as the block
    lasts. Raises InUse.
    """
    if isinstance(place, Path):
        with sqlite.hold(place):
            yield
    else:
        from kontor.table.storage import postgres

        postgres.check_closed(seen, name_of(place))
        yield


def name_of(place: Place) -> str:
    """A place as it can be told to anybody. Raises NoAddress, NoDriver."""
    if isinstance(place, Path):
        return str(place)
    _check_driver()
    from kontor.table.storage import postgres

    return postgres.name_of(postgres.url_of(place))


def _check_driver() -> None:
    if find_spec(DRIVER) is None:
        raise NoDriver(
            "",
            "PostgreSQL needs the package {package}, which is not installed: {command}",
            package=DRIVER,
            command=command_for("postgres"),
        )
