"""The frame of measurements over numbered games or positions, each with random streams of its own: parts of them
(``--first``) can run side by side."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from time import process_time
from typing import Final, TypeVar

Found = TypeVar("Found")

TOLD: Final = 10
"""After so many numbers it is told how it stands."""


def asked(description: str | None, **defaults: int | str) -> argparse.Namespace:
    """What the command line asks for, by name, with these defaults; and ``first``, ``seed``."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {**defaults, "first": 0, "seed": 1}.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


def growing(measure: Callable[[int], Found], first: int, count: int) -> Iterator[Sequence[Found]]:
    """What is found for so many numbers, as far as it has come: after every TOLD of them, and at the end."""
    found: list[Found] = []
    for number in range(first, first + count):
        found.append(measure(number))
        if len(found) % TOLD == 0 or len(found) == count:
            yield found


def cost() -> str:
    """What it has taken so far."""
    return f"{process_time():.0f} s of processor time"
