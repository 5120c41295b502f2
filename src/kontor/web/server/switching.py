"""How long a thread may keep the others of a server waiting.

Only one thread of Python runs at a time. One that draws a long page gives way after the switch interval, and a move
waits for that at each step from thread to thread. With Python's own 5 ms, one page of the analysis board made a move
5 ms later; with half a millisecond it is less than 3.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SWITCH_INTERVAL: Final = 0.0005
"""Seconds."""


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """As long as the block lasts."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
