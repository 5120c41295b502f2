"""Whoever counts what a server does."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from time import monotonic
from typing import Final, Literal, Protocol

from sqlalchemy import Connection

from kontor.game import Refusal
from kontor.table.errors import DatabaseDamaged, DatabaseMoved, StorageFailure
from kontor.table.storage import Answer, Storage
from kontor.work.failures import safe_traceback

_LOG = logging.getLogger(__name__)

FAULT_HELD: Final = 10.0
"""Seconds for which a refused write counts. On a full disk a smaller one may succeed meanwhile."""

StorageFault = Literal["", "damaged", "moved", "unwritable"]
"""What is wrong with a database, as its transactions have seen it."""

_DAMAGED: Final = ("XX001", "XX002")
"""PostgreSQL's codes for a damaged table and a damaged index."""

_UNWRITABLE: Final = ("SQLITE_", "25006", "53100", "58030")
"""Codes of a refused write which mean that others are refused too: any of SQLite, and PostgreSQL's for a standby, a
full disk and a disk that fails. A deadlock or a lost connection is not among them."""


class ActivityCounter(Protocol):
    """Is told in whichever thread it happens, outside of transactions. It should be quick, and must not raise."""

    def moved(self, game: str, *, machine: bool) -> None:
        """A move is on the disk, by a person or a computer player."""

    def refused(self, refusal: Refusal, *, machine: bool) -> None:
        """A move was refused."""

    def failed(self) -> None:
        """The database has failed a transaction."""

    def not_in_place(self) -> None:
        """It has, for its files are not in their place."""


class CountedStorage:
    """A storage whose failures are counted, and logged."""

    def __init__(self, storage: Storage, counters: Sequence[ActivityCounter]) -> None:
        self.exclusive = storage.exclusive
        self.missing = storage.missing
        self._storage = storage
        self._counters = counters
        self._lock = Lock()
        self._is_damaged = False
        self._is_moved = False
        self._refused_until = 0.0

    def fault(self) -> StorageFault:
        """Return what is wrong with the database. Damage stays until a restart, files out of their place until
        a write succeeds, and a refused write for FAULT_HELD."""
        if self._is_damaged:
            return "damaged"
        if self._is_moved:
            return "moved"
        return "unwritable" if monotonic() < self._refused_until else ""

    @contextmanager
    def writing(self, *, urgent: bool = False) -> Iterator[Connection]:
        """A transaction that writes."""
        with self._counted(is_write=True), self._storage.writing(urgent=urgent) as db:
            yield db
        self._note_moved(is_moved=False)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads."""
        with self._counted(), self._storage.reading() as db:
            yield db

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """A question of one statement."""
        with self._counted():
            return self._storage.ask(question)

    def announce(self, changes: Mapping[str, int]) -> None:
        """Tells other processes of the changes."""
        self._storage.announce(changes)

    def note_lines(self, lines: Mapping[str, int]) -> None:
        """Note outside of the database how far games have come."""
        self._storage.note_lines(lines)

    def hear(self, heard: Callable[[str], None], watched: Callable[[], Collection[str]]) -> None:
        """Hears of other processes."""
        self._storage.hear(heard, watched)

    def leads(self) -> bool:
        """Whether this process plays for the computer players."""
        return self._storage.leads()

    def starting(self) -> AbstractContextManager[bool]:
        """Return a block that tells whether no other process has the server open."""
        return self._storage.starting()

    def close(self) -> None:
        """Waits for what is being written."""
        self._storage.close()

    @contextmanager
    def _counted(self, *, is_write: bool = False) -> Iterator[None]:
        try:
            yield
        except DatabaseMoved:
            self._note_moved(is_moved=True)
            for counter in self._counters:
                counter.failed()
                counter.not_in_place()
            raise
        except StorageFailure as failure:
            code = _code_of(failure)
            _LOG.error("The database failed: %s", code)
            if isinstance(failure, DatabaseDamaged) or code in _DAMAGED:
                self._is_damaged = True
            elif is_write and code.startswith(_UNWRITABLE):
                self._refused_until = monotonic() + FAULT_HELD
            for counter in self._counters:
                counter.failed()
            raise

    def _note_moved(self, *, is_moved: bool) -> None:
        """Note whether the files are in their place; log it when that changes."""
        if is_moved == self._is_moved:
            return
        with self._lock:
            is_news, self._is_moved = is_moved != self._is_moved, is_moved
        if is_news and is_moved:
            _LOG.critical("The database’s files are not in their place: all writes are refused until they are back")
        elif is_news:
            _LOG.warning("The database’s files are in their place again")


def _code_of(failure: StorageFailure) -> str:
    """How the database calls it; its message could quote what was to be written."""
    cause = failure.__cause__ or failure
    origin = getattr(cause, "orig", None)
    code: str | None = getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None)
    return code or safe_traceback(cause)
