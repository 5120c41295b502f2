"""Rows of a table, and the interval of a mean reward."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from kontor.intervals import wilson

Row = Sequence[float | str]


def reward_interval(rewards: Sequence[float], least: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the mean of rewards between ``least`` and 1, of independent games."""
    spread = 1 - least
    low, high = wilson((fmean(rewards) - least) / spread * len(rewards), len(rewards))
    return least + spread * low, least + spread * high
