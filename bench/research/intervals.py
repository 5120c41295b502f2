"""Rows of a table, and intervals in them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import stdev
from typing import Final

STUDENT: Final = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""The 97.5 % quantile of Student's t, by how many values there are."""
LARGE: Final = 1.96

Row = Sequence[float | str]


def interval(values: Sequence[float]) -> float:
    """Half of a 95 % interval of the mean."""
    if len(values) < 2:
        return float("nan")
    return float(STUDENT.get(len(values), LARGE) * stdev(values) / len(values) ** 0.5)
