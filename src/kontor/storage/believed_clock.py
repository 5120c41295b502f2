"""The clock of a server: the machine's, unless that has just jumped ahead.

A wrong clock looks like time that has passed: tournaments would be cancelled, codes would expire. So a jump ahead
counts only once it has lasted for some minutes. Until then time follows the machine's steady clock, and a jump that
is reversed before then changes nothing. The time that a machine sleeps is no jump, for its steady clock counts it.
The time that a virtual machine is paused is one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from kontor.work.incidents import note_incident

_LOG = logging.getLogger(__name__)

JUMP: Final = timedelta(minutes=2)
"""A clock that is further ahead than this has jumped."""

HELD: Final = timedelta(minutes=10)
"""Time for which a jump lasts before it counts."""


def steady_seconds() -> float:
    """Return the seconds of a clock that nobody sets; it also counts the time that the machine sleeps."""
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):  # Linux; macOS
        clock: int | None = getattr(time, name, None)
        if clock is not None:
            return time.clock_gettime(clock)
    return time.monotonic()


class BelievedClock:
    """The machine's clock without its jumps ahead, as long as these are new. Safe to use from any thread."""

    def __init__(self, machine: Callable[[], datetime], steady: Callable[[], float] = steady_seconds) -> None:
        """Read the time from ``machine()`` and the seconds of a clock that nobody sets from ``steady()``."""
        self._machine = machine
        self._steady = steady
        self._lock = Lock()
        # Each time is stored as the moment at which the steady clock was at zero.
        self._believed = self._zero(steady())
        self._jumped_to: datetime | None = None
        self._jumped_at = 0.0

    def __call__(self) -> datetime:
        """Return the time."""
        with self._lock:
            steady = self._steady()
            zero = self._zero(steady)
            if zero - self._believed <= JUMP:
                if self._jumped_to is not None:
                    _LOG.warning("The machine's clock is back from its jump; nothing was done by it")
                self._believed, self._jumped_to = zero, None
            else:
                self._weigh_jump(zero, steady)
            return self._believed + timedelta(seconds=steady)

    def _zero(self, steady: float) -> datetime:
        return self._machine() - timedelta(seconds=steady)

    def _weigh_jump(self, zero: datetime, steady: float) -> None:
        """Note a new jump ahead; accept one that has lasted."""
        if self._jumped_to is None or abs(zero - self._jumped_to) > JUMP:
            self._jumped_to, self._jumped_at = zero, steady
            ahead = (zero - self._believed).total_seconds()
            lasting = HELD.total_seconds()
            message = f"The machine's clock jumped ahead by {ahead:.0f} s; it counts if that lasts {lasting:.0f} s"
            note_incident("clock jumped ahead", message)
        elif steady - self._jumped_at >= HELD.total_seconds():
            _LOG.warning("The machine's clock has stayed ahead: its time counts from now on")
            self._believed, self._jumped_to = zero, None
