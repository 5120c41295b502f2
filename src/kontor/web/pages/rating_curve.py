"""The curve of a rating: the rating day by day, and the range around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kontor.table.rating_values import RatingDay
from kontor.words import Words

LEFT, RIGHT, TOP, BOTTOM = 64, 620, 12, 212
"""The field in which the curve is drawn."""

_LINES: Final = 4
"""About so many lines with points cross the field."""


@dataclass(frozen=True)
class CurveMark:
    """A number at the edge of the field, or a day below it."""

    at: int
    text: str


@dataclass(frozen=True)
class RatingCurve:
    """Paths of the rating and of the range around it, numbers at the edges, and all of it as text."""

    line: str
    band: str
    dot: tuple[int, int]
    points: tuple[CurveMark, ...]
    days: tuple[CurveMark, ...]
    numbers: tuple[tuple[str, int, int, int], ...]


def rating_curve(words: Words, days: Sequence[RatingDay]) -> RatingCurve:
    """The curve of at least one day."""
    first, last = days[0].day.toordinal(), days[-1].day.toordinal()
    low, high = min(day.low for day in days), max(day.high for day in days)
    every = next(step for step in (50, 100, 200, 500, 1000, 10000) if (high - low) / step <= _LINES + 1)
    low, high = low // every * every, -(-high // every) * every

    def across(day: RatingDay) -> int:
        share = (day.day.toordinal() - first) / (last - first) if last > first else 0.5
        return round(LEFT + (RIGHT - LEFT) * share)

    def down(points: int) -> int:
        return round(BOTTOM - (BOTTOM - TOP) * (points - low) / max(1, high - low))

    there = [f"{across(day)} {down(day.high)}" for day in days]
    back = [f"{across(day)} {down(day.low)}" for day in reversed(days)]
    if len(days) == 1:  # a day is as wide as can be seen
        x = across(days[0])
        there = [f"{x - 12} {down(days[0].high)}", f"{x + 12} {down(days[0].high)}"]
        back = [f"{x + 12} {down(days[0].low)}", f"{x - 12} {down(days[0].low)}"]
    named = [days[0], days[-1]] if last > first else [days[0]]
    return RatingCurve(
        line="M" + "L".join(f"{across(day)} {down(day.points)}" for day in days),
        band="M" + "L".join([*there, *back]) + "Z",
        dot=(across(days[-1]), down(days[-1].points)),
        points=tuple([CurveMark(down(points), str(points)) for points in range(low, high + 1, every)]),
        days=tuple([CurveMark(across(day), words.day(day.day)) for day in named]),
        numbers=tuple([(words.day(day.day), day.points, day.low, day.high) for day in days]),
    )
