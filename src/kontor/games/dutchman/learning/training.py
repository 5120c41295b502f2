"""How the weights of the Holländer's players are made, from nothing but a seed: by generations (expert iteration;
Anthony, Tian and Barber, 2017).

The first values are learned from games of ``greedy`` (``players.training``). Then ``swift`` plays itself by what has
been learned so far, and from its games values and a policy are learned anew; and so on. The values of a state are
fitted to who won from there and, for that is mostly luck, also to what the values said a round later.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from kontor.games.dutchman.learning.imitation import as_greedy, fitted
from kontor.games.dutchman.learning.learned import Learned
from kontor.games.dutchman.learning.selfplay import Played, games
from kontor.games.dutchman.players.encoding import Floats
from kontor.games.dutchman.players.features import features
from kontor.games.dutchman.players.fitting import fit, picked
from kontor.games.dutchman.players.network import Weights, chances, shapes
from kontor.games.dutchman.players.selfplay import PLAYERS, Lesson
from kontor.games.dutchman.players.training import KEPT_APART, LEARNING, PLAYING, kept_apart, measured, part
from kontor.games.dutchman.players.training import train as train_from_greedy
from kontor.players.training import Arrays, ReportProgress
from kontor.work import Jobs

GENERATIONS: Final = (2500, 5000, 5000)
"""Games of each generation, with an effort of 1; a further one has as many as the last. A fourth wins no more against
three of the third than is its part: 24.8 % of 800 games (``bench.pool``)."""

AS_IT_CAME: Final = 0.85
"""So much of a target is what came of the next round, and the rest what the values say of it: TD(λ)."""

PASSES: Final = 2
"""So often targets are made anew in a generation."""

EPOCHS: Final = 4
"""In each pass."""

STEP: Final = 8e-4

TOGETHER: Final = 4096
"""States that are judged at a time."""


def train(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
    """The last generation, as :func:`following` tells. Time grows with ``effort``; 1 takes 90 minutes on one core.

    ``jobs`` changes nothing. Another kind of processor rounds differently, and that leads to other weights which
    estimate equally well; so does another number of threads (``kontor.players.training.MATRIX_THREADS``)."""
    learned = first(seed, effort, jobs, tell)
    for generation in range(1, len(GENERATIONS) + 1):
        learned = following(learned, generation, seed, effort, jobs, tell)
    return learned


def first(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
    """Generation 0: values by games of ``greedy``, and its policy."""
    return {**train_from_greedy(seed, effort, jobs, tell), **as_greedy()}


def following(learned: Arrays, generation: int, seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
    """The next generation, by games of the one before: weights of values and policy, by name, and how the values do
    on games that were kept apart (``players.training.measured``). Generations are numbered from 0."""
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
    """Fits the weights, in place."""
    lessons = {players: part(lesson, ~kept_apart(lesson)) for players, lesson in played.lessons.items()}
    for _ in range(PASSES):
        aimed = {players: lesson._replace(shares=targets(weights, lesson)) for players, lesson in lessons.items()}
        fit(weights, aimed, EPOCHS, STEP, generator, partial(tell, LEARNING))


def targets(weights: Weights, lesson: Lesson) -> Floats:
    """What the values of the states should be, float32[states, seats]; those of a game stand in order."""
    said = np.concatenate([
        chances(weights, features(picked(lesson.states, np.arange(first, min(first + TOGETHER, len(lesson.game))))))
        for first in range(0, len(lesson.game), TOGETHER)
    ])  # fmt: skip
    aims = lesson.shares.copy()
    for place in range(len(aims) - 2, -1, -1):
        if lesson.game[place] == lesson.game[place + 1]:
            aims[place] = (1 - AS_IT_CAME) * said[place + 1] + AS_IT_CAME * aims[place + 1]
    return aims
