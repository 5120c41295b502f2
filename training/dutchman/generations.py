"""Training of the Holländer players' weights from a seed alone, by generations of expert iteration.

Source: Anthony, Tian and Barber, 2017. The first values are learned from games of ``greedy`` (``first_generation``).
Then ``swift`` plays itself with the weights so far, and values and a policy are learned anew from its games; and so
on.

The values of a state are fitted to the winners from there. Since winning is mostly luck, they are also fitted to the
values one round later.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from kontor.games.dutchman.players.encoding import Floats
from kontor.games.dutchman.players.features import features
from kontor.games.dutchman.players.network import Weights, chances, shapes
from kontor.work import Jobs
from training.dutchman.first_generation import KEPT_APART, LEARNING, PLAYING, kept_apart, measured, part
from training.dutchman.first_generation import train as train_from_greedy
from training.dutchman.fitting import fit, picked
from training.dutchman.imitation import as_greedy, fitted
from training.dutchman.learned import Learned
from training.dutchman.lessons import PLAYERS, Lesson
from training.dutchman.self_play import Played, games
from training.trainers import Arrays, ReportProgress

GENERATIONS: Final = (2500, 5000, 5000)
"""Games of each generation, with an effort of 1; a further one has as many as the last. A fourth generation is no
stronger: it wins 24.8 % of 800 games against three of the third (``bench.pool``)."""

AS_IT_CAME: Final = 0.85
"""Part of a target that comes from the target of the next round; the rest is that round's value: TD(λ)."""

PASSES: Final = 2
"""Number of times that targets are computed anew in a generation."""

EPOCHS: Final = 4
"""Epochs in each pass."""

STEP: Final = 8e-4

TOGETHER: Final = 4096
"""States that are judged at a time."""


def train(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
    """Train the weights of the last generation, step by step as :func:`following` does.

    Time grows with ``effort``; 1 takes 90 minutes on one core. ``jobs`` changes nothing. Another kind of processor
    rounds differently, which leads to other weights that estimate equally well; so does another number of threads
    (``training.trainers.MATRIX_THREADS``).
    """
    learned = first(seed, effort, jobs, tell)
    for generation in range(1, len(GENERATIONS) + 1):
        learned = following(learned, generation, seed, effort, jobs, tell)
    return learned


def first(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
    """Train generation 0: values from games of ``greedy``, and its policy."""
    return {**train_from_greedy(seed, effort, jobs, tell), **as_greedy()}


def following(learned: Arrays, generation: int, seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
    """Train the next generation from games of the one before.

    Returns the weights of values and policy by name, and how good the values are on games kept apart
    (``first_generation.measured``). Generations are numbered from 0.
    """
    most = GENERATIONS[min(generation, len(GENERATIONS)) - 1]
    numbers = range(max(KEPT_APART * len(PLAYERS), round(effort * most)))
    played = games(seed, generation, Learned(learned), numbers, jobs, partial(tell, PLAYING))
    generator = np.random.default_rng([seed, generation])
    weights = {name: learned[name].copy() for name in shapes()}
    _fit(weights, played, generator, tell)
    policy = fitted(played.choices, generator, partial(tell, LEARNING))
    apart = {players: part(lesson, kept_apart(lesson)) for players, lesson in played.lessons.items()}
    return {**weights, **policy, **measured(weights, apart)}


def _fit(weights: Weights, played: Played, generator: np.random.Generator, tell: ReportProgress) -> None:
    """Fit the weights of the values, in place."""
    lessons = {players: part(lesson, ~kept_apart(lesson)) for players, lesson in played.lessons.items()}
    for _ in range(PASSES):
        aimed = {players: lesson._replace(shares=targets(weights, lesson)) for players, lesson in lessons.items()}
        fit(weights, aimed, EPOCHS, STEP, generator, partial(tell, LEARNING))


def targets(weights: Weights, lesson: Lesson) -> Floats:
    """Return the target values of the states, float32[states, seats]; those of a game stand in order."""
    estimates = np.concatenate([
        chances(weights, features(picked(lesson.states, np.arange(first, min(first + TOGETHER, len(lesson.game))))))
        for first in range(0, len(lesson.game), TOGETHER)
    ])  # fmt: skip
    aims = lesson.shares.copy()
    for place in range(len(aims) - 2, -1, -1):
        if lesson.game[place] == lesson.game[place + 1]:
            aims[place] = (1 - AS_IT_CAME) * estimates[place + 1] + AS_IT_CAME * aims[place + 1]
    return aims
