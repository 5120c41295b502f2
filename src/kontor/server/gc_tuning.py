"""The garbage collector of a server: its runs are short, and never in the middle of something else.

By itself Python 3.11 collects garbage wherever an object is made, inside its own C code, too. Code that runs during a
collection can let another thread run, which then finds an object half made. Of 180 servers on a crowded machine five
died of segmentation faults at their first pages, when two threads looked at the same statement of SQLAlchemy; none of
189 since they collect at ticks of their event loop. (Python 3.12 collects between two instructions.)

A full collection looks at all objects, and the process stops meanwhile: a third of a second with 2,000 open streams.
Objects that survive one are therefore left out of the next ones (``gc.freeze``). Every so often a collection looks at
all of them, so that no garbage stays for ever.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SHORT_COLLECTIONS: Final = 100
"""Number of full collections that leave out survivors; the one after them does not."""


@contextmanager
def no_gc() -> Iterator[None]:
    """Disable the automatic garbage collector, while a server is loaded and while it serves.

    All that is loaded stays in memory: looking for garbage in it would take a fifth of the time.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


class Collector:
    """Collections at moments of one's own choice, of as many generations as Python would collect."""

    def __init__(self) -> None:
        self._full = 0

    def collect_due(self) -> None:
        """Collect the oldest generation of which so much is new that Python would collect it."""
        numbers = list(zip(gc.get_count(), gc.get_threshold(), strict=True))
        due = [generation for generation, (count, most) in enumerate(numbers) if count > most > 0]
        if len(numbers) - 1 in due:
            self.collect_all()
        elif due:
            gc.collect(due[-1])

    def collect_all(self) -> None:
        """Collect all that is not left out, and leave out what survives; every so often leave out nothing."""
        gc.collect()
        self._full += 1
        if self._full % (SHORT_COLLECTIONS + 1) == SHORT_COLLECTIONS:
            gc.unfreeze()
        else:
            gc.freeze()
