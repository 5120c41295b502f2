"""Worker threads in lanes: moves at running tables go first, and everything else takes turns by network.

Python's interpreter does one thing at a time, so each thread that works delays moves. While people move, one other
request works at a time, with a rest after each. Next is the network that has used least processor time of late. So an
address, or a hundred, with many requests wait behind those with few.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from time import monotonic, thread_time
from typing import Any, Final, TypeVar

from kontor.web.addresses import ClientNetwork, networks_of
from kontor.web.http.request_cost import RequestCost
from kontor.web.moves_first import MOVED_LATELY, RESTS

Answer = TypeVar("Answer")

MOVES_AT_ONCE: Final = 4
MOVES_OF_NETWORK: Final = 2
"""The most moves played at a time: in all, and of one network."""

OTHERS_AT_ONCE: Final = 2
"""The most other requests that work at a time."""

OTHERS_IN_THREADS: Final = 16
OTHERS_OF_NETWORK: Final = 4
"""The most other requests in threads, including those that wait for something: in all, and of one network."""

MOST_WAITING: Final = 400
MOST_WAITING_OF_NETWORK: Final = 60
"""The most requests that wait for a thread, in all and of one network; others are told to come back."""

WAITS_AFTER: Final = 1.0
"""Seconds after which a request in a thread is assumed to wait for something, and lets another one work."""

RETRY_AFTER: Final = 5
"""Seconds after which a request that found too many waiting can be tried again."""


_MOVING: Final = ThreadPoolExecutor(MOVES_AT_ONCE, thread_name_prefix="moving")
_OTHERS: Final = ThreadPoolExecutor(OTHERS_IN_THREADS, thread_name_prefix="serving")


class ServerBusy(Exception):
    """Raised if too many requests wait for a thread; ``seconds`` is when to come back."""

    seconds = RETRY_AFTER


class Lane(Enum):
    """The kind of a request: it moves at a running table, changes something else, or reads."""

    MOVE = "move"
    ACT = "act"
    READ = "read"


@dataclass(eq=False)
class _RequestJob:
    """A request that waits for a thread, or runs in one."""

    network: str
    work: Callable[[], Any]
    cost: RequestCost
    answer: asyncio.Future[Any]
    works: bool = False
    """True if it counts as working, rather than waiting for something."""
    seconds: float = 0.0
    """Processor time that it has taken."""

    def run(self) -> Any:
        """Do the work in this thread, and record its processor time."""
        begun = thread_time()
        try:
            return self.work()
        finally:
            self.seconds = thread_time() - begun
            self.cost.add(self.seconds)


class _Places:
    """Places for jobs: ``most`` in all, and of these ``of_address`` for one address. Networks share theirs."""

    def __init__(self, most: int, of_address: int) -> None:
        self._most = most
        self._of_address = of_address
        self._taken = Counter[ClientNetwork]()
        self.taken = 0

    @property
    def is_full(self) -> bool:
        """Return True if all places are taken."""
        return self.taken >= self._most

    def has_one_for(self, address: str) -> bool:
        """Return True if there is a place for a job from this address."""
        return not self.is_full and all(
            self._taken[network] < network.share(self._most, self._of_address) for network in networks_of(address)
        )

    def take(self, address: str) -> None:
        """Take a place."""
        self.taken += 1
        self._taken.update(networks_of(address))

    def give_back(self, address: str) -> None:
        """Give a place back."""
        self.taken -= 1
        for network in networks_of(address):
            self._taken[network] -= 1
            if not self._taken[network]:
                del self._taken[network]


class _WaitingJobs:
    """Waiting jobs, by network; those of a network in the order of their arrival, but readers last."""

    def __init__(self) -> None:
        self.jobs: dict[str, tuple[deque[_RequestJob], deque[_RequestJob]]] = {}
        self.places = _Places(MOST_WAITING, MOST_WAITING_OF_NETWORK)

    def add(self, job: _RequestJob, *, reads: bool) -> None:
        """Add a job to the queue of its network."""
        self.jobs.setdefault(job.network, (deque(), deque()))[reads].append(job)
        self.places.take(job.network)

    def take(self, network: str) -> _RequestJob:
        """Remove and return the next job of a network."""
        acts, reads = self.jobs[network]
        job = (acts or reads).popleft()
        self.places.give_back(network)
        if not acts and not reads:
            del self.jobs[network]
        return job


class Lanes:
    """The worker threads of one server's requests. Used only in its event loop."""

    def __init__(self, used: Callable[[str], float], now: Callable[[], float] = monotonic) -> None:
        """Prepare the lanes; ``used(network)`` is the processor time in seconds that a network has used of late."""
        self._used = used
        self._now = now
        self._moves = _WaitingJobs()
        self._others = _WaitingJobs()
        self._moving = _Places(MOVES_AT_ONCE, MOVES_OF_NETWORK)
        self._serving = _Places(OTHERS_IN_THREADS, OTHERS_OF_NETWORK)
        self._working = 0
        self._moved = -MOVED_LATELY
        self._rests_until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, lane: Lane, network: str, work: Callable[[], Answer], cost: RequestCost) -> Answer:
        """Run a job in a thread when it is its turn, and record what it takes. Raises ServerBusy."""
        waiting = self._moves if lane is Lane.MOVE else self._others
        if not waiting.places.has_one_for(network):
            raise ServerBusy
        job = _RequestJob(network, work, cost, asyncio.get_running_loop().create_future())
        waiting.add(job, reads=lane is Lane.READ)
        self._start_jobs()
        answer: Answer = await job.answer
        return answer

    def _start_jobs(self) -> None:
        """Start all jobs whose turn it is."""
        while not self._moving.is_full and (network := self._next(self._moves, self._moving)):
            self._start(self._moves.take(network), _MOVING, self._moving)
        while self._has_room() and (network := self._next(self._others, self._serving)):
            job = self._others.take(network)
            if self._start(job, _OTHERS, self._serving):
                job.works = True
                self._working += 1
                asyncio.get_running_loop().call_later(WAITS_AFTER, self._stop_working, job)

    def _next(self, waiting: _WaitingJobs, running: _Places) -> str | None:
        """Return the network whose turn it is: the one that has used least."""
        return min(filter(running.has_one_for, waiting.jobs), key=self._used, default=None)

    def _has_room(self) -> bool:
        """Return True if one more request may work beside moves."""
        if not self._others.jobs or self._serving.is_full:
            return False
        now = self._now()
        if not self._moving.taken and now - self._moved >= MOVED_LATELY:
            return self._working < OTHERS_AT_ONCE
        if self._working:
            return False
        if now < self._rests_until:
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(self._rests_until - now, self._end_rest)
            return False
        return True

    def _end_rest(self) -> None:
        self._timer = None
        self._start_jobs()

    def _start(self, job: _RequestJob, threads: ThreadPoolExecutor, running: _Places) -> bool:
        """Give a job to a thread; return False if it was cancelled, or if there is no thread."""
        if job.answer.done():
            return False
        try:
            future = asyncio.get_running_loop().run_in_executor(threads, job.run)
        except RuntimeError as error:  # no thread can be started, or the interpreter ends
            job.answer.set_exception(error)
            return False
        running.take(job.network)
        future.add_done_callback(partial(self._end, job, running))
        return True

    def _end(self, job: _RequestJob, running: _Places, future: asyncio.Future[Any]) -> None:
        running.give_back(job.network)
        now, error = self._now(), future.exception()
        if running is self._moving:
            self._moved = now
        else:
            self._stop_working(job)
            self._rests_until = now + RESTS * job.seconds
        if not job.answer.done():
            if error is None:
                job.answer.set_result(future.result())
            else:
                job.answer.set_exception(error)
        self._start_jobs()

    def _stop_working(self, job: _RequestJob) -> None:
        """Stop counting a job among those that work: it has ended, or seems to wait for something."""
        if job.works:
            job.works = False
            self._working -= 1
            self._start_jobs()
