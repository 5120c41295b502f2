"""The file that a server lives in: one SQLite database with one connection that writes, and others that read.

There is one writer at a time, for a commit also moves pages from SQLite's log (WAL) into the database. The versions
of SQLite that come with Python can lose pages when two connections do so at once (sqlite.org, "WAL-reset bug"). For
the same reason a lock keeps other processes out.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, BinaryIO, Final, Literal, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool, StaticPool

from kontor.storage.change_counters import CounterQuery
from kontor.storage.errors import (
    CannotOpen,
    DatabaseDamaged,
    InUse,
    NotADatabase,
    NothingToCopy,
    StorageFailure,
    Unwritable,
)
from kontor.storage.files import DATABASE, NEW, TALLY, OpenFiles, check_no_leftovers, set_aside
from kontor.storage.locks import try_to_lock
from kontor.storage.migrate import migrate
from kontor.storage.tally import CommitTally, changed_rows, last_commit, log_missing, missing_commits, next_commit
from kontor.storage.writer_lock import WriterLock

__all__ = ["DATABASE", "LOCK", "LOCK_TIMEOUT", "Folder", "consistent_read", "hold", "make_empty"]

LOCK: Final = "kontor.lock"
LOCK_TIMEOUT: Final = 2.0
"""Seconds to wait for a lock: a process that a killed server was just starting holds it until it runs its program."""
_LOCK_PAUSE: Final = 0.05

Answer = TypeVar("Answer")

_READERS: Final = 4
_MOST_READERS: Final = 64
"""More than a server has threads, so that no reader waits for another."""


class Folder:
    """Transactions on the database of one folder, from any thread."""

    exclusive = True

    def __init__(self, folder: Path) -> None:
        """Open the database and migrate it. Raises CannotOpen."""
        self._lock = WriterLock()
        self._closed = False
        self._held = hold(folder)
        file = folder / DATABASE
        self._tally = CommitTally(file)
        connect = partial(sqlite3.connect, _address(file, "rw"), uri=True, check_same_thread=False)
        # Parameters of statements are secrets: they must not get into a log with an error.
        self._writer = create_engine("sqlite://", creator=connect, poolclass=StaticPool, hide_parameters=True)
        self._readers, self._askers = [
            create_engine(
                "sqlite://",
                creator=connect,
                poolclass=QueuePool,
                pool_size=_READERS,
                max_overflow=_MOST_READERS - _READERS,
                hide_parameters=True,
            )
            for _ in range(2)
        ]
        # Taking a connection out of a pool takes longer than reading.
        self._idle: deque[Connection] = deque()
        self._free: deque[Connection] = deque()
        self._writing: Connection | None = None
        _prepare(self._writer, "BEGIN IMMEDIATE", *_WRITING)
        _prepare(self._readers, "BEGIN", *_READING)
        _prepare(self._askers, "", *_READING)
        with ExitStack() as undo:
            undo.callback(self.close)
            try:
                _check_there(file)
                with self._writer.begin() as connection:
                    _check_whole(connection, file)
                    migrate(connection, str(file))
                    self._commit = last_commit(connection)
                    self.missing = missing_commits(connection, file)
                self._files = OpenFiles(file)
                self._tally.begin(self._commit)
            except OSError as error:
                raise _unwritable(folder, error) from error
            except (sqlite3.Error, SQLAlchemyError) as error:
                raise _why(file, error) from error
            undo.pop_all()
        log_missing(self.missing)

    @contextmanager
    def writing(self, *, urgent: bool = False) -> Iterator[Connection]:
        """Open a transaction that is on the disk when the block ends, or is undone if the block raises.

        Raises StorageFailure; DatabaseMoved if the database file was moved, so that the write would be lost.
        """
        with self._lock.held(urgent=urgent):
            self._check_open()
            try:
                with ExitStack() as undo:
                    connection = self._writing or self._writer.connect()
                    self._writing = None
                    undo.callback(connection.close)
                    with connection.begin():
                        changed = changed_rows(connection)
                        yield connection
                        self._files.check()
                        commit = self._commit
                        if changed_rows(connection) > changed:
                            commit = next_commit(commit)
                            connection.exec_driver_sql(f"PRAGMA user_version = {commit}")
                    undo.pop_all()
                self._writing = connection
                if commit != self._commit:
                    self._commit = commit
                    self._tally.count(commit)
            except DatabaseError as error:
                if _is_damage(error):
                    raise _damaged() from error
                if not isinstance(error, OperationalError):
                    raise
                reason = "The database cannot be written right now. Nothing was changed; try again in a minute."
                raise StorageFailure("", reason) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a read-only transaction that sees one moment and waits for no lock."""
        with self._from_pool(self._readers, self._idle) as connection, connection.begin():
            yield connection

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """Return the answer to a question of one statement."""
        with self._from_pool(self._askers, self._free) as connection:
            answer = question(connection)
            connection.rollback()  # nothing is to be undone, but SQLAlchemy assumes that a transaction has begun
        return answer

    @contextmanager
    def _from_pool(self, engine: Engine, idle: deque[Connection]) -> Iterator[Connection]:
        self._check_open()
        try:
            with ExitStack() as undo:
                try:
                    connection = idle.pop()
                except IndexError:
                    self._files.check()  # it must not open another file than the other connections
                    connection = engine.connect()
                undo.callback(connection.close)
                yield connection
                undo.pop_all()
        except DatabaseError as error:
            if _is_damage(error):
                raise _damaged() from error
            if not isinstance(error, OperationalError):
                raise
            raise StorageFailure("", "The database cannot be read right now. Try again in a minute.") from error
        if self._closed:
            connection.close()
        else:
            idle.append(connection)

    def filling(self) -> AbstractContextManager[Connection]:
        """Open a transaction as :meth:`writing` does; nobody else has the folder open."""
        return self.writing()

    def announce(self, changes: Mapping[str, int]) -> None:
        """Do nothing: this process alone holds the folder."""

    def note_lines(self, lines: Mapping[str, int]) -> None:
        """Record outside of the database the number of each game's last line."""
        self._tally.note_lines(lines)

    def hear(
        self,
        heard: Callable[[str], None],
        watched: Callable[[], Collection[str]],
        counted: Collection[CounterQuery] = (),
    ) -> None:
        """Do nothing: no other process makes changes."""

    def leads(self) -> bool:
        """Return True: the only process is the leader."""
        return True

    def starting(self) -> AbstractContextManager[bool]:
        """Return a block in which this process is alone: it holds the folder."""
        return nullcontext(True)

    def close(self) -> None:
        """Wait for the transaction that is being written, and close the file."""
        with self._lock.held():
            if self._closed:
                return
            self._closed = True
            for idle in (self._idle, self._free):
                while idle:
                    idle.pop().close()
            self._readers.dispose()
            self._askers.dispose()
            if self._writing is not None:
                self._writing.close()
            self._writer.dispose()  # last, so that SQLite can tidy up
            self._tally.close()
            self._held.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StorageFailure("", "The server has stopped.")


