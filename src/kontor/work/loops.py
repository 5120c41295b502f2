"""Loops that run as long as the process, each in a thread of its own, and the health of all of them.

A loop survives every exception: the error is logged and counted, the loop waits, and goes on. A loop that has not
come round in its time is late; ``/ready`` names it.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import Final, Self

from kontor.work.failures import safe_traceback

_LOG = logging.getLogger(__name__)

STOP_TIMEOUT: Final = 2.0
"""Seconds that ``stop`` waits for the round under way."""

LIMIT: Final = 60.0
"""Seconds after which a round that is due and has not succeeded makes a loop late."""

FIRST_BACKOFF: Final = 1.0
LONGEST_BACKOFF: Final = 30.0
"""Seconds before the next round after a failed one; doubled with each failure in a row."""

_MOST_DOUBLINGS: Final = 20


class Loop(ABC):
    """Work done again and again in a thread, for as long as a ``with`` block lasts."""

    def __init__(self, name: str, *, first: float = 0.0, limit: float = LIMIT) -> None:
        """Prepare a loop.

        ``name`` names it in logs, metrics and ``/ready``. ``first`` is the number of seconds before the first round,
        ``limit`` the number of seconds that a round may take before the loop is late.
        """
        self.name: Final = name
        self._first = first
        self._limit = limit
        self._due = 0.0
        self._failures = 0
        self._stop = Event()
        self._wake = Event()
        self._thread: Thread | None = None

    @abstractmethod
    def once(self) -> float:
        """Run one round; return the seconds until the next."""

    @property
    def stopped(self) -> bool:
        """Return True if the loop was told to stop."""
        return self._stop.is_set()

    def is_late(self) -> bool:
        """Return True if no round has succeeded in time, or the thread has died."""
        thread = self._thread
        return not self.stopped and (thread is None or not thread.is_alive() or monotonic() > self._due)

    def wake(self) -> None:
        """Start the next round now, unless the loop backs off."""
        self._wake.set()

    def start(self) -> Self:
        """Start the thread. Raises RuntimeError if the system gives none."""
        self._stop.clear()
        self._due = monotonic() + self._first + self._limit
        thread = Thread(target=self._run, name=self.name, daemon=True)
        thread.start()
        self._thread = thread
        with _lock:
            _running.append(self)
        return self

    def stop(self, timeout: float = STOP_TIMEOUT) -> None:
        """Stop the thread; wait ``timeout`` seconds at most for the round under way."""
        self._stop.set()
        self._wake.set()
        with _lock:
            if self in _running:
                _running.remove(self)
        if self._thread is not None:
            self._thread.join(timeout)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        wait = self._first
        while not self._has_stopped_after(wait):
            wait = self.attempt()

    def _has_stopped_after(self, wait: float) -> bool:
        """Wait; return True if the loop was told to stop. ``wake`` does not shorten a back-off."""
        (self._stop if self._failures else self._wake).wait(wait)
        self._wake.clear()
        return self.stopped

    def attempt(self) -> float:
        """Run one round and survive any exception; return the seconds until the next."""
        try:
            wait = self.once()
        except BaseException as error:  # noqa: BLE001 (a loop must live as long as the server)
            return self._count(error)
        self._failures = 0
        self._due = monotonic() + wait + self._limit
        return wait

    def _count(self, error: BaseException) -> float:
        """Count and log a failed round; return the seconds to back off."""
        backoff = backoff_after(self._failures)
        self._failures += 1
        if not self.stopped:
            report_failure(self.name, error, backoff)
        return backoff


def backoff_after(failures: int, longest: float = LONGEST_BACKOFF) -> float:
    """Return the seconds to back off after so many ``failures`` in a row before this one."""
    return min(FIRST_BACKOFF * 2.0 ** min(failures, _MOST_DOUBLINGS), longest)


_lock: Final = Lock()
_running: Final[list[Loop]] = []
_failures: Final[Counter[str]] = Counter()


def report_failure(name: str, error: BaseException, backoff: float) -> None:
    """Count and log a failed round of a loop that is tried again in ``backoff`` seconds. Raises nothing."""
    _failures[name] += 1
    with suppress(BaseException):  # the disk of the log can be full, or memory short
        _LOG.error("The loop %s failed, next try in %.0f s: %s", name, backoff, safe_traceback(error))


def late_loops() -> tuple[str, ...]:
    """Return the names of the loops of this process that are late."""
    with _lock:
        return tuple(dict.fromkeys(loop.name for loop in _running if loop.is_late()))


def running_loops() -> Mapping[str, bool]:
    """Return the names of the running loops of this process, and whether each is late."""
    with _lock:
        loops = list(_running)
    return {loop.name: any(each.is_late() for each in loops if each.name == loop.name) for loop in loops}


def loop_failures() -> Mapping[str, int]:
    """Return how many rounds of each loop have failed since the process began."""
    return dict(_failures)
