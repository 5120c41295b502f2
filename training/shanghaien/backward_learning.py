"""Learning the chances between rounds (``values.py``), backwards from the last round.

A few rows are laid at tables as they may be at the start of a round (``tables.py``). The round is then solved
(``many.py``) with the values of its ends (``ends.py``). These are exact in the last round, and come from the weights
just learned in the one before, and so on. The weights of a round are fitted to these solved values. As many rows are
laid at a table as are solved at about the price of one: more tables teach more than more rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np

from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.values import Model, Weights, between, chances
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.state import State
from kontor.games.shanghaien.rules.view import View
from kontor.work import Jobs, executor_of
from training.shanghaien.fitting import at_random, fitted
from training.shanghaien.many import of_rows
from training.shanghaien.tables import game, holding, tables
from training.trainers import Arrays, ReportProgress

GAMES: Final = 3600
"""Games played for the shipped weights.

Of each game some tables are made for the rounds from LATE on. Of the first half of the games tables are also made for
the rounds before, whose weights have less to learn.
"""

LATE: Final = 7

TOGETHER: Final = 10
"""Games in one task."""

APART: Final = 10
"""One task in this number is held out from learning, and measures the error of the weights."""

ROWS: Final = (4, 2, 1)
"""Rows laid at a table where neither seat, one, and both have tricks."""

STEPS: Final = 4000
RATE: Final = 0.005
"""Learning rate of Adam; STEPS are for the last round.

The rounds before it begin with the weights of the round after, and take half the steps, or a quarter where there are
half as many tables.
"""

Sample = tuple[View, float]
"""A table, and the chance of seat 0 there, over ROWS."""


def train(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Arrays:
    """Return the weights of each round, ``"8/nation"`` and so on. See ``training.trainers``.

    ``"8/miss"`` is the root of the mean square of their error at held-out tables, over ROWS at each; much of it is
    the luck of these rows. (``gauging.py`` measures better.) NaN if no table was held out.
    """
    games = max(2, round(GAMES * effort))
    arrays: Arrays = {}
    weights = at_random(np.random.default_rng(seed))
    with executor_of(jobs) as executor:
        starts: list[Sequence[State]] = []
        for some in executor.map(_starts, [(seed, first) for first in range(games)]):
            starts.append(some)
            tell("games played", len(starts), games)
        few = starts[: (games + 1) // 2]
        tasks_of = {
            number: [
                (first, [start[number - 1] for start in some[first : first + TOGETHER]])
                for some in [starts if number >= LATE else few]
                for first in range(0, len(some), TOGETHER)
            ]
            for number in range(ROUNDS, 0, -1)
        }
        done, total = 0, sum(map(len, tasks_of.values()))
        for number, tasks in tasks_of.items():
            following = None if number == ROUNDS else weights
            samples: list[Sample] = []
            apart: list[Sample] = []
            for at, new_samples in enumerate(executor.map(_samples, [(seed, following, *task) for task in tasks]), 1):
                (samples if at % APART else apart).extend(new_samples)
                done += 1
                tell("rounds solved", done, total)
            share = 1 if number == ROUNDS else 2 if number >= LATE else 4
            steps = round(STEPS * min(1.0, effort)) // share + 1
            weights = fitted(weights, samples, steps, RATE, np.random.default_rng([seed, number]))
            arrays |= {f"{number}/{name}": array.astype(np.float32) for name, array in weights.items()}
            arrays[f"{number}/miss"] = np.array(_miss(Model(number, weights), apart))
    return arrays


def _starts(task: tuple[int, int]) -> Sequence[State]:
    """Return the states before the rows of a game's rounds are laid; ``task`` is the seed and the game's number."""
    seed, number = task
    return list(game(Random(f"shanghaien/{seed}/game/{number}")))


def _samples(task: tuple[int, Weights | None, int, Sequence[State]]) -> list[Sample]:
    """Return tables made of the starts of a round in some games, and their values.

    ``task`` is the seed, the weights for the round after this one, the number of the first start, and the starts.
    """
    seed, weights, first, starts = task
    model = Model(starts[0].round + 1, weights) if weights else None
    samples = []
    for number, start in enumerate(starts, first):
        random = Random(f"shanghaien/{seed}/tables/{start.round}/{number}")
        for table in tables(start, random):
            rows = [SHANGHAIEN.chance(table).draw(random.randrange) for _ in range(ROWS[holding(table)])]
            laid = [ends(SHANGHAIEN.view(SHANGHAIEN.play(table, row), None), model) for row in rows]
            samples.append((SHANGHAIEN.view(table, None), float(of_rows(laid, table.turn).mean())))
    return samples


def _miss(model: Model, samples: Sequence[Sample]) -> float:
    if not samples:
        return float("nan")
    estimates = chances(model, between([view for view, _ in samples]))
    return float(np.sqrt(np.mean((estimates - [value for _, value in samples]) ** 2)))
