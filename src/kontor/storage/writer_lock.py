"""Lock of the one connection that writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Lock


class WriterLock:
    """Lock that urgent transactions get before all others that wait for it."""

    def __init__(self) -> None:
        lock = Lock()
        self._urgent = Condition(lock)
        self._others = Condition(lock)
        self._urgent_waiting = 0
        self._held = False

    @contextmanager
    def held(self, *, urgent: bool = False) -> Iterator[None]:
        """Hold the lock as long as the block lasts."""
        with self._urgent:
            if urgent:
                self._urgent_waiting += 1
                self._urgent.wait_for(lambda: not self._held)
                self._urgent_waiting -= 1
            else:
                self._others.wait_for(lambda: not self._held and not self._urgent_waiting)
            self._held = True
        try:
            yield
        finally:
            with self._urgent:
                self._held = False
                (self._urgent if self._urgent_waiting else self._others).notify()