@contextmanager
def consistent_read(folder: Path) -> Iterator[Connection]:
    """Open a read-only transaction that sees the server of a folder as it is now, also while others have it open.

    The file is opened read-only. So this connection never moves pages from SQLite's log into the database, not even
    when it is the last to be closed: a second process must not do that.

    Raises NothingToCopy, CannotOpen.
    """
    file = folder / DATABASE
    if not file.is_file():
        raise NothingToCopy("", "There is no server data in {place}.", place=folder)
    _check_not_empty(file)
    connect = partial(sqlite3.connect, _address(file, "ro"), uri=True)
    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool, hide_parameters=True)
    _prepare(engine, "BEGIN", *_READING)
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise _why(file, error) from error


def make_empty(folder: Path) -> None:
    """Make an empty database where there is none; rename the files of an earlier one. Raises CannotOpen."""
    with closing(hold(folder)):
        file = folder / DATABASE
        if not file.exists():
            try:
                set_aside(folder)
                _make(file)
            except OSError as error:
                raise _unwritable(folder, error) from error
            except (sqlite3.Error, SQLAlchemyError) as error:
                raise _why(file, error) from error


# --------------------------------------------------------------------------------------------------- connections

_WRITING: Final = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",  # a commit is on the disk, not only on its way
    "PRAGMA fullfsync=ON",  # the same where fsync alone promises less (macOS)
    "PRAGMA foreign_keys=ON",
)
_READING: Final = ("PRAGMA query_only=ON",)


