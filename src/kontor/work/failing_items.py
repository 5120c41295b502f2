"""Items of a loop that fail: each is left alone for a while, longer each time, so that the others go on."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Final
from weakref import WeakSet

from kontor.work.failures import safe_traceback
from kontor.work.loops import backoff_after

_LOG = logging.getLogger(__name__)

SET_ASIDE: Final = 5
"""Failures in a row after which an item counts as set aside."""

LONGEST: Final = 6 * 3600.0
"""Seconds that an item is left alone at most."""

_MOST: Final = 10_000
"""Items remembered; beyond that the oldest is forgotten, and tried again at once."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """Failures of an item in a row, and the time when it may be tried again."""

    count: int
    until: float


class FailingItems:
    """The failing items of one loop. Safe to use from any thread."""

    def __init__(self, loop: str, *, first: float = 1.0) -> None:
        """``first`` is the number of seconds to leave an item alone after its first failure."""
        self.loop: Final = loop
        self._first = first
        self._lock = Lock()
        self._failures: dict[str, _Failure] = {}
        with _lock:
            _all.add(self)

    def failed(self, item: str, error: BaseException, what: str) -> float:
        """Note and log that an item has failed; return the seconds to leave it alone.

        ``what`` names the item in the log, so nothing secret may be in it.
        """
        with self._lock:
            before = self._failures.pop(item, None)
            count = before.count + 1 if before else 1
            wait = backoff_after(count - 1, LONGEST / self._first) * self._first
            if len(self._failures) >= _MOST:
                del self._failures[next(iter(self._failures))]
            self._failures[item] = _Failure(count, monotonic() + wait)
        aside = " It is set aside." if count == SET_ASIDE else ""
        _LOG.error("%s failed, next try in %d s: %s.%s", what, wait, safe_traceback(error), aside)
        return wait

    def succeeded(self, item: str) -> None:
        """Forget the failures of an item."""
        with self._lock:
            self._failures.pop(item, None)

    def is_resting(self, item: str) -> bool:
        """Return True if the item is to be left alone now."""
        with self._lock:
            failure = self._failures.get(item)
            return failure is not None and failure.until > monotonic()

    def set_aside(self) -> int:
        """Return how many items are set aside."""
        with self._lock:
            return sum(failure.count >= SET_ASIDE for failure in self._failures.values())


_lock: Final = Lock()
_all: Final[WeakSet[FailingItems]] = WeakSet()


def items_set_aside() -> Mapping[str, int]:
    """Return how many items of each loop of this process are set aside."""
    with _lock:
        everything = list(_all)
    totals: Counter[str] = Counter()
    for items in everything:
        totals[items.loop] += items.set_aside()
    return dict(totals)
