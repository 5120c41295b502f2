"""Gradients written by hand, compared with differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

CHANGE = 1e-6


def hold_against_differences(
    slope: dict[str, Any],
    weights: dict[str, Any],
    loss: Callable[[dict[str, Any]], float],
    generator: np.random.Generator,
) -> None:
    """Change one random weight of each array a little: the loss changes as the slope says."""
    for name, weight in weights.items():
        place = tuple(generator.integers(0, many) for many in weight.shape)
        losses = []
        for change in (-CHANGE, CHANGE):
            moved = weight.copy()
            moved[place] += change
            losses.append(loss(weights | {name: moved}))
        assert slope[name][place] == pytest.approx((losses[1] - losses[0]) / (2 * CHANGE), abs=1e-7), name
