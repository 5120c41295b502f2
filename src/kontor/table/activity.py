"""Whoever counts what a server does."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from sqlalchemy import Connection

from kontor.game import Refusal
from kontor.table.errors import StorageFailure
from kontor.table.storage import Answer, Storage
from kontor.work.failures import safe_traceback

_LOG = logging.getLogger(__name__)


class ActivityCounter(Protocol):
    """Is told in whichever thread it happens, outside of transactions. It should be quick, and must not raise."""

    def moved(self, game: str, *, machine: bool) -> None:
        """A move is on the disk, by a person or a computer player."""

    def refused(self, refusal: Refusal, *, machine: bool) -> None:
        """A move was refused."""

    def failed(self) -> None:
        """The database has failed a transaction."""


class CountedStorage:
    """A storage whose failures are counted, and logged."""

    def __init__(self, storage: Storage, counters: Sequence[ActivityCounter]) -> None:
        self.exclusive = storage.exclusive
        self._storage = storage
        self._counters = counters

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes."""
        with self._counted(), self._storage.writing() as db:
            yield db

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

    def hear(self, heard: Callable[[str], None], watched: Callable[[], Collection[str]]) -> None:
        """Hears of other processes."""
        self._storage.hear(heard, watched)

    def leads(self) -> bool:
        """Whether this process plays for the computer players."""
        return self._storage.leads()

    def close(self) -> None:
        """Waits for what is being written."""
        self._storage.close()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        try:
            yield
        except StorageFailure as failure:
            _LOG.error("The database failed: %s", _code_of(failure))
            for counter in self._counters:
                counter.failed()
            raise


def _code_of(failure: StorageFailure) -> str:
    """How the database calls it; its message could quote what was to be written."""
    cause = failure.__cause__ or failure
    origin = getattr(cause, "orig", None)
    code: str | None = getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None)
    return code or safe_traceback(cause)
