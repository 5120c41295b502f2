"""What one knows of the counters ``tables.changes``, and ``pulse.endings``: by them one who hears of a change twice,
late, or never finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from threading import Lock
from typing import Final

POLL_INTERVAL: Final = 2.0
"""After how many seconds the counters are looked at."""

SESSIONS_KEY: Final = "sessions"
"""Stands among the tables for the sessions, of which some have been ended when its counter has grown."""

_MOST_DIGITS: Final = 18
"""Digits of a counter."""

Counters = Mapping[str, int]
"""Of tables, how often they were changed."""

ChangeListener = Callable[[str], None]
WatchedTables = Callable[[], Collection[str]]

LookUp = Callable[[Collection[str]], Counters | None]
"""Looks up the counters of those of the tables that there are; None if they cannot be had just now."""


class KnownCounters:
    """The greatest counters that one has heard of. Safe to use from any thread."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._lock = Lock()

    def is_new(self, table: str, counter: int) -> bool:
        """Whether a change was not known before. It is now."""
        with self._lock:
            new = counter > self._known.get(table, -1)
            if new:
                self._known[table] = counter
            return new

    def look(self, watched: Collection[str], look_up: LookUp, heard: ChangeListener) -> None:
        """Tell ``heard`` of watched tables of which there is something new, or that have gone, and forget the others.
        What the database says holds, also where somebody has told of more.
        """
        watched = frozenset(watched)
        with self._lock:
            self._known = {table: counter for table, counter in self._known.items() if table in watched}
        counters = look_up(watched) if watched else {}
        if counters is not None:
            for table in watched:
                if table not in counters or self._corrects(table, counters[table]):
                    heard(table)

    def _corrects(self, table: str, counter: int) -> bool:
        """Return whether something else was known of the table until now."""
        with self._lock:
            before = self._known.get(table)
            self._known[table] = counter
            return before != counter


def encoded(counters: Counters) -> list[str]:
    """A word for each counter, as it is told to others."""
    return [f"{table}:{counter}" for table, counter in counters.items()]


def decoded(word: str) -> tuple[str, int] | None:
    """Return the table and its counter; None if the word is none of ours."""
    table, _, counter = word.partition(":")
    if not table or len(counter) > _MOST_DIGITS or not (counter.isascii() and counter.isdigit()):
        return None
    return table, int(counter)
