"""Waits of tests. A result comes or it does not; how soon depends more on the machine than on the tested code.

So no test passes or fails by time: it waits for the event itself, and gives up only when that will never come.
``test_timeouts.py`` reads all tests and checks this.
"""

import asyncio
from collections.abc import Callable, Iterator
from threading import Thread
from time import monotonic, sleep
from typing import Final, TypeVar

T = TypeVar("T")

HANG_TIMEOUT: Final = 300
"""Seconds after which a missing result counts as a hang.

A healthy machine comes nowhere near, however busy it is; a test that fails by it has found something that never
happens.
"""

_PAUSE: Final = 0.01
_LONGEST_PAUSE: Final = 0.1


def _pauses() -> Iterator[float]:
    """Yield seconds between two looks, a little more each time: what takes long is looked at less often."""
    pause = _PAUSE
    while True:
        yield pause
        pause = min(1.2 * pause, _LONGEST_PAUSE)


def waited_for(happens: Callable[[], T | None], pause: Callable[[], object] | None = None) -> T:
    """Wait until ``happens`` returns something, and return that. ``pause``, if given, is called between two looks."""
    until, pauses = monotonic() + HANG_TIMEOUT, _pauses()
    while not (given := happens()):
        assert monotonic() < until, f"it hangs: in {HANG_TIMEOUT} seconds it has not happened"
        if pause is None:
            sleep(next(pauses))
        else:
            pause()
    return given


async def until(happens: Callable[[], object]) -> None:
    """Wait in an event loop until ``happens`` returns something true."""
    async with asyncio.timeout(HANG_TIMEOUT):
        pauses = _pauses()
        while not happens():
            await asyncio.sleep(next(pauses))


def run_to_end(work: Callable[[], object]) -> None:
    """Run the work in a thread of its own; fail if it never returns."""
    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(HANG_TIMEOUT)
    assert not thread.is_alive(), f"it hangs: in {HANG_TIMEOUT} seconds it has not come back"
