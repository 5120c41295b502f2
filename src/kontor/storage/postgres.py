"""A PostgreSQL database that a server lives in, shared by any number of processes, on any number of machines.

Locks are per row. A transaction that changes a table first locks its row (``Change.take``), so changes of one table
happen one after the other. A read transaction sees one moment (REPEATABLE READ), as with SQLite.
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

from kontor.storage.change_counters import SESSIONS_KEY, WATCHED, CounterQuery
from kontor.storage.errors import CannotOpen, InUse, NoAddress, NotADatabase, StorageFailure, Unwritable
from kontor.storage.migrate import migrate
from kontor.storage.notifications import ChangeNotifications, LeaderLock
from kontor.storage.tally import MissingCommits
from kontor.words import mark

Answer = TypeVar("Answer")

_KEPT: Final = 5
_MOST: Final = 20
"""Connections of one process, besides the three for notifications (in and out) and for the leader's lock."""

_CONNECT: Final = 5
"""Seconds to wait for a new connection, or for a free one."""

_COPYING: Final = "copy of kontor"
"""Application name of connections that only copy a server. Those of servers are called kontor."""

_SETTINGS: Final = {
    "application_name": f"kontor {os.getpid()}",  # shows in the list of connections which process each belongs to
    "statement_timeout": "10s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "30s",
    # A process whose machine is gone holds locks for half a minute at most.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_DIALLING: Final = {
    "autocommit": True,  # each transaction states how it begins
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
"""Key of the lock under which one process at a time migrates the database."""

_CANNOT_READ: Final = mark("The database cannot be read right now. Try again in a minute.")

_JUST_NOW: Final = (OperationalError, InternalError, InterfaceError, NoneFree)
"""A lost connection, a full disk, a lock timeout, a deadlock; not a violated constraint."""

_NOT_TO_BE_WRITTEN: Final = (*_JUST_NOW, NotSupportedError)
"""Errors of a write; a standby reports that it does not support such a transaction."""


class Postgres:
    """Transactions on a database, from any thread."""

    exclusive = False
    missing: MissingCommits | None = None  # PostgreSQL checks its log itself

    def __init__(self, address: str) -> None:
        """Open the database and migrate it. Raises CannotOpen."""
        url = url_of(address)
        self._closed = False
        self._counted: tuple[CounterQuery, ...] = ()
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
                raise _refusal_for(url, error) from error
            undo.pop_all()

    @contextmanager
    def writing(self, *, urgent: bool = False) -> Iterator[Connection]:
        """Open a transaction that is on the disk when the block ends, or is undone if the block raises.

        If the connection is lost during the commit, the outcome is unknown; the StorageFailure then says so.
        """
        self._check_open()
        try:
            with _transaction(self._engine, _WRITE) as connection:
                yield connection
                _commit(connection)
        except _NOT_TO_BE_WRITTEN as error:
            reason = "The database cannot be written right now. Nothing was changed; try again in a minute."
            raise StorageFailure("", reason) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a read-only transaction that sees one moment and waits for no lock."""
        self._check_open()
        try:
            with _transaction(self._engine, _READ) as connection:
                yield connection
        except _JUST_NOW as error:
            raise StorageFailure("", _CANNOT_READ) from error

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """Return the answer to a question of one statement."""
        self._check_open()
        try:
            try:
                with self._engine.connect() as connection:
                    return question(connection)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            # The connection was lost while idle.
            with self._engine.connect() as connection:
                return question(connection)
        except _JUST_NOW as error:
            raise StorageFailure("", _CANNOT_READ) from error

    @contextmanager
    def filling(self) -> Iterator[Connection]:
        """Open a transaction as :meth:`writing` does, alone and without a time limit."""
        with self.writing() as connection:
            check_closed(connection, name_of(self._engine.url))
            _take_time(connection)
            yield connection

    def announce(self, changes: Mapping[str, int]) -> None:
        """Tell other processes which tables have changed."""
        self._news.tell(changes)

    def note_lines(self, lines: Mapping[str, int]) -> None:
        """Do nothing: PostgreSQL checks its log itself."""

    def hear(
        self,
        heard: Callable[[str], None],
        watched: Callable[[], Collection[str]],
        counted: Collection[CounterQuery] = (),
    ) -> None:
        """Call ``heard(table)`` after other processes have changed a table, or what the queries count."""
        self._counted = tuple(counted)
        self._news.hear(heard, watched)

    def leads(self) -> bool:
        """Return True if this process plays for the computer players."""
        return self._lead.held()

    def starting(self) -> AbstractContextManager[bool]:
        """Return a block that tells whether no other process has the database open."""
        return self._lead.starting()

    def close(self) -> None:
        """Close all connections."""
        self._closed = True
        self._news.end()
        self._lead.end()
        self._engine.dispose()

    def _dial(self) -> psycopg.Connection[Any]:
        """Return a new connection that is not shared."""
        words, options = self._engine.dialect.create_connect_args(self._engine.url)
        connection = psycopg.connect(*words, **{**options, **_DIALLING})
        _prepare(connection, None)
        return connection

    def _counters(self, watched: Collection[str]) -> Mapping[str, int] | None:
        try:
            with self.reading() as db:
                rows = db.exec_driver_sql(_COUNTERS, (list(watched), SESSIONS_KEY))
                counters: dict[str, int] = {row.id: row.changes for row in rows}
                others = [key for key in watched if key not in counters]
                for query in self._counted if others else ():
                    counters |= {row.id: row.changes for row in db.execute(query, {WATCHED: others})}
                return counters
        except StorageFailure:
            return None

    def _check_open(self) -> None:
        if self._closed:
            raise StorageFailure("", "The server has stopped.")


# -------------------------------------------------------------------------------------------------- transactions


@contextmanager
def _transaction(engine: Engine, begin: str) -> Iterator[Connection]:
    """Open a connection in a transaction, which is undone unless it is committed.

    A connection that was lost while idle fails at the first statement, and is replaced.
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
    """Open a read-only transaction on the database of an address, without a time limit. Raises CannotOpen."""
    url = url_of(address)
    dialling = _DIALLING | {"application_name": _COPYING}
    engine = create_engine(url, poolclass=NullPool, connect_args=dialling, hide_parameters=True)
    event.listen(engine, "handle_error", _quote_nothing)
    try:
        with _transaction(engine, _READ) as connection:
            _take_time(connection)
            yield connection
    except DBAPIError as error:
        raise _refusal_for(url, error) from error


def _take_time(connection: Connection) -> None:
    """Switch off the time limits until the transaction ends."""
    for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
        connection.exec_driver_sql(f"SET LOCAL {limit} = 0")


def check_closed(connection: Connection, name: str) -> None:
    """Raise InUse, with ``name``, if anybody else has the server of the connection open."""
    others = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name LIKE 'kontor%%' AND pid <> pg_backend_pid()"
    )
    if connection.exec_driver_sql(others).scalar_one():
        raise InUse("", "Another Kontor is using the data in {folder}.", folder=name)


