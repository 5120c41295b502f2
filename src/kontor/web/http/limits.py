"""Rate limits, with token buckets that are kept only in memory.

Each kind of action has a bucket per person, which holds ``most`` and is refilled by ``a_minute``. A person's address
is counted too, so that a new name does not start afresh. So are the networks around the address, because a line may
have many addresses; they may do several times as much. Requests are also counted by the seconds of processor time
that they take. These are known only afterwards, so a bucket can be overdrawn, and then has to fill first.
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
"""Factor by which an address may do more than a person: households and schools share one."""


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
    "records": Limit(6, 2),
    "open": Limit(12, 4),
    "machines": Limit(6, 1),
    "join": Limit(30, 15),
    "move": Limit(120, 240),
    "hint": Limit(20, 20),
    "analysis": Limit(40, 20),
    "chat": Limit(8, 20),
    "live": Limit(60, 120),
    "review": Limit(6, 2),
    "bring": Limit(20, 10),
    "mail": Limit(5, 0.2),
    "notify": Limit(20, 10),
    "read": Limit(2, 6, shared=2),
    "work": Limit(3, 15, shared=3),
    "request": Limit(800, 480),
    "pace": Limit(0.75, 9, shared=1),
}
"""The limits by kind of action.

``code`` is typing a code, right or wrong. ``machines`` is opening a table of computer players only, which goes on
without people. ``request`` and ``pace`` are for all requests of an address; those over the limit are not refused, but
delayed.
"""

REQUEST: Final = "request"

READING: Final = "read"
WORKING: Final = "work"
"""Budgets in seconds of processor time: of requests that read, and of those that change something.

