"""A PostgreSQL database that a server lives in, shared by as many processes as like, on any number of machines.

What is to be changed is locked row by row: whoever changes a table takes its row first (``Change.take``), so that all
that happens at a table happens one after the other, as it does where there is one writer only. A transaction that
reads sees one moment (REPEATABLE READ), as SQLite's do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Final, TypeVar

import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as NoneFree
from sqlalchemy.pool import NullPool

from kontor.table.errors import CannotOpen, InUse, NoAddress, NotADatabase, StorageFailure, Unwritable
from kontor.table.migrate import migrate
from kontor.table.storage.change_counters import SESSIONS_KEY
from kontor.table.storage.notifications import ChangeNotifications, LeaderLock
from kontor.table.storage.tally import MissingCommits
from kontor.words import mark

Answer = TypeVar("Answer")

_KEPT: Final = 5
_MOST: Final = 20
"""Connections of one process, beside the three by which it hears of others, tells them, and leads."""

_CONNECT: Final = 5
"""Seconds to wait for a new connection, or for one that is free."""

_COPYING: Final = "copy of kontor"
"""What connections are called of those who only copy a server. Others who have it open are called kontor."""

_SETTINGS: Final = {
    "application_name": f"kontor {os.getpid()}",  # whoever looks at the server's connections sees whose each is
    "statement_timeout": "10s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "30s",
    # A process whose machine is gone holds nothing for longer than half a minute.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_DIALLING: Final = {
    "autocommit": True,  # each transaction begins in the way that it says
    "connect_timeout": _CONNECT,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}

_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_COUNTERS: Final = "SELECT id, changes FROM tables WHERE id = ANY(%s) UNION ALL SELECT %s, endings FROM pulse"

_MIGRATING: Final = 17291729
"""The key of the lock under which one process at a time brings the database up to date."""

_CANNOT_READ: Final = mark("The database cannot be read right now. Try again in a minute.")

_JUST_NOW: Final = (OperationalError, InternalError, InterfaceError, NoneFree)
"""A lost connection, a full disk, a lock that was not had in time, two that waited for each other; not what a
constraint forbids."""

_NOT_TO_BE_WRITTEN: Final = (*_JUST_NOW, NotSupportedError)
"""A standby says that it knows no such transaction."""


class Postgres:
    """Transactions on a database, from any thread."""

    exclusive = False
    missing: MissingCommits | None = None  # PostgreSQL checks its log itself

    def __init__(self, address: str) -> None:
        """Opens the database, and brings it up to date. Raises CannotOpen."""
        url = url_of(address)
        self._closed = False
        self._engine = create_engine(
            url,
            pool_size=_KEPT,
            max_overflow=_MOST - _KEPT,
            pool_timeout=_CONNECT,
            pool_use_lifo=True,
            connect_args=_DIALLING,
            hide_parameters=True,
        )
        event.listen(self._engine, "connect", _prepare)
        event.listen(self._engine, "handle_error", _quote_nothing)
        self._news = ChangeNotifications(self._dial, self._counters)
        self._lead = LeaderLock(self._dial)
        with ExitStack() as undo:
            undo.callback(self.close)
            try:
                _bring_up_to_date(self._engine, name_of(url))
            except DBAPIError as error:
                raise _why(url, error) from error
            undo.pop_all()

    @contextmanager
    def writing(self, *, urgent: bool = False) -> Iterator[Connection]:
        """A transaction that is on the disk when the block ends, or has not happened if it raises. Where the
        connection is lost within the last word, nobody knows, and that is said.
        """
        self._check_open()
        try:
            with _begun(self._engine, _WRITE) as connection:
                yield connection
                _commit(connection)
        except _NOT_TO_BE_WRITTEN as error:
            reason = "The database cannot be written right now. Nothing was changed; try again in a minute."
            raise StorageFailure("", reason) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one moment, and waits for nobody."""
        self._check_open()
        try:
            with _begun(self._engine, _READ) as connection:
                yield connection
        except _JUST_NOW as error:
            raise StorageFailure("", _CANNOT_READ) from error

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """The answer to a question of one statement."""
        self._check_open()
        try:
            try:
                with self._engine.connect() as connection:
                    return question(connection)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            # It was lost while nobody used it.
            with self._engine.connect() as connection:
                return question(connection)
        except _JUST_NOW as error:
            raise StorageFailure("", _CANNOT_READ) from error

    @contextmanager
    def filling(self) -> Iterator[Connection]:
        """As :meth:`writing`, alone, and for as long as it takes."""
        with self.writing() as connection:
            check_closed(connection, name_of(self._engine.url))
            _take_time(connection)
            yield connection

    def announce(self, changes: Mapping[str, int]) -> None:
        """Tells other processes which tables have changed."""
        self._news.tell(changes)

    def note_lines(self, lines: Mapping[str, int]) -> None:
        """PostgreSQL checks its log itself."""

    def hear(self, heard: Callable[[str], None], watched: Callable[[], Collection[str]]) -> None:
        """From now on ``heard(table)`` is called after other processes have changed a table."""
        self._news.hear(heard, watched)

    def leads(self) -> bool:
        """Whether this process plays for the computer players."""
        return self._lead.held()

    def starting(self) -> AbstractContextManager[bool]:
        """Return a block that tells whether no other process has the database open."""
        return self._lead.starting()

    def close(self) -> None:
        """Lets go of all connections."""
        self._closed = True
        self._news.end()
        self._lead.end()
        self._engine.dispose()

    def _dial(self) -> psycopg.Connection[Any]:
        """A connection that nobody shares, for as long as one likes."""
        words, options = self._engine.dialect.create_connect_args(self._engine.url)
        connection = psycopg.connect(*words, **{**options, **_DIALLING})
        _prepare(connection, None)
        return connection

    def _counters(self, watched: Collection[str]) -> Mapping[str, int] | None:
        try:
            with self.reading() as db:
                asked = db.exec_driver_sql(_COUNTERS, (list(watched), SESSIONS_KEY))
                return {row.id: row.changes for row in asked}
        except StorageFailure:
            return None

    def _check_open(self) -> None:
        if self._closed:
            raise StorageFailure("", "The server has stopped.")


