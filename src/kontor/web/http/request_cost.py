"""Processor time that requests take, in the event loop and in worker threads, charged to their address and person.

Every request passes the middleware that opens its account, and all worker threads of requests are started here. So
every route is charged, whether its response is a page, a refusal or a failure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Executor
from contextvars import ContextVar
from functools import partial
from threading import Lock
from time import thread_time
from typing import Any, Final, TypeVar

from kontor.web.http.limits import READING, REQUEST_ESTIMATE, Limits

Answer = TypeVar("Answer")


class RequestCost:
    """The account of one request. Time is added from any thread; everything else is done in the event loop."""

    def __init__(self, limits: Limits, address: str) -> None:
        """Open the account of an address that has been charged the estimate of a request."""
        self._limits = limits
        self._address = address
        self._estimated = REQUEST_ESTIMATE
        self._unpaid = 0.0
        self._lock = Lock()
        self.person: str | None = None
        """The person who sent the request, as soon as that is known."""
        self.budget = READING
        """The budget that is charged; it depends on what the route does."""
        self.is_closed = False
        """True if later work is due to others: frames of a stream are drawn because somebody has moved."""

    def add(self, seconds: float) -> None:
        """Add processor time in seconds, to be charged later."""
        if not self.is_closed:
            with self._lock:
                self._unpaid += seconds

    def charge_frame(self, seconds: float) -> None:
        """Charge the first frame of a stream."""
        self._limits.charge(self.budget, seconds, self._address, self.person)

    def charge(self) -> None:
        """Charge the time added since the last call."""
        with self._lock:
            unpaid, self._unpaid = self._unpaid, 0.0
        estimated, self._estimated = self._estimated, 0.0
        self._limits.charge(self.budget, unpaid, self._address, self.person, estimated=estimated)


_CURRENT: Final[ContextVar[RequestCost]] = ContextVar("request_cost")


def current_cost() -> RequestCost:
    """Return the account of the current request."""
    return _CURRENT.get()


class Measured:
    """An awaitable that runs another one and adds up the processor time of its steps in the event loop."""

    def __init__(self, inner: Awaitable[None], cost: RequestCost) -> None:
        self._inner = inner
        self._cost = cost

    def __await__(self) -> Generator[Any, Any, None]:
        """Pass on what the inner one waits for, and its result or exception."""
        _CURRENT.set(self._cost)
        steps = self._inner.__await__()
        error: BaseException | None = None
        while True:
            begun = thread_time()
            try:
                awaited = next(steps) if error is None else steps.throw(error)
            except StopIteration:
                return
            finally:
                self._cost.add(thread_time() - begun)
            error = None
            try:
                yield awaited
            except BaseException as thrown:  # noqa: BLE001 (it is thrown into the inner one)
                error = thrown


async def in_executor(executor: Executor, job: Callable[[], Answer]) -> Answer:
    """Run a job for the current request in a worker thread, and add its processor time to the account."""
    return await asyncio.get_running_loop().run_in_executor(executor, partial(_run_measured, job, current_cost()))


def _run_measured(job: Callable[[], Answer], cost: RequestCost) -> Answer:
    begun = thread_time()
    try:
        return job()
    finally:
        cost.add(thread_time() - begun)