def _commit(connection: Connection) -> None:
    """Commit; raise StorageFailure if the connection is lost meanwhile, so that the outcome is unknown."""
    try:
        connection.commit()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        reason = "The connection to the database was lost while saving. Check whether your move was saved."
        raise StorageFailure("", reason) from error


def _prepare(connection: psycopg.Connection[Any], _: object) -> None:
    """Set the session's settings on a new connection."""
    for name, value in _SETTINGS.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, value))
    # A commit must be on the disk, however the other databases of this PostgreSQL server are set up.
    durable = (
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    connection.execute(durable)


def _quote_nothing(context: ExceptionContext) -> None:
    """Reduce an error to its primary message: its details quote the values to be written, which can be secret."""
    error, wrapper = context.original_exception, context.sqlalchemy_exception
    if isinstance(error, psycopg.Error) and error.diag.message_primary:
        error.args = (error.diag.message_primary,)
        if wrapper is not None:
            wrapper.args = (f"({type(error).__name__}) {error.diag.message_primary}",)


# ------------------------------------------------------------------------------------------------------- opening


def url_of(address: str) -> URL:
    """Return the URL of an address. Raises NoAddress, which quotes nothing of it: it can hold a password."""
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
    """Return the database's address without its user and password."""
    return URL.create("postgresql", host=url.host, port=url.port, database=url.database).render_as_string()


def _bring_up_to_date(engine: Engine, name: str) -> None:
    """Check the encoding and migrate the database. Raises CannotOpen."""
    with _transaction(engine, _WRITE) as connection:
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            reason = "The database {name} stores text as {encoding}; create one that stores it as UTF8."
            raise NotADatabase("", reason, name=name, encoding=encoding)
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
        migrate(connection, name)
        connection.commit()


def _refusal_for(url: URL, error: DBAPIError) -> CannotOpen:
    """Return the refusal for an error, with the message of PostgreSQL or of the system.

    These messages name the user and the database, never a password.
    """
    message = str(error.orig).strip().rpartition("\n")[2]
    _, fatal, fatal_message = message.rpartition("FATAL:")
    if isinstance(error, OperationalError) and not getattr(error.orig, "sqlstate", None):
        if not fatal:
            why = message.rpartition(" failed: ")[2].strip()
            return Unwritable("", "There is no PostgreSQL at {name}: {why}.", name=name_of(url), why=why)
        return Unwritable(
            "", "The database {name} refused access: {why}.", name=name_of(url), why=fatal_message.strip()
        )
    return Unwritable("", "The database {name} cannot be written: {why}.", name=name_of(url), why=message)
