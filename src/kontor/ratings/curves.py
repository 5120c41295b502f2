"""Curves over time, with the range around them: of a rating, and of the loss at each decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from math import ceil, floor
from typing import Final

from kontor.ratings.values import SURE, RatingDay, ReviewedGame
from kontor.words import Words

LEFT, RIGHT, TOP, BOTTOM = 64, 620, 12, 212
"""The field of the curve, in the units of the drawing."""

_LINES: Final = 4
"""Approximate number of lines with numbers across the field."""

WINDOW: Final = 20
"""Number of games for a mean of the loss: a single game says little."""


@dataclass(frozen=True)
class CurveDay:
    """A point of a curve."""

    day: date
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class CurveMark:
    """A number at the edge of the field, or a day below it."""

    at: int
    text: str


@dataclass(frozen=True)
class Curve:
    """Paths of the value and of the range around it, numbers at the edges, and all of it as text."""

    line: str
    band: str
    dot: tuple[int, int]
    marks: tuple[CurveMark, ...]
    days: tuple[CurveMark, ...]
    numbers: tuple[tuple[str, str, str, str], ...]


def rating_curve(words: Words, days: Sequence[RatingDay]) -> Curve:
    """Return the curve of a rating, of at least one day."""
    points = [CurveDay(day.day, day.points, day.low, day.high) for day in days]
    return _curve(words, points, (50, 100, 200, 500, 1000, 10000), lambda points: str(round(points)))


def lost_curve(words: Words, games: Sequence[ReviewedGame]) -> Curve:
    """Return the curve of the loss at a decision, in percentage points, of at least one game.

    The value of a day is the mean of the last games.
    """
    days, count = [], 0
    for day, ended in groupby(games, key=lambda game: game.ended.date()):
        count += len(list(ended))
        mean, error = lost_each(games[max(0, count - WINDOW) : count])
        days.append(CurveDay(day, mean, max(0.0, mean - SURE * error), mean + SURE * error))
    return _curve(words, days, (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50), words.tenths, least=0.0)


def lost_each(games: Sequence[ReviewedGame]) -> tuple[float, float]:
    """Return the loss at a decision, in percentage points, and its standard error.

    The error is 0 if a single game says nothing about it. The mean is that of a ratio (W. G. Cochran, *Sampling
    Techniques*, 3rd edition 1977, chapter 6).
    """
    decisions, lost, number = sum(game.decisions for game in games), sum(game.lost for game in games), len(games)
    if not decisions:
        return 0.0, 0.0
    mean = lost / decisions
    if number < 2:
        return 100 * mean, 0.0
    squares = sum((game.lost - mean * game.decisions) ** 2 for game in games)
    return 100 * mean, 100 * (squares * number / (number - 1)) ** 0.5 / decisions


def _curve(
    words: Words,
    days: Sequence[CurveDay],
    steps: Sequence[float],
    format_value: Callable[[float], str],
    least: float | None = None,
) -> Curve:
    """Return the curve of some days. The field begins at ``least``, or at the lowest number."""
    first, last = days[0].day.toordinal(), days[-1].day.toordinal()
    least = min(day.low for day in days) if least is None else least
    most = max(day.high for day in days)
    every = next((step for step in steps if (most - least) / step <= _LINES + 1), steps[-1])
    lowest, highest = floor(least / every), ceil(most / every)
    low, high = lowest * every, max(lowest + 1, highest) * every

    def across(day: CurveDay) -> int:
        share = (day.day.toordinal() - first) / (last - first) if last > first else 0.5
        return round(LEFT + (RIGHT - LEFT) * share)

    def down(value: float) -> int:
        return round(BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low))

    upper = [f"{across(day)} {down(day.high)}" for day in days]
    lower = [f"{across(day)} {down(day.low)}" for day in reversed(days)]
    if len(days) == 1:  # make a single day wide enough to be seen
        x = across(days[0])
        upper = [f"{x - 12} {down(days[0].high)}", f"{x + 12} {down(days[0].high)}"]
        lower = [f"{x + 12} {down(days[0].low)}", f"{x - 12} {down(days[0].low)}"]
    labelled_days = [days[0], days[-1]] if last > first else [days[0]]
    lines = [number * every for number in range(lowest, max(lowest + 1, highest) + 1)]
    return Curve(
        line="M" + "L".join(f"{across(day)} {down(day.value)}" for day in days),
        band="M" + "L".join([*upper, *lower]) + "Z",
        dot=(across(days[-1]), down(days[-1].value)),
        marks=tuple([CurveMark(down(value), format_value(value)) for value in lines]),
        days=tuple([CurveMark(across(day), words.day(day.day)) for day in labelled_days]),
        numbers=tuple(
            [
                (words.day(day.day), format_value(day.value), format_value(day.low), format_value(day.high))
                for day in days
            ]
        ),
    )
