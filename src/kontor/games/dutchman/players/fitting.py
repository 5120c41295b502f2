"""Fitting the weights of the network to games that were played: log loss, batches of states, Adam."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi
from typing import Final

import numpy as np

from kontor.games.dutchman.players.encoding import Encoded, Numbers
from kontor.games.dutchman.players.features import features
from kontor.games.dutchman.players.network import Weights, gradient
from kontor.games.dutchman.players.selfplay import Lesson

BATCH: Final = 512
"""States in a step."""
DECAY: Final = 1e-4
"""What a weight loses of itself at each step, as a part of how far the step goes (AdamW)."""
MOMENTS: Final = (0.9, 0.999)
TINY: Final = 1e-8


class Adam:
    """Steps down a slope, by running averages of the gradient and of its square (Kingma and Ba, 2014), with decay of
    the weights apart from it (Loshchilov and Hutter, 2017)."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._first = {name: np.zeros_like(value) for name, value in weights.items()}
        self._second = {name: np.zeros_like(value) for name, value in weights.items()}
        self._steps = 0

    def step(self, slope: Weights, far: float) -> None:
        """One step; the weights are changed in place."""
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
    """Fits the weights, in place. In every epoch each state is learned from once. The first steps go as far as
    ``step`` says, and become smaller until the end; ``tell`` is told how many of how many have been made."""
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
    """All states in random order, in batches of equally many players."""
    batches: list[tuple[int, Numbers]] = []
    for players, lesson in lessons.items():
        order = generator.permutation(len(lesson.game))
        batches += [(players, order[first : first + BATCH]) for first in range(0, len(order), BATCH)]
    return batches


def picked(states: Encoded, which: Numbers) -> Encoded:
    """Some of the states, by their places."""
    return Encoded(states.merchants[which], states.table[which], states.ways[which])
