"""Shorter pauses of the garbage collector where much is in memory.

A full collection looks at all objects, and the process stops meanwhile: a third of a second with 2,000 open streams.
Objects that survive one are therefore left out of the next ones (``gc.freeze``). Every so often a collection looks at
all of them, so that no garbage stays for ever.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

FULL_COLLECTIONS: Final = 2
"""The generation of a full collection."""

SHORT_THRESHOLD: Final = 100
"""Number of full collections that leave out survivors; the one after them does not."""


@contextmanager
def no_gc() -> Iterator[None]:
    """Disable the garbage collector while a server is loaded.

    All of that stays in memory: looking for garbage in it would take a fifth of the time.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def tuned_gc() -> Iterator[None]:
    """Leave out survivors of full collections from the next ones, while the block lasts."""
    looks = 0

    def watch_collection(phase: str, about: dict[str, Any]) -> None:
        nonlocal looks
        if phase == "stop" and about["generation"] == FULL_COLLECTIONS:
            looks += 1
            if looks % (SHORT_THRESHOLD + 1) == SHORT_THRESHOLD:
                gc.unfreeze()
            else:
                gc.freeze()

    gc.callbacks.append(watch_collection)
    try:
        yield
    finally:
        gc.callbacks.remove(watch_collection)
        gc.unfreeze()
