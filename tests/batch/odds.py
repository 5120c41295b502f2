"""A test of counts against probabilities."""

from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist
from typing import Any


def is_unlikely(counted: Mapping[Any, int], likely: Mapping[Any, float]) -> bool:
    """Return True if chance gives counts as far off as these less than once in 10,000 times.

    The test is chi-square, by Wilson and Hilferty. A thing without a probability must not have been counted.
    """
    total = sum(counted.values())
    if set(counted) - set(likely):
        return True
    assert abs(sum(likely.values()) - 1) < 1e-9
    assert min(likely.values()) * total >= 5, "too few for chi-square"
    off = sum((counted.get(outcome, 0) - total * share) ** 2 / (total * share) for outcome, share in likely.items())
    free = len(likely) - 1
    if not free:
        return False
    z: float = ((off / free) ** (1 / 3) - (1 - 2 / (9 * free))) / sqrt(2 / (9 * free))
    return bool(z > NormalDist().inv_cdf(1 - 1e-4))
