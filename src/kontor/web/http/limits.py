"""Rate limits: how often somebody may do a thing. Buckets of tokens, in memory only.

Each kind of thing has a bucket a head, which holds ``most`` at once and is refilled by ``a_minute``. A person is
counted by themselves and their address too, so that a new name does not begin anew.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kontor.web.addresses import network_of


@dataclass(frozen=True)
class Limit:
    """A bucket's size and how fast it fills."""

    most: int
    a_minute: float


LIMITS: Final[dict[str, Limit]] = {
    "name": Limit(20, 4),
    "open": Limit(12, 4),
    "join": Limit(30, 15),
    "move": Limit(120, 240),
    "hint": Limit(20, 20),
    "chat": Limit(8, 20),
    "live": Limit(60, 120),
    "review": Limit(6, 2),
}
"""By what is done. An address may do ``SHARED`` times as much as a person: households and schools share one."""

SHARED: Final = 5
_MOST_BUCKETS: Final = 20_000


class RateLimited(Exception):
    """Somebody is too quick. ``seconds`` says when to come back."""

    def __init__(self, what: str, seconds: int) -> None:
        super().__init__(what, seconds)
        self.seconds = seconds


class Limits:
    """All buckets of one process. Safe to use from any thread."""

    def __init__(self, limits: dict[str, Limit] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._limits = LIMITS if limits is None else limits
        self._now = now
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._lock = threading.Lock()

    def spend(self, what: str, address: str, person: str | None = None) -> None:
        """Counts one more. Raises RateLimited when there have been too many."""
        limit = self._limits[what]
        with self._lock:
            self._take(what, f"@{network_of(address)}", Limit(limit.most * SHARED, limit.a_minute * SHARED))
            if person is not None:
                self._take(what, person, limit)

    def _take(self, what: str, who: str, limit: Limit) -> None:
        now = self._now()
        left, since = self._buckets.get((what, who), (float(limit.most), now))
        left = min(limit.most, left + (now - since) * limit.a_minute / 60)
        if left < 1:
            raise RateLimited(what, max(1, round((1 - left) * 60 / limit.a_minute)))
        if len(self._buckets) >= _MOST_BUCKETS and (what, who) not in self._buckets:
            self._make_room(now)
        self._buckets[what, who] = (left - 1, now)

    def _make_room(self, now: float) -> None:
        """Forgets the buckets that are full again, for they hold nobody back; in a flood of addresses the fullest."""

        def left(bucket: tuple[tuple[str, str], tuple[float, float]]) -> float:
            (what, who), (drops, since) = bucket
            limit, share = self._limits[what], SHARED if who.startswith("@") else 1
            return (drops + (now - since) * share * limit.a_minute / 60) / (share * limit.most)

        fullest_last = sorted(self._buckets.items(), key=left)
        self._buckets = dict(fullest_last[: _MOST_BUCKETS // 2])