A page takes about 0.005 seconds, checking a long game half a second.
"""

PACE: Final = "pace"
"""The budget for all requests of an address, in seconds of processor time."""

REQUEST_ESTIMATE: Final = 0.002
"""Seconds of processor time assumed for a request until its real cost is known."""

_A_TRIFLE: Final = 0.001
"""Seconds of processor time that must be left before work is begun."""

_A_REFUSAL: Final = 0.005
"""Seconds of processor time that a refusal takes, with its page."""

REFUSAL_DELAY: Final = 1.0
"""Seconds before a client over its limit gets the refusal."""

_BETWEEN_REFUSALS: Final = 0.05
"""Seconds between two such responses to an address."""

_LONGEST_DELAY: Final = 20.0
"""The most seconds before such a response, however many are due."""

_MOST_BUCKETS: Final = 20_000


class RateLimited(Exception):
    """Raised if somebody is over a limit; ``seconds`` is when to come back."""

    def __init__(self, action: str, seconds: int) -> None:
        super().__init__(action, seconds)
        self.seconds = seconds


class _Account(NamedTuple):
    """The owner of a bucket: a person (``size`` 0), or a network as large as ``size`` addresses."""

    name: str
    size: int = 0


class Limits:
    """All buckets of one process. Thread-safe."""

    def __init__(self, limits: dict[str, Limit] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._limits = LIMITS if limits is None else limits
        self._now = now
        self._buckets: dict[tuple[str, _Account], tuple[float, float]] = {}
        self._next_refusal: dict[_Account, float] = {}
        self._lock = threading.Lock()

    def spend(self, action: str, address: str, person: str | None = None) -> None:
        """Count one action. Raises RateLimited if there were too many.

        A refused action is not counted. Otherwise a person who goes on trying would use up the share of others at the
        address.
        """
        accounts = _counted(address, person)
        with self._lock:
            self._check(action, accounts, 1.0)
            for account in accounts:
                self._take(action, account, 1.0)

    def check(self, budget: str, address: str, person: str | None = None) -> None:
        """Check a ``budget`` of processor time before work. Raises RateLimited if it is used up."""
        with self._lock:
            self._check(budget, _counted(address, person), _A_TRIFLE)

    def charge(
        self, budget: str, seconds: float, address: str, person: str | None = None, *, estimated: float = 0.0
    ) -> None:
        """Charge the processor time of a request to its ``budget`` and to the pace of its networks.

        The pace has already been charged what was ``estimated``.
        """
        with self._lock:
            for account in _counted(address, person):
                self._take(budget, account, seconds)
            for account in _counted(address, None):
                self._take(PACE, account, seconds - estimated)

    def used(self, address: str) -> float:
        """Return the seconds of processor time that an address has used of late, beyond its pace.

        For a network around it, the value is divided by its size in addresses; the largest value counts.
        """
        with self._lock:
            return max(
                (self._limit(PACE, account).most - self._left(PACE, account)) / account.size
                for account in _counted(address, None)
            )

    def charge_refusal(self, address: str, too_quick: bool) -> float:
        """Charge a refusal to an address; return the seconds to wait before sending it.

        ``too_quick`` is True if the refusal is due to a limit. The delay is 0 for an address with few requests of
        late.
        """
        with self._lock:
            overdrawn = self._take_from_within(READING, address, _A_REFUSAL)
            if overdrawn is None and not too_quick:
                return 0.0
            return self._delay(overdrawn or _counted(address, None)[0])

    def charge_request(self, address: str) -> float:
        """Charge a request to an address; return the seconds to wait before handling it.

        The delay is 0 except for addresses with very many, or very slow, requests. The pace is charged the estimate
        of a request.
        """
        accounts = _counted(address, None)
        with self._lock:
            crowding = self._take_from_within(REQUEST, address, 1.0)
            for account in accounts:
                self._take(PACE, account, REQUEST_ESTIMATE)
            ahead = max(-self._left(PACE, account) * 60 / self._limit(PACE, account).a_minute for account in accounts)
            delay = 0.0 if crowding is None else self._delay(crowding)
            return max(delay, min(ahead, _LONGEST_DELAY))

    def _take_from_within(self, action: str, address: str, amount: float) -> _Account | None:
        """Take from the networks of an address, the smallest first, until one is overdrawn; return that one.

        So if a single address must wait, its neighbours are not charged.
        """
        for account in _counted(address, None):
            self._take(action, account, amount)
            if self._left(action, account) < 0:
                return account
        return None

    def _delay(self, account: _Account) -> float:
        now = self._now()
        if account not in self._next_refusal and len(self._next_refusal) >= _MOST_BUCKETS:
            self._next_refusal = {other: at for other, at in self._next_refusal.items() if at > now}
        at = max(now + REFUSAL_DELAY, self._next_refusal.get(account, 0.0))
        at = min(at, now + _LONGEST_DELAY)
        self._next_refusal[account] = at + _BETWEEN_REFUSALS
        return at - now

    def _check(self, action: str, accounts: Sequence[_Account], needed: float) -> None:
        wait = max(
            (needed - self._left(action, account)) * 60 / self._limit(action, account).a_minute
            for account in accounts
        )
        if wait > 0:
            raise RateLimited(action, ceil(wait))

    def _take(self, action: str, account: _Account, amount: float) -> None:
        now, left = self._now(), self._left(action, account)
        if len(self._buckets) >= _MOST_BUCKETS and (action, account) not in self._buckets:
            self._make_room()
        self._buckets[action, account] = (left - amount, now)

    def _left(self, action: str, account: _Account) -> float:
        limit, now = self._limit(action, account), self._now()
        left, since = self._buckets.get((action, account), (limit.most, now))
        return min(limit.most, left + (now - since) * limit.a_minute / 60)

    def _limit(self, action: str, account: _Account) -> Limit:
        limit = self._limits[action]
        if not account.size:
            return limit
        return Limit(limit.most * limit.shared * account.size, limit.a_minute * limit.shared * account.size)

    def _make_room(self) -> None:
        """Delete the fuller half of the buckets.

        A full bucket limits nobody. In a flood of addresses, others are deleted too.
        """
        fullest_last = sorted(self._buckets, key=lambda bucket: self._left(*bucket) / self._limit(*bucket).most)
        self._buckets = {bucket: self._buckets[bucket] for bucket in fullest_last[: _MOST_BUCKETS // 2]}


def _counted(address: str, person: str | None) -> list[_Account]:
    """Return the owners of the buckets to count: the networks, the smallest first, and the person."""
    networks = [_Account(network.name, network.size) for network in networks_of(address)]
    return networks if person is None else [*networks, _Account(person)]
