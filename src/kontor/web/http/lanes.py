"""Worker threads in lanes: moves at running tables go first, and everything else takes turns by network.

Python's interpreter does one thing at a time, so each thread that works keeps moves waiting. While people move, one
other request works at a time, and there is a rest after each. Next is the network that has used least of late: one
address, or a hundred, that ask for much wait behind whoever asks for little.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar

from kontor.web.http.request_cost import JobOutcome, RequestCost, outcome_of

Answer = TypeVar("Answer")

MOVES_AT_ONCE: Final = 4
MOVES_OF_NETWORK: Final = 2
"""Moves that are played at a time: in all, and of one network."""

OTHERS_AT_ONCE: Final = 2
"""Other requests that work at a time."""

OTHERS_IN_THREADS: Final = 16
OTHERS_OF_NETWORK: Final = 4
"""Other requests in threads, those included that wait for something: in all, and of one network."""

MOST_WAITING: Final = 400
MOST_WAITING_OF_NETWORK: Final = 60
"""Requests that wait for a thread; more are told to come back."""

WAITS_AFTER: Final = 0.25
"""Seconds after which a request in a thread is taken to wait for something, and lets another one work."""

MOVED_LATELY: Final = 0.5
"""Seconds after a move for which others leave room for the next."""

RESTS: Final = 2.0
"""How many times as long as it has worked another request rests, while people move, before the next one works."""

RETRY_AFTER: Final = 5
"""Seconds after which a request can be tried again that found too many waiting."""


_MOVING: Final = ThreadPoolExecutor(MOVES_AT_ONCE, thread_name_prefix="moving")
_OTHERS: Final = ThreadPoolExecutor(OTHERS_IN_THREADS, thread_name_prefix="serving")


class ServerBusy(Exception):
    """Too many requests wait for a thread. ``seconds`` says when to come back."""

    seconds = RETRY_AFTER


class Lane(Enum):
    """What a request does: it moves at a running table, changes something else, or reads."""

    MOVE = "move"
    ACT = "act"
    READ = "read"


@dataclass(eq=False)
class _RequestJob:
    """A request that waits for a thread, or is in one."""

    network: str
    work: Callable[[], Any]
    cost: RequestCost
    outcome: asyncio.Future[JobOutcome[Any]]
    works: bool = False
    """Whether it counts as one that works, and does not wait for something."""


@dataclass
class _WaitingJobs:
    """Jobs that wait, by their network; those of a network in the order in which they came, and readers last."""

    jobs: dict[str, tuple[deque[_RequestJob], deque[_RequestJob]]] = field(default_factory=dict)
    count: int = 0

    def of(self, network: str) -> int:
        """Return how many jobs of a network wait."""
        return sum(map(len, self.jobs.get(network, ())))

    def add(self, job: _RequestJob, *, reads: bool) -> None:
        """Let a job wait."""
        self.jobs.setdefault(job.network, (deque(), deque()))[reads].append(job)
        self.count += 1

    def take(self, network: str) -> _RequestJob:
        """Return the next job of a network, which waits no more."""
        acts, reads = self.jobs[network]
        job = (acts or reads).popleft()
        self.count -= 1
        if not acts and not reads:
            del self.jobs[network]
        return job


class Lanes:
    """The worker threads of one server's requests. Used in its event loop alone."""

    def __init__(self, used: Callable[[str], float], now: Callable[[], float] = monotonic) -> None:
        """``used`` tells how many seconds of the processor a network has used of late."""
        self._used = used
        self._now = now
        self._moves = _WaitingJobs()
        self._others = _WaitingJobs()
        self._moving = Counter[str]()
        self._serving = Counter[str]()
        self._working = 0
        self._moved = -MOVED_LATELY
        self._rests_until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, lane: Lane, network: str, work: Callable[[], Answer], cost: RequestCost) -> Answer:
        """Run a job in a thread when it is its turn, and note what it takes. Raises ServerBusy."""
        waiting = self._moves if lane is Lane.MOVE else self._others
        if waiting.count >= MOST_WAITING or waiting.of(network) >= MOST_WAITING_OF_NETWORK:
            raise ServerBusy
        job = _RequestJob(network, work, cost, asyncio.get_running_loop().create_future())
        waiting.add(job, reads=lane is Lane.READ)
        self._start_some()
        outcome: JobOutcome[Answer] = await job.outcome
        return outcome.result()

    def _start_some(self) -> None:
        """Start all jobs whose turn it is."""
        while self._moving.total() < MOVES_AT_ONCE and (
            network := self._next(self._moves, self._moving, MOVES_OF_NETWORK)
        ):
            self._start(self._moves.take(network), _MOVING, self._moving)
        while self._has_room() and (network := self._next(self._others, self._serving, OTHERS_OF_NETWORK)):
            job = self._others.take(network)
            if self._start(job, _OTHERS, self._serving):
                job.works = True
                self._working += 1
                asyncio.get_running_loop().call_later(WAITS_AFTER, self._stop_working, job)

    def _next(self, waiting: _WaitingJobs, running: Counter[str], most: int) -> str | None:
        """Return the network whose turn it is: the one that has used least."""
        networks: Iterator[str] = (network for network in waiting.jobs if running[network] < most)
        return min(networks, key=self._used, default=None)

    def _has_room(self) -> bool:
        """Return whether one more request may work beside moves."""
        if not self._others.count or self._serving.total() >= OTHERS_IN_THREADS:
            return False
        now = self._now()
        if not self._moving and now - self._moved >= MOVED_LATELY:
            return self._working < OTHERS_AT_ONCE
        if self._working:
            return False
        if now < self._rests_until:
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(self._rests_until - now, self._rested)
            return False
        return True

    def _rested(self) -> None:
        self._timer = None
        self._start_some()

    def _start(self, job: _RequestJob, threads: ThreadPoolExecutor, running: Counter[str]) -> bool:
        """Give a job to a thread; return False if nobody waits for it any more, or there is no thread."""
        if job.outcome.done():
            return False
        try:
            done = asyncio.get_running_loop().run_in_executor(threads, partial(outcome_of, job.work))
        except RuntimeError as error:  # no thread can be started, or the interpreter ends
            job.outcome.set_exception(error)
            return False
        running[job.network] += 1
        done.add_done_callback(partial(self._end, job, running))
        return True

    def _end(self, job: _RequestJob, running: Counter[str], done: asyncio.Future[JobOutcome[Any]]) -> None:
        running[job.network] -= 1
        if not running[job.network]:
            del running[job.network]
        now, outcome = self._now(), done.result()
        job.cost.add(outcome.seconds)
        if running is self._moving:
            self._moved = now
        else:
            self._stop_working(job)
            self._rests_until = now + RESTS * outcome.seconds
        if not job.outcome.done():
            job.outcome.set_result(outcome)
        self._start_some()

    def _stop_working(self, job: _RequestJob) -> None:
        """Count a job no more among those that work: it has ended, or seems to wait for something."""
        if job.works:
            job.works = False
            self._working -= 1
            self._start_some()
