"""Strength of a person as a solver: a Glicko rating against the levels of puzzles.

Each first answer to a puzzle counts as a game against it (Glickman: The Glicko system, 1999). The score is the one
that ``Puzzle.score`` gives for the lost chance. A puzzle's own deviation is :data:`PUZZLE_DEVIATION`; a new person
has :data:`START` and :data:`UNSURE`. With q = ln 10 / 400, a puzzle of level L and deviation D::

    g  = 1 / √(1 + 3 q² D² / π²)
    E  = 1 / (1 + 10^(−g (r − L) / 400))
    d² = 1 / (q² g² E (1 − E))
    r' = r + q / (1/RD² + 1/d²) · g · (score − E)        RD' = √(1 / (1/RD² + 1/d²)), at least SURE
"""

from __future__ import annotations

from math import log, pi, sqrt
from typing import Final

from kontor.game import Value

START: Final = 1200.0
UNSURE: Final = 350.0
SURE: Final = 50.0
PUZZLE_DEVIATION: Final = 100.0

_Q: Final = log(10) / 400
_G: Final = 1 / sqrt(1 + 3 * (_Q * PUZZLE_DEVIATION / pi) ** 2)


class Rating(Value, frozen=True):
    """A level and its standard deviation."""

    level: float = START
    deviation: float = UNSURE

    @property
    def margin(self) -> float:
        """Return the half width of the interval that contains the true level in 95 of 100 cases."""
        return 1.96 * self.deviation


def rated(rating: Rating, level: int, score: float) -> Rating:
    """Return the rating after an answer to a puzzle of a level; ``score`` is from 0 to 1."""
    expected = 1 / (1 + 10 ** (-_G * (rating.level - level) / 400))
    information = _Q**2 * _G**2 * expected * (1 - expected)
    variance = 1 / (1 / rating.deviation**2 + information)
    return Rating(rating.level + _Q * variance * _G * (score - expected), max(SURE, sqrt(variance)))
