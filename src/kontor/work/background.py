"""Something that is done again and again beside all else, in a thread of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

_JOIN: Final = 2.0
"""Seconds that the end waits for what is just being done."""


class Background(ABC):
    """Does it as long as a ``with`` block lasts."""

    def __init__(self, name: str, first: float = 0.0) -> None:
        """``name`` is the thread's. ``first`` are seconds until it is done first."""
        self._first = first
        self._stop = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def once(self) -> float:
        """Does it once. Returns the seconds until the next time."""

    @property
    def stopped(self) -> bool:
        """Whether the block has ended: what is still being done is in vain."""
        return self._stop.is_set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Waits for what is just being done, but not long."""
        self._stop.set()
        self._thread.join(_JOIN)

    def _run(self) -> None:
        wait = self._first
        while not self._stop.wait(wait):
            wait = self.once()
