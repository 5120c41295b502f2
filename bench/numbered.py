"""The frame of measurements over numbered games or positions.

Each number has random streams of its own, so that parts (``--first``) can run side by side.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from time import process_time
from typing import Final, TypeVar

Found = TypeVar("Found")

TOLD: Final = 10
"""Numbers between two reports."""


def parse_args(description: str | None, **defaults: int | str) -> argparse.Namespace:
    """Return the options of the command line, by name, with these defaults; and ``first``, ``seed``."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {**defaults, "first": 0, "seed": 1}.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


def growing(measure: Callable[[int], Found], first: int, count: int) -> Iterator[Sequence[Found]]:
    """Yield the results so far, after every TOLD of ``count`` numbers and at the end."""
    results: list[Found] = []
    for number in range(first, first + count):
        results.append(measure(number))
        if len(results) % TOLD == 0 or len(results) == count:
            yield results


def cost() -> str:
    """Return the processor time spent so far, as text."""
    return f"{process_time():.0f} s of processor time"