def _prepare(engine: Engine, begin: str, *pragmas: str) -> None:
    """Make an engine's connections run ``pragmas``, and begin transactions with ``begin``.

    Python's own handling of transactions is switched off: it would begin too late for a reader to see one moment, and
    for a writer to be the only one. With an empty ``begin`` each statement stands alone.
    """

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _: object) -> None:
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(pragma).close()

    if begin:

        @event.listens_for(engine, "begin")
        def on_begin(connection: Connection) -> None:
            connection.exec_driver_sql(begin)


def _address(file: Path, mode: Literal["rw", "ro"]) -> str:
    """Return the address of an existing database: a connection never creates one."""
    return f"{file.absolute().as_uri()}?mode={mode}"


def hold(folder: Path) -> BinaryIO:
    """Make the folder and lock it; the lock ends with the process, however that ends."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = _open_private(folder / LOCK)
    except OSError as error:
        raise _unwritable(folder, error) from error
    until = monotonic() + LOCK_TIMEOUT
    while True:
        try:
            try_to_lock(held)
        except OSError as error:
            if monotonic() > until:
                held.close()
                raise InUse("", "Another Kontor is using the data in {folder}.", folder=folder) from error
            sleep(_LOCK_PAUSE)
        else:
            return held


def _open_private(file: Path) -> BinaryIO:
    """Open a file that only its owner can read and write; make it if it is missing."""
    return open(file, "ab", opener=_private)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _check_there(file: Path) -> None:
    """Make the database of a new server. Raises NotADatabase, and NoDatabase if the folder had one."""
    if file.exists():
        _check_not_empty(file)
    else:
        check_no_leftovers(file.parent)
        _make(file)


def _make(file: Path) -> None:
    """Make a new database beside its place, and move it there when it is complete.

    So an empty file there never comes from a first start, however that ends, but is left of a server; it is not
    overwritten. The database holds the seeds and what is hidden from the players, so only its owner can read it.
    SQLite gives its other files the same rights.
    """
    beside = file.with_name(NEW)
    for leftover in file.parent.glob(f"{beside.name}*"):
        leftover.unlink()
    _open_private(beside).close()
    file.with_name(TALLY).unlink(missing_ok=True)  # it counts the commits of another database
    engine = create_engine(URL.create("sqlite", database=str(beside)), poolclass=NullPool, hide_parameters=True)
    _prepare(engine, "BEGIN IMMEDIATE", "PRAGMA synchronous=FULL")
    with engine.begin() as connection:
        migrate(connection, str(file))
    # It is on the disk with the folder's next file, SQLite's log, before anything is written to the database.
    beside.replace(file)


def _check_not_empty(file: Path) -> None:
    if not file.stat().st_size:
        reason = "The file {file} is empty. Delete it; then restore a backup or start afresh."
        raise NotADatabase("", reason, file=file)


def _check_whole(connection: Connection, file: Path) -> None:
    """Raise NotADatabase if the database is damaged, before a write can make that worse."""
    if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() != "ok":
        raise _no_database(file)


# ----------------------------------------------------------------------------------------------------------- errors


def _unwritable(folder: Path, error: OSError) -> Unwritable:
    return Unwritable(
        "", "The folder {folder} cannot be written: {error}.", folder=folder, error=error.strerror or "?"
    )


_DAMAGE: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT)


def _no_database(file: Path) -> NotADatabase:
    return NotADatabase("", "The file {file} is not a database, or it is damaged.", file=file)


def _is_damage(error: Exception) -> bool:
    return _code(error) in _DAMAGE


def _damaged() -> DatabaseDamaged:
    return DatabaseDamaged("", "The server’s database is damaged. The operator must restore a backup.")


def _code(error: Exception) -> int:
    cause = error.__cause__ if isinstance(error, SQLAlchemyError) else error
    code: int = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    return code


def _why(file: Path, error: Exception) -> CannotOpen:
    code = _code(error)
    if code in _DAMAGE:
        return _no_database(file)
    if code == sqlite3.SQLITE_BUSY:
        return InUse("", "Another program is using the database {file}.", file=file)
    return Unwritable("", "The database {file} cannot be opened or written.", file=file)
