"""95 % intervals of measured figures: Student's t by group, and Wilson's of a proportion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import atan, cos, fsum, pi, sin, sqrt
from statistics import fmean, stdev
from typing import Final

Z: Final = 1.959964
"""Standard deviations to either side that hold 95 % of a normal distribution."""

_MANY: Final = 100
"""Degrees of freedom from which a series in 1/df gives the quantile to seven digits."""


@cache
def t_quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t with so many degrees of freedom, at least 1.

    Exact finite sums of the distribution are bisected; many degrees of freedom take the series of Cornish and Fisher
    (M. Abramowitz and I. Stegun, *Handbook of Mathematical Functions*, 26.7.3 to 26.7.5).
    """
    if freedom >= _MANY:
        terms = (
            Z,
            (Z**3 + Z) / 4,
            (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
            (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        )
        return fsum(term / freedom**power for power, term in enumerate(terms))
    low, high = Z, 13.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < 0.95 else (low, middle)
    return (low + high) / 2


def _within(quantile: float, freedom: int) -> float:
    """Return the probability that Student's t lies between minus and plus the quantile."""
    angle = atan(quantile / sqrt(freedom))
    is_odd = freedom % 2
    term = cos(angle) if is_odd else 1.0
    total = 0.0
    for factor in range(is_odd + 1, freedom, 2):
        total += term
        term *= factor / (factor + 1) * cos(angle) ** 2
    return 2 / pi * (angle + sin(angle) * total) if is_odd else sin(angle) * total


def half_width(values: Sequence[float]) -> float:
    """Return half of the 95 % interval of the mean of independent values, by Student's t; NaN for less than two."""
    if len(values) < 2:
        return float("nan")
    return t_quantile(len(values) - 1) * stdev(values) / sqrt(len(values))


def ratio(sums: Sequence[float], counts: Sequence[float]) -> tuple[float, float]:
    """Return the sum of all groups over their count, and half of its 95 % interval by Student's t.

    Groups are independent and may differ in size (the ratio estimator over clusters: W. G. Cochran, *Sampling
    Techniques*, 3rd edition 1977, chapter 9A). The half is NaN for less than two groups.
    """
    groups, count = len(sums), fsum(counts)
    mean = fsum(sums) / count
    if groups < 2:
        return mean, float("nan")
    squares = fsum((total - mean * size) ** 2 for total, size in zip(sums, counts, strict=True))
    return mean, t_quantile(groups - 1) * sqrt(groups / (groups - 1) * squares) / count


def wilson(successes: float, tries: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a proportion: within 0 and 1, and not empty even after ten wins out of ten.

    Shared victories count as parts of a success. Such a proportion varies less than one of wins and losses alone, so
    the interval is then a little wider than need be.
    """
    share = successes / tries
    z = Z**2 / tries
    middle = (share + z / 2) / (1 + z)
    half = sqrt(z * share * (1 - share) + z**2 / 4) / (1 + z)
    # Rounding must not push the ends of 0 of 10, or 10 of 10, beyond what a share can be, nor past the share itself.
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))


def grouped(shares: Sequence[float], size: int) -> tuple[float, float]:
    """Return the 95 % interval of the mean share, where each ``size`` games in a row have the same luck.

    Such games are not independent of each other, but groups of them are. So the mean of each group is one
    observation, and the interval is Student's t of their mean, cut off at 0 and 1 (W. G. Cochran, *Sampling
    Techniques*, 3rd edition 1977, chapter 9: whole clusters of equal size). If luck decides much, groups differ less
    than games do, and the interval is narrower than that of as many games without mirrors.

    Groups that are all alike (a single one, for instance) say nothing of how they vary. Then the interval is Wilson's
    of as many tries as there are groups, which is wide.
    """
    means = [fmean(shares[first : first + size]) for first in range(0, len(shares), size)]
    share = fmean(means)
    if min(means) == max(means):
        return wilson(share * len(means), len(means))
    half = half_width(means)
    return max(0.0, share - half), min(1.0, share + half)
