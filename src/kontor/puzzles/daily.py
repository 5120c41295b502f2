"""The puzzle of a day: the same for everybody, by the date alone. Days use the puzzles in the order of the file."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from kontor.puzzles.collection import puzzles_of
from kontor.puzzles.values import Puzzle

FIRST_DAY: Final = date(2026, 11, 1)
"""The first day with a puzzle."""


def puzzle_of_day(game: str, day: date) -> Puzzle:
    """Return the puzzle of a day; after the last one the first follows. Raises KeyError before the first day."""
    if day < FIRST_DAY:
        raise KeyError(day)
    puzzles = tuple(puzzles_of(game).values())
    return puzzles[(day - FIRST_DAY).days % len(puzzles)]


def days_until(today: date, most: int) -> list[date]:
    """Return today and the days before, the latest first, at most ``most``; no day before the first."""
    return [today - timedelta(back) for back in range(min(most, (today - FIRST_DAY).days + 1))]
