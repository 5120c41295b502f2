"""Queries and changes of a server, each in one transaction, and notifications of listeners afterwards."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime

from sqlalchemy import Connection

from kontor.storage import Answer, Storage
from kontor.storage.change_counters import SESSIONS_KEY
from kontor.table.activity import ActivityCounter, CountedStorage
from kontor.table.changes import Change
from kontor.table.notifiable_people import NotifiablePeople
from kontor.table.rows import milliseconds_of
from kontor.table.table_cache import TableCache

_LOG = logging.getLogger(__name__)

ChangeListener = Callable[[str], None]
WatchedTables = Callable[[], Collection[str]]


class Transactions:
    """The transactions of a server, and its cached tables. Safe to use from any thread."""

    def __init__(self, storage: Storage, clock: Callable[[], datetime]) -> None:
        self.counters: list[ActivityCounter] = []
        """Counters that are notified of moves, and of failures of the database."""
        self.cache = TableCache()
        self.endings = 0
        """How often sessions may have been ended, as far as this process knows."""
        self.notifiable = NotifiablePeople(lambda: self.endings)
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

    @contextmanager
    def changing(self, *, urgent: bool = False) -> Iterator[Change]:
        """Open a transaction that changes something. Raises StorageFailure.

        After the block it is on the disk, the cache is up to date, and listeners were notified. Moves at running
        tables are ``urgent``: they go before others.
        """
        with self.storage.writing(urgent=urgent) as db:
            change = Change(db, self.now, self.cache, self.notifiable)
            yield change
        self.storage.note_lines(change.lines)
        for snapshot, game_state in change.played:
            self.cache.keep(snapshot, game_state)
        if self.storage.exclusive:
            for table, changes in change.taken.items():
                self.cache.note(table, changes, change.mark)
        news = {table: change.taken.get(table, 0) for table in change.touched} | change.news
        self.storage.announce(news)
        for key in news:
            self._notify_listeners(key)

    def listen(self, heard: ChangeListener) -> None:
        """Call ``heard(table)`` after each change at a table, once it is on the disk.

        It is called in the thread that made the change; for changes of other processes, in another thread. It should
        be quick, and must not raise.
        """
        if not self._listening:
            self.storage.hear(self._notify_listeners, self._watched)
        self._listening.append(heard)

    def watch(self, watched: WatchedTables) -> None:
        """Call ``watched()`` for the tables that somebody is looking at; listeners miss no change of these.

        This holds even if notifications of another process are lost. ``watched`` may be called from any thread.
        """
        self._watching.append(watched)

    def watched(self) -> set[str]:
        """Return the tables that somebody is looking at."""
        return {table for watched in tuple(self._watching) for table in watched()}

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
