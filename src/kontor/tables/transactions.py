"""The transactions of a server with tables: after each the cache is up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from kontor.storage import Storage
from kontor.storage.transactions import Transactions
from kontor.tables.cache import TableCache
from kontor.tables.changes import TableChange
from kontor.tables.notifiable_people import NotifiablePeople


class TableTransactions(Transactions[TableChange]):
    """The transactions of a server, and its cached tables."""

    def __init__(self, storage: Storage, clock: Callable[[], datetime]) -> None:
        super().__init__(storage, clock)
        self.cache = TableCache()
        self.notifiable = NotifiablePeople(lambda: self.endings)

    @contextmanager
    def changing(self, *, urgent: bool = False) -> Iterator[TableChange]:
        """Open a transaction that may change tables, too; after the block the cache is up to date as well."""
        with self.storage.writing(urgent=urgent) as db:
            change = TableChange(db, self.now, self.cache, self.notifiable)
            yield change
        self.storage.note_lines(change.lines)
        for snapshot, game_state in change.played:
            self.cache.keep(snapshot, game_state)
        if self.storage.exclusive:
            for table, changes in change.taken.items():
                self.cache.note(table, changes, change.mark)
        self.announce({table: change.taken.get(table, 0) for table in change.touched} | change.news)
