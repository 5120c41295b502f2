"""Short pauses where there is much in memory.

At times Python's collector of garbage looks at everything there is, and nothing else happens meanwhile: a third of a
second with 2,000 open streams. What outlives one such look is therefore left out of the next ones (``gc.freeze``);
every so often all of it is looked at after all, so that nothing is kept for ever.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

FULL_COLLECTIONS: Final = 2
"""The generation of a look at everything."""

SHORT_THRESHOLD: Final = 100
"""So many looks leave out what outlived others; the one after them does not."""


@contextmanager
def no_gc() -> Iterator[None]:
    """While a server is loaded. All of that stays: to look for garbage in it would take a fifth of the time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def tuned_gc() -> Iterator[None]:
    """As long as the block lasts."""
    looks = 0

    def looked(phase: str, about: dict[str, Any]) -> None:
        nonlocal looks
        if phase == "stop" and about["generation"] == FULL_COLLECTIONS:
            looks += 1
            if looks % (SHORT_THRESHOLD + 1) == SHORT_THRESHOLD:
                gc.unfreeze()
            else:
                gc.freeze()

    gc.callbacks.append(looked)
    try:
        yield
    finally:
        gc.callbacks.remove(looked)
        gc.unfreeze()
