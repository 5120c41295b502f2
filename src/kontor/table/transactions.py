"""What is asked and changed, each in one transaction; and who hears of it afterwards."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime

from sqlalchemy import Connection

from kontor.table.activity import ActivityCounter, CountedStorage
from kontor.table.changes import Change
from kontor.table.hearers import Hearers
from kontor.table.rows import milliseconds_of
from kontor.table.storage import Answer, Storage
from kontor.table.storage.change_counters import SESSIONS_KEY
from kontor.table.table_cache import TableCache

_LOG = logging.getLogger(__name__)

ChangeListener = Callable[[str], None]
WatchedTables = Callable[[], Collection[str]]


class Transactions:
    """Those of a server, and its tables in memory. Safe from any thread."""

    def __init__(self, storage: Storage, clock: Callable[[], datetime]) -> None:
        self.counters: list[ActivityCounter] = []
        """Are told of moves, and of failures of the database."""
        self.cache = TableCache()
        self.endings = 0
        """How often sessions may have been ended, as far as this process has heard."""
        self.hearers = Hearers(lambda: self.endings)
        self.storage = CountedStorage(storage, self.counters)
        self.clock = clock
        self._listening: list[ChangeListener] = []
        self._watching: list[WatchedTables] = []

    def now(self) -> int:
        """The time in milliseconds."""
        return milliseconds_of(self.clock())

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that sees one moment, and changes nothing. Raises StorageFailure."""
        return self.storage.reading()

    def ask(self, question: Callable[[Connection], Answer]) -> Answer:
        """The answer to a question of one statement. Raises StorageFailure."""
        return self.storage.ask(question)

    @contextmanager
    def changing(self, *, urgent: bool = False) -> Iterator[Change]:
        """A transaction that changes something. When the block ends it is on the disk, memory has it, and whoever
        listens has heard of it. Moves at running tables are ``urgent``: they go before others. Raises
        StorageFailure.
        """
        with self.storage.writing(urgent=urgent) as db:
            change = Change(db, self.now, self.cache, self.hearers)
            yield change
        self.storage.note_lines(change.lines)
        for snapshot, game_state in change.played:
            self.cache.keep(snapshot, game_state)
        if self.storage.exclusive:
            for table, changes in change.taken.items():
                self.cache.note(table, changes, change.mark)
        news = {table: change.taken.get(table, 0) for table in change.touched} | change.news
        self.storage.announce(news)
        for what in news:
            self._notify_listeners(what)

    def listen(self, heard: ChangeListener) -> None:
        """``heard(table)`` is called after each change at a table, once it is on the disk, in whichever thread made
        it; what other processes change is heard in another. It should be quick, and must not raise.
        """
        if not self._listening:
            self.storage.hear(self._notify_listeners, self._watched)
        self._listening.append(heard)

    def watch(self, watched: WatchedTables) -> None:
        """``watched()`` tells which tables somebody is looking at: of these, whoever listens misses no change, even
        if news of another process are lost. May be called from any thread.
        """
        self._watching.append(watched)

    def watched(self) -> set[str]:
        """The tables that somebody is looking at."""
        return {table for watched in tuple(self._watching) for table in watched()}

    def _watched(self) -> Collection[str]:
        return {SESSIONS_KEY, *self.watched()}

    def _notify_listeners(self, what: str) -> None:
        """Whoever listens looks at the table again; or sessions have ended."""
        if what == SESSIONS_KEY:
            self.endings += 1
            return
        for heard in tuple(self._listening):
            _tell(heard, what)


def _tell(heard: ChangeListener, table: str) -> None:
    try:
        heard(table)
    except Exception as error:  # noqa: BLE001 (what has happened is on the disk: whoever asked for it must not believe it failed)
        _LOG.error("A listener failed: %s", type(error).__name__)
