"""Drawing of a calibration: victories of favourites over their chances, beside the line of chances that come true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kontor.ratings.values import Calibration, ChanceClass

_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 620, 12, 332
"""The field of the figure, in the units of the drawing."""

_TENTHS: Final = 10


@dataclass(frozen=True)
class FigurePoint:
    """A class in the figure: its place across, the share of victories, and the ends of the interval."""

    x: int
    y: int
    low: int
    high: int


@dataclass(frozen=True)
class Tick:
    """A chance at the edges of the field, and where it is."""

    x: int
    y: int
    chance: float


@dataclass(frozen=True)
class CalibrationFigure:
    """The points of a calibration, and the ticks of both axes."""

    points: tuple[FigurePoint, ...]
    ticks: tuple[Tick, ...]


def calibration_figure(calibration: Calibration) -> CalibrationFigure:
    """Return the figure of a calibration. Both axes run from the lowest tenth that occurs to 100 %."""
    lowest = min((int(_TENTHS * min(one.chance, one.share_low)) for one in calibration.classes), default=0) / _TENTHS

    def across(chance: float) -> int:
        return round(_LEFT + (_RIGHT - _LEFT) * (chance - lowest) / (1 - lowest))

    def down(chance: float) -> int:
        return round(_BOTTOM - (_BOTTOM - _TOP) * (chance - lowest) / (1 - lowest))

    def point(one: ChanceClass) -> FigurePoint:
        return FigurePoint(across(one.chance), down(one.share), down(one.share_low), down(one.share_high))

    first = round(lowest * _TENTHS)
    step = 1 if first >= 5 else 2
    ticks = [number / _TENTHS for number in range(_TENTHS, first - 1, -step)]
    return CalibrationFigure(
        tuple([point(one) for one in calibration.classes]),
        tuple([Tick(across(chance), down(chance), chance) for chance in reversed(ticks)]),
    )
