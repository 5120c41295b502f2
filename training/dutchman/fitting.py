"""Fitting of the network's weights to played games: log loss, batches of states, Adam."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi
from typing import Final

import numpy as np

from kontor.games.dutchman.players.encoding import Encoded, Numbers
from kontor.games.dutchman.players.features import features
from kontor.games.dutchman.players.network import Weights
from training.dutchman.lessons import Lesson
from training.dutchman.network_gradient import gradient

BATCH: Final = 512
"""States in a step."""
DECAY: Final = 1e-4
"""Part of itself that a weight loses at each step, times the size of the step (AdamW)."""
MOMENTS: Final = (0.9, 0.999)
TINY: Final = 1e-8


class Adam:
    """Gradient descent by running averages of the gradient and its square (Kingma and Ba, 2014).

    The decay of the weights is separate from it (Loshchilov and Hutter, 2017).
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._first = {name: np.zeros_like(value) for name, value in weights.items()}
        self._second = {name: np.zeros_like(value) for name, value in weights.items()}
        self._steps = 0

    def step(self, slope: Weights, far: float) -> None:
        """Take one step; the weights are changed in place."""
        self._steps += 1
        for name, value in self.weights.items():
            first, second = self._first[name], self._second[name]
            first += (1 - MOMENTS[0]) * (slope[name] - first)
            second += (1 - MOMENTS[1]) * (slope[name] ** 2 - second)
            likely = first / (1 - MOMENTS[0] ** self._steps)
            size = np.sqrt(second / (1 - MOMENTS[1] ** self._steps)) + TINY
            value -= far * (likely / size + DECAY * value)


def fit(
    weights: Weights,
    lessons: dict[int, Lesson],
    epochs: int,
    step: float,
    generator: np.random.Generator,
    tell: Callable[[int, int], None],
) -> None:
    """Fit the weights, in place.

    Each state is used once in every epoch. Steps begin with the size ``step`` and become smaller until the end.
    ``tell`` receives the number of finished steps, and of all.
    """
    adam = Adam(weights)
    total = epochs * sum(-(-len(lesson.game) // BATCH) for lesson in lessons.values())
    done = 0
    for _ in range(epochs):
        batches = _batches(lessons, generator)
        for place in generator.permutation(len(batches)):
            players, some = batches[place]
            lesson = lessons[players]
            _, slope = gradient(weights, features(picked(lesson.states, some)), lesson.shares[some])
            adam.step(slope, step * (1 + cos(pi * done / total)) / 2)
            done += 1
            tell(done, total)


def _batches(lessons: dict[int, Lesson], generator: np.random.Generator) -> list[tuple[int, Numbers]]:
    """Return all states in random order, in batches with equally many players."""
    batches: list[tuple[int, Numbers]] = []
    for players, lesson in lessons.items():
        order = generator.permutation(len(lesson.game))
        batches += [(players, order[first : first + BATCH]) for first in range(0, len(order), BATCH)]
    return batches


def picked(states: Encoded, which: Numbers) -> Encoded:
    """Return some of the states, by their places."""
    return Encoded(states.merchants[which], states.table[which], states.ways[which])
