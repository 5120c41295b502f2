"""Rate limits: how often somebody may do a thing. Buckets of tokens, in memory only.

Each kind of thing has a bucket a head, which holds ``most`` at once and is refilled by ``a_minute``. A person is
counted by themselves and their address too, so that a new name does not begin anew; and by the networks around the
address, which may do several times as much, so that a line with many addresses does not begin anew with each. Each
request is counted by the seconds of the processor that it takes, too, which are known afterwards: a bucket can be
overdrawn, and then fills first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, NamedTuple

from kontor.web.addresses import networks_of

SHARED: Final = 5
"""How many times as much as a person an address may do: households and schools share one."""


@dataclass(frozen=True)
class Limit:
    """A person's bucket: its size and how fast it fills; that of an address is ``shared`` times as large."""

    most: float
    a_minute: float
    shared: float = SHARED


LIMITS: Final[dict[str, Limit]] = {
    "name": Limit(20, 4),
    "code": Limit(6, 1),
    "export": Limit(3, 0.2),
    "open": Limit(12, 4),
    "machines": Limit(6, 1),
    "join": Limit(30, 15),
    "move": Limit(120, 240),
    "hint": Limit(20, 20),
    "analysis": Limit(40, 20),
    "chat": Limit(8, 20),
    "live": Limit(60, 120),
    "review": Limit(6, 2),
    "mail": Limit(5, 0.2),
    "notify": Limit(20, 10),
    "read": Limit(2, 6, shared=2),
    "work": Limit(3, 15, shared=3),
    "request": Limit(800, 480),
    "pace": Limit(0.75, 9, shared=1),
}
"""By what is done; ``code``: typing one, right or wrong; ``machines``: opening a table of computer players only,
which goes on without anybody; ``request`` and ``pace``: of an address, whatever it asks for. More are not refused,
but answered later."""

REQUEST: Final = "request"

READING: Final = "read"
WORKING: Final = "work"
"""Counted in seconds of the processor, of requests that read and of those that change something. A page takes some
five thousandths of one, a long game checked half of one."""

PACE: Final = "pace"
"""Counted in seconds of the processor, of all requests of an address."""

REQUEST_ESTIMATE: Final = 0.002
"""Seconds of the processor that a request is taken to need until it is known."""

_A_TRIFLE: Final = 0.001
"""Seconds of the processor without which no work is begun."""

_A_REFUSAL: Final = 0.005
"""Seconds of the processor that a refusal takes, with its page."""

REFUSAL_DELAY: Final = 1.0
"""Seconds until whoever is to wait is told so."""

_BETWEEN_REFUSALS: Final = 0.05
"""Seconds between two such answers to an address."""

_LONGEST_DELAY: Final = 20.0
"""Seconds until such an answer at most, however many are to be told."""

_MOST_BUCKETS: Final = 20_000


class RateLimited(Exception):
    """Somebody is too quick. ``seconds`` says when to come back."""

    def __init__(self, what: str, seconds: int) -> None:
        super().__init__(what, seconds)
        self.seconds = seconds


class _Account(NamedTuple):
    """Whose bucket it is: that of a person, or that of a network as large as ``size`` addresses."""

    name: str
    size: int = 0


