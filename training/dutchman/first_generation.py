"""Training of the first weights of :mod:`kontor.games.dutchman.players.values`, from a seed alone.

``generations`` trains them further. Players called ``greedy`` play each other; from the states at which rounds began
the network learns who won from there. Some games are kept apart to measure how good the estimates are (``log_loss``,
``calibration``).
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kontor.games.dutchman.players.encoding import Floats
from kontor.games.dutchman.players.features import features
from kontor.games.dutchman.players.network import Weights, chances
from kontor.work import Jobs
from training.dutchman.fitting import fit, picked
from training.dutchman.lessons import PLAYERS, Lesson, lessons
from training.dutchman.network_gradient import new_weights
from training.trainers import Arrays, ReportProgress

GAMES: Final = 24000
"""Games for learning, with an effort of 1."""
KEPT_APART: Final = 10
"""One game of so many is not used for learning."""
EPOCHS: Final = 15
STEP: Final = 3e-3
BINS: Final = 10

PLAYING: Final = "games played"
LEARNING: Final = "steps of learning"


def train(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
    """Train the weights; return them with their measurements on the games kept apart (see :func:`measured`).

    The weights are by name as in :func:`~kontor.games.dutchman.players.network.shapes`. Time grows with ``effort``; 1
    takes some 11 minutes on one core.

    ``jobs`` changes nothing. Another kind of processor rounds differently, which leads to other weights that estimate
    equally well; so does another number of threads (``training.trainers.MATRIX_THREADS``).
    """
    games = max(KEPT_APART * len(PLAYERS), round(effort * GAMES))
    played = lessons(seed, range(games), jobs, partial(tell, PLAYING))
    learned, apart = {}, {}
    for players, lesson in played.items():
        test = kept_apart(lesson)
        learned[players], apart[players] = part(lesson, ~test), part(lesson, test)
    generator = np.random.default_rng(seed)
    weights = new_weights(generator)
    fit(weights, learned, EPOCHS, STEP, generator, partial(tell, LEARNING))
    return {**weights, **measured(weights, apart)}


def kept_apart(lesson: Lesson) -> NDArray[np.bool_]:
    """Return which states are not used for learning: equally many of all numbers of players."""
    return np.asarray(lesson.game // len(PLAYERS) % KEPT_APART == 0)


def part(lesson: Lesson, which: NDArray[np.bool_]) -> Lesson:
    """Return the states for which ``which`` holds."""
    (places,) = np.nonzero(which)
    return Lesson(picked(lesson.states, places), lesson.shares[places], lesson.game[places])


def measured(weights: Weights, lessons: dict[int, Lesson]) -> Arrays:
    """Return the ``log_loss`` and the ``calibration`` of the estimates.

    ``log_loss`` is the mean over all states. ``calibration`` float64[BINS, 3] is for seats still playing, in ten
    equal ranges of the estimate from 0 to 1. It holds their number, their mean estimate, and their mean share of the
    victory (0 for an empty range).
    """
    losses, estimates, shares = [], [], []
    for lesson in lessons.values():
        inputs = features(lesson.states)
        estimate = chances(weights, inputs)
        losses.append(log_losses(estimate, lesson.shares))
        estimates.append(estimate[inputs.playing])
        shares.append(lesson.shares[inputs.playing])
    return {
        "log_loss": np.array(np.concatenate(losses).mean()),
        "calibration": calibration(np.concatenate(estimates), np.concatenate(shares)),
    }


def log_losses(estimate: Floats, shares: Floats) -> Floats:
    """Return minus the logarithm of the estimate for the winner, for each state; arrays [states, seats]."""
    return np.asarray(-(shares * np.log(np.maximum(estimate, 1e-9))).sum(axis=1))


def calibration(estimates: Floats, shares: Floats) -> NDArray[np.float64]:
    """Return ``calibration`` of :func:`measured`, for seats."""
    bins = np.minimum((estimates * BINS).astype(np.int64), BINS - 1)
    count = np.bincount(bins, minlength=BINS)
    many = np.maximum(count, 1)
    return np.stack(
        [
            count,
            np.bincount(bins, weights=estimates, minlength=BINS) / many,
            np.bincount(bins, weights=shares, minlength=BINS) / many,
        ],
        axis=1,
    )
