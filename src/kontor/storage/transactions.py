"""Queries and changes of a server, each in one transaction, and notifications of listeners afterwards."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Generic, TypeVar

from sqlalchemy import Connection, update

from kontor.storage import Answer, Storage
from kontor.storage.activity import ActivityCounter, CountedStorage
from kontor.storage.change_counters import SESSIONS_KEY, ChangeListener, CounterQuery, WatchedTables
from kontor.storage.schema import pulse
from kontor.storage.stored_times import milliseconds_of

_LOG = logging.getLogger(__name__)

_COUNT_ENDING: Final = update(pulse).values(endings=pulse.c.endings + 1).returning(pulse.c.endings)


@dataclass(slots=True)
class Change:
    """A transaction that changes something."""

    db: Connection
    clock: Callable[[], int]
    """The source of the time, in milliseconds."""
    news: dict[str, int] = field(default_factory=dict, kw_only=True)
    """Other keys than tables that are announced to other processes, each with its counter."""
    _now: int | None = field(default=None, kw_only=True)

    @property
    def now(self) -> int:
        """Return the time in milliseconds, read at the first call and the same until the end of the transaction.

        At a table it is read once the table is locked, so that lines stand in the order of their times.
        """
        if self._now is None:
            self._now = self.clock()
        return self._now

    def count_ending(self) -> None:
        """Make all processes read anew which tokens are valid, and who can be notified."""
        self.news[SESSIONS_KEY] = self.db.execute(_COUNT_ENDING).scalar_one()


AnyChange = TypeVar("AnyChange", bound=Change, covariant=True)


class Transactions(ABC, Generic[AnyChange]):
    """The transactions of a server. Safe to use from any thread."""

    def __init__(self, storage: Storage, clock: Callable[[], datetime]) -> None:
        self.counters: list[ActivityCounter] = []
        """Counters that are notified of moves, and of failures of the database."""
        self.counted: tuple[CounterQuery, ...] = ()
        """Queries for the counters of what else than tables can be watched."""
        self.endings = 0
        """Number of times that sessions may have ended, as far as this process knows."""
        self.storage = CountedStorage(storage, self.counters)
        self.clock = clock
        self._listening: list[ChangeListener] = []
        self._watching: list[WatchedTables] = []

    def now(self) -> int:
        """Return the time in milliseconds."""
        return milliseconds_of(self.clock())

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a read-only transaction that sees one moment. Raises StorageFailure."""
        return self.storage.reading()

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """Return the answer to a question of one statement. Raises StorageFailure."""
        return self.storage.ask(question)

    @abstractmethod
    def changing(self, *, urgent: bool = False) -> AbstractContextManager[AnyChange]:
        """Open a transaction that changes something. Raises StorageFailure.

        After the block it is on the disk, and listeners were notified. Moves at running tables are ``urgent``: they
        go before others.
        """

    def listen(self, heard: ChangeListener) -> None:
        """Call ``heard(table)`` after each change at a table, once it is on the disk.

        It is called in the thread that made the change; for changes of other processes, in another thread. It should
        be quick, and must not raise.
        """
        if not self._listening:
            self.storage.hear(self._notify_listeners, self._watched, self.counted)
        self._listening.append(heard)

    def watch(self, watched: WatchedTables) -> None:
        """Call ``watched()`` for the tables that somebody is looking at; listeners miss no change of these.

        This holds even if notifications of another process are lost. ``watched`` may be called from any thread.
        """
        self._watching.append(watched)

    def watched(self) -> set[str]:
        """Return the tables that somebody is looking at."""
        return {table for watched in tuple(self._watching) for table in watched()}

    def announce(self, news: Mapping[str, int]) -> None:
        """Notify other processes and the listeners of this one of changes, each key with its counter."""
        self.storage.announce(news)
        for key in news:
            self._notify_listeners(key)

    def _watched(self) -> Collection[str]:
        return {SESSIONS_KEY, *self.watched()}

    def _notify_listeners(self, key: str) -> None:
        """Call the listeners for a table that has changed, or count an end of sessions."""
        if key == SESSIONS_KEY:
            self.endings += 1
            return
        for heard in tuple(self._listening):
            _notify(heard, key)


def _notify(heard: ChangeListener, table: str) -> None:
    try:
        heard(table)
    except Exception as error:  # noqa: BLE001 (the change is on the disk: its caller must not take it for failed)
        _LOG.error("A listener failed: %s", type(error).__name__)
