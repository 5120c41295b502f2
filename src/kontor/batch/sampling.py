"""Random legal steps, one in each game."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Bytes, Longs
from kontor.batch.compiled import njit_cached
from kontor.batch.loops import SKIP


@njit_cached
def sample_steps(masks: Bytes, draws: np.ndarray[tuple[int], np.dtype[np.float64]], steps: Longs) -> None:
    """Write a random step that the mask allows, all equally likely, or SKIP where it allows none.

    ``draws`` holds a random number for each game, from 0 to below 1.
    """
    for at in range(len(steps)):
        mask = masks[at]
        many = np.int64(0)
        for step in range(len(mask)):
            many += mask[step]
        number = np.int64(draws[at] * many)
        steps[at] = SKIP
        if many:
            step = 0
            while True:
                number -= mask[step]
                if number < 0:
                    break
                step += 1
            steps[at] = step
