"""Counters of a server's moves and failures."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Final, Literal, Protocol

from sqlalchemy import Connection

from kontor.game import Refusal
from kontor.storage import Answer, Storage
from kontor.storage.errors import DatabaseDamaged, DatabaseMoved, StorageFailure
from kontor.work.failures import safe_traceback

_LOG = logging.getLogger(__name__)

FAULT_HELD: Final = 10.0
"""Seconds for which a refused write counts. On a full disk a smaller write may succeed meanwhile."""

StorageFault = Literal["", "damaged", "moved", "unwritable"]
"""A database fault, as its transactions have seen it."""

_DAMAGED: Final = ("XX001", "XX002")
"""PostgreSQL's codes for a damaged table and a damaged index."""

_UNWRITABLE: Final = ("SQLITE_", "25006", "53100", "58030")
"""Codes of a refused write after which other writes will be refused too.

They are any of SQLite, and PostgreSQL's for a standby, a full disk and a failing disk. A deadlock or a lost
connection is not among them.
"""


class ActivityCounter(Protocol):
    """Counter of moves and failures, called in the thread in which they happen, outside of transactions.

    Its methods should be quick, and must not raise.
    """

    def moved(self, game: str, *, machine: bool) -> None:
        """Count a move that is on the disk, by a person or a computer player."""

    def refused(self, refusal: Refusal, *, machine: bool) -> None:
        """Count a refused move."""

    def failed(self) -> None:
        """Count a transaction that the database failed."""

    def not_in_place(self) -> None:
        """Count a transaction that failed because the database's files are not in their place."""


class CountedStorage:
    """A storage that counts and logs its failures."""

    def __init__(self, storage: Storage, counters: Sequence[ActivityCounter]) -> None:
        self.exclusive = storage.exclusive
        self.missing = storage.missing
        self.announce = storage.announce
        self.note_lines = storage.note_lines
        self.hear = storage.hear
        self.leads = storage.leads
        self.starting = storage.starting
        self.close = storage.close
        self._storage = storage
        self._counters = counters
        self._lock = Lock()
        self._is_damaged = False
        self._is_moved = False
        self._refused_until = 0.0

    def fault(self) -> StorageFault:
        """Return what is wrong with the database, or "".

        Damage lasts until a restart, misplaced files until a write succeeds, and a refused write for FAULT_HELD.
        """
        if self._is_damaged:
            return "damaged"
        if self._is_moved:
            return "moved"
        return "unwritable" if monotonic() < self._refused_until else ""

    @contextmanager
    def writing(self, *, urgent: bool = False) -> Iterator[Connection]:
        """Open a transaction that writes."""
        with self._counting_failures(is_write=True), self._storage.writing(urgent=urgent) as db:
            yield db
        self._note_moved(is_moved=False)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that reads."""
        with self._counting_failures(), self._storage.reading() as db:
            yield db

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """Run a query of one statement."""
        with self._counting_failures():
            return self._storage.ask(question)

    @contextmanager
    def _counting_failures(self, *, is_write: bool = False) -> Iterator[None]:
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
    """Return the database's error code; its message could quote data that was to be written."""
    cause = failure.__cause__ or failure
    origin = getattr(cause, "orig", None)
    code: str | None = getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None)
    return code or safe_traceback(cause)
