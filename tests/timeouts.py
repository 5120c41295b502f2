"""How tests wait. What they wait for happens or it does not; how soon says more of the machine than of what is tried.

So no verdict is a matter of time: who waits, waits for the event itself, and gives up only when it will never come.
``test_timeouts.py`` reads all tests and holds them to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from time import monotonic, sleep
from typing import Final, TypeVar

T = TypeVar("T")

HANG_TIMEOUT: Final = 300
"""Seconds after which whatever has not come is taken to hang. A healthy machine comes nowhere near, however busy it
is; a test that fails by it has found something that never happens."""

_PAUSE: Final = 0.01


def _moment() -> None:
    sleep(_PAUSE)


def waited_for(happens: Callable[[], T | None], pause: Callable[[], object] = _moment) -> T:
    """What is given as soon as it is something. ``pause`` is called between one look and the next."""
    until = monotonic() + HANG_TIMEOUT
    while not (given := happens()):
        assert monotonic() < until, f"it hangs: in {HANG_TIMEOUT} seconds it has not happened"
        pause()
    return given


async def until(happens: Callable[[], object]) -> None:
    """The same in an event loop."""
    async with asyncio.timeout(HANG_TIMEOUT):
        while not happens():
            await asyncio.sleep(_PAUSE)


def ends(work: Callable[[], object]) -> None:
    """Does something in a thread of its own: it fails where that never comes back."""
    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(HANG_TIMEOUT)
    assert not thread.is_alive(), f"it hangs: in {HANG_TIMEOUT} seconds it has not come back"