class Limits:
    """All buckets of one process. Safe to use from any thread."""

    def __init__(self, limits: dict[str, Limit] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._limits = LIMITS if limits is None else limits
        self._now = now
        self._buckets: dict[tuple[str, _Account], tuple[float, float]] = {}
        self._next_refusal: dict[_Account, float] = {}
        self._lock = threading.Lock()

    def spend(self, what: str, address: str, person: str | None = None) -> None:
        """Counts one more. Raises RateLimited when there have been too many; what is refused is not counted, or one
        person who goes on trying would use up what others at the address may do."""
        counted = _counted(address, person)
        with self._lock:
            self._check(what, counted, 1.0)
            for who in counted:
                self._take(what, who, 1.0)

    def check(self, budget: str, address: str, person: str | None = None) -> None:
        """Before work of a ``budget`` of processor time. Raises RateLimited when what they did of late took too
        long."""
        with self._lock:
            self._check(budget, _counted(address, person), _A_TRIFLE)

    def charge(
        self, budget: str, seconds: float, address: str, person: str | None = None, *, estimated: float = 0.0
    ) -> None:
        """Charge processor time that a request has taken, to its ``budget`` and to the pace of its networks, which
        have been charged what was ``estimated``."""
        with self._lock:
            for who in _counted(address, person):
                self._take(budget, who, seconds)
            for who in _counted(address, None):
                self._take(PACE, who, seconds - estimated)

    def used(self, address: str) -> float:
        """Return how many seconds of the processor an address has used of late, beyond its pace; or a network around
        it for each address that it is as large as, if that is more."""
        with self._lock:
            return max(
                (self._limit(PACE, who).most - self._left(PACE, who)) / who.size for who in _counted(address, None)
            )

    def refused(self, address: str, too_quick: bool) -> float:
        """Something was refused, because it was ``too_quick`` or for any other reason. Returns the seconds until that
        is to be told: none for who has not asked for much of late."""
        with self._lock:
            overdrawn = self._take_from_within(READING, address, _A_REFUSAL)
            if overdrawn is None and not too_quick:
                return 0.0
            return self._delay(overdrawn or _counted(address, None)[0])

    def requested(self, address: str) -> float:
        """Something is asked for. Returns the seconds until that is to be begun with: none, but for who asks for very
        much, or for what takes long. The pace is charged the estimate of a request."""
        counted = _counted(address, None)
        with self._lock:
            crowding = self._take_from_within(REQUEST, address, 1.0)
            for who in counted:
                self._take(PACE, who, REQUEST_ESTIMATE)
            ahead = max(-self._left(PACE, who) * 60 / self._limit(PACE, who).a_minute for who in counted)
            delay = 0.0 if crowding is None else self._delay(crowding)
            return max(delay, min(ahead, _LONGEST_DELAY))

    def _take_from_within(self, what: str, address: str, amount: float) -> _Account | None:
        """Take from the networks of an address, the smallest first, until one is overdrawn; return that one.

        What is made to wait for the sake of an address is not charged to its neighbours.
        """
        for who in _counted(address, None):
            self._take(what, who, amount)
            if self._left(what, who) < 0:
                return who
        return None

    def _delay(self, who: _Account) -> float:
        now = self._now()
        if who not in self._next_refusal and len(self._next_refusal) >= _MOST_BUCKETS:
            self._next_refusal = {each: at for each, at in self._next_refusal.items() if at > now}
        at = max(now + REFUSAL_DELAY, self._next_refusal.get(who, 0.0))
        at = min(at, now + _LONGEST_DELAY)
        self._next_refusal[who] = at + _BETWEEN_REFUSALS
        return at - now

    def _check(self, what: str, counted: Sequence[_Account], needed: float) -> None:
        wait = max((needed - self._left(what, who)) * 60 / self._limit(what, who).a_minute for who in counted)
        if wait > 0:
            raise RateLimited(what, ceil(wait))

    def _take(self, what: str, who: _Account, amount: float) -> None:
        now, left = self._now(), self._left(what, who)
        if len(self._buckets) >= _MOST_BUCKETS and (what, who) not in self._buckets:
            self._make_room()
        self._buckets[what, who] = (left - amount, now)

    def _left(self, what: str, who: _Account) -> float:
        limit, now = self._limit(what, who), self._now()
        left, since = self._buckets.get((what, who), (limit.most, now))
        return min(limit.most, left + (now - since) * limit.a_minute / 60)

    def _limit(self, what: str, who: _Account) -> Limit:
        limit = self._limits[what]
        if not who.size:
            return limit
        return Limit(limit.most * limit.shared * who.size, limit.a_minute * limit.shared * who.size)

    def _make_room(self) -> None:
        """Forgets the buckets that are full again, for they hold nobody back; in a flood of addresses the fullest."""
        fullest_last = sorted(self._buckets, key=lambda bucket: self._left(*bucket) / self._limit(*bucket).most)
        self._buckets = {bucket: self._buckets[bucket] for bucket in fullest_last[: _MOST_BUCKETS // 2]}


def _counted(address: str, person: str | None) -> list[_Account]:
    """Return whose buckets are meant: those of the networks, the smallest first, and that of the person."""
    networks = [_Account(network.name, network.size) for network in networks_of(address)]
    return networks if person is None else [*networks, _Account(person)]
