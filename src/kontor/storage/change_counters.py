"""Known values of the counters ``tables.changes`` and ``pulse.endings``.

They show when a change is reported twice, late or never.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from threading import Lock
from typing import Final

from sqlalchemy import Select

POLL_INTERVAL: Final = 2.0
"""Seconds between two reads of the counters."""

SESSIONS_KEY: Final = "sessions"
"""Key of the sessions among the tables: when its counter has grown, some sessions were ended."""

_MOST_DIGITS: Final = 18
"""Greatest number of digits of a counter."""

Counters = Mapping[str, int]
"""Number of changes of each table, by id."""

ChangeListener = Callable[[str], None]
WatchedTables = Callable[[], Collection[str]]

WATCHED: Final = "watched"
"""The parameter of a query for counters: the keys that are watched."""

CounterQuery = Select[tuple[str, int]]
"""A query for the ``id`` and the counter ``changes`` of those watched keys that name something else than a table."""

LookUp = Callable[[Collection[str]], Counters | None]
"""Reads the counters of those of the tables that exist; None if they cannot be read now."""


class KnownCounters:
    """The greatest counters reported so far. Safe to use from any thread."""

    def __init__(self) -> None:
        self._counters: dict[str, int] = {}
        self._lock = Lock()

    def is_new(self, table: str, counter: int) -> bool:
        """Return True if the change was not known before, and remember its counter."""
        with self._lock:
            new = counter > self._counters.get(table, -1)
            if new:
                self._counters[table] = counter
            return new

    def look(self, watched: Collection[str], look_up: LookUp, heard: ChangeListener) -> None:
        """Call ``heard`` for watched tables that have changed or are gone, and forget tables that are not watched.

        The counter in the database is valid, even if a greater one was reported.
        """
        watched = frozenset(watched)
        with self._lock:
            self._counters = {table: counter for table, counter in self._counters.items() if table in watched}
        counters = look_up(watched) if watched else {}
        if counters is not None:
            for table in watched:
                if table not in counters or self._corrects(table, counters[table]):
                    heard(table)

    def _corrects(self, table: str, counter: int) -> bool:
        """Store a counter; return True if it was another one until now."""
        with self._lock:
            before = self._counters.get(table)
            self._counters[table] = counter
            return before != counter


def encode_counters(counters: Counters) -> list[str]:
    """Return one word for each counter, as other processes receive it."""
    return [f"{table}:{counter}" for table, counter in counters.items()]


def decode_counter(word: str) -> tuple[str, int] | None:
    """Return the table and its counter; None if the word has another format."""
    table, _, counter = word.partition(":")
    if not table or len(counter) > _MOST_DIGITS or not (counter.isascii() and counter.isdigit()):
        return None
    return table, int(counter)