# -------------------------------------------------------------------------------------------------- transactions


@contextmanager
def _begun(engine: Engine, begin: str) -> Iterator[Connection]:
    """A connection in a transaction, which is undone unless it is committed. A connection that was lost while nobody
    used it is found out by the first word, and replaced.
    """
    with ExitStack() as used:
        connection = used.enter_context(engine.connect())
        try:
            connection.exec_driver_sql(begin)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            used.close()
            connection = used.enter_context(engine.connect())
            connection.exec_driver_sql(begin)
        yield connection


@contextmanager
def consistent_read(address: str) -> Iterator[Connection]:
    """A transaction that sees the database of an address as it is now, and takes as long as it likes. Raises
    CannotOpen.
    """
    url = url_of(address)
    dialling = _DIALLING | {"application_name": _COPYING}
    engine = create_engine(url, poolclass=NullPool, connect_args=dialling, hide_parameters=True)
    event.listen(engine, "handle_error", _quote_nothing)
    try:
        with _begun(engine, _READ) as connection:
            _take_time(connection)
            yield connection
    except DBAPIError as error:
        raise _why(url, error) from error


def _take_time(connection: Connection) -> None:
    """Until the transaction ends."""
    for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
        connection.exec_driver_sql(f"SET LOCAL {limit} = 0")


def check_closed(connection: Connection, name: str) -> None:
    """``name`` is for the sentence. Raises InUse if anybody else has the server of the connection open."""
    others = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name LIKE 'kontor%%' AND pid <> pg_backend_pid()"
    )
    if connection.exec_driver_sql(others).scalar_one():
        raise InUse("", "Another Kontor is using the data in {folder}.", folder=name)


def _commit(connection: Connection) -> None:
    """Raises StorageFailure where nobody knows whether it has happened."""
    try:
        connection.commit()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        reason = "The connection to the database was lost while saving. Check whether your move was saved."
        raise StorageFailure("", reason) from error


def _prepare(connection: psycopg.Connection[Any], _: object) -> None:
    """Settings for as long as the connection lasts."""
    for name, value in _SETTINGS.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, value))
    # A commit is on the disk, whatever else this server's databases are used for.
    durable = (
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    connection.execute(durable)


def _quote_nothing(context: ExceptionContext) -> None:
    """An error's details quote what was to be written, which can be a secret; so only what is wrong is kept."""
    error, told = context.original_exception, context.sqlalchemy_exception
    if isinstance(error, psycopg.Error) and error.diag.message_primary:
        error.args = (error.diag.message_primary,)
        if told is not None:
            told.args = (f"({type(error).__name__}) {error.diag.message_primary}",)


# ------------------------------------------------------------------------------------------------------- opening


def url_of(address: str) -> URL:
    """Nothing of an address is quoted: it can hold a password. Raises NoAddress."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        raise _no_address() from error
    if url.drivername not in ("postgresql", "postgres"):
        raise _no_address()
    return url.set(drivername="postgresql+psycopg")


def _no_address() -> NoAddress:
    form = "postgresql://name:password@host:port/database"
    return NoAddress("", "The address of a database looks like this: {form}.", form=form)


def name_of(url: URL) -> str:
    """A database as it can be told to anybody: without its user and the password."""
    return URL.create("postgresql", host=url.host, port=url.port, database=url.database).render_as_string()


def _bring_up_to_date(engine: Engine, name: str) -> None:
    """Raises CannotOpen."""
    with _begun(engine, _WRITE) as connection:
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            reason = "The database {name} stores text as {encoding}; create one that stores it as UTF8."
            raise NotADatabase("", reason, name=name, encoding=encoding)
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
        migrate(connection, name)
        connection.commit()


def _why(url: URL, error: DBAPIError) -> CannotOpen:
    """In the words of the server, or of whoever looked for it. They name the user and the database, never a
    password.
    """
    told = str(error.orig).strip().rpartition("\n")[2]
    _, fatal, said = told.rpartition("FATAL:")
    if isinstance(error, OperationalError) and not getattr(error.orig, "sqlstate", None):
        if not fatal:
            why = told.rpartition(" failed: ")[2].strip()
            return Unwritable("", "There is no PostgreSQL at {name}: {why}.", name=name_of(url), why=why)
        return Unwritable("", "The database {name} refused access: {why}.", name=name_of(url), why=said.strip())
    return Unwritable("", "The database {name} cannot be written: {why}.", name=name_of(url), why=told)
