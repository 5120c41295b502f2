"""Errors of the chances between rounds (``values.py``), by tables that they were not fitted to.

At the start of the last round the true chance can be computed: the mean over all orders of the six cards, each solved
exactly. Before that, the model's chance is compared with the mean of many rows, each solved with the model's chances
for the next round: so these are the errors that a round adds. Complete games show what they add up to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import sqrt
from random import Random
from typing import Final

import numpy as np

from kontor.games.shanghaien.players import values
from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.round import solve
from kontor.games.shanghaien.players.values import Model
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS, Card
from kontor.games.shanghaien.rules.state import NOBODY_PLACED, Options, Row, State
from kontor.players import player_named
from kontor.work import Executor, Jobs, executor_of
from training.shanghaien.tables import game, played
from training.trainers import CalibrationBin, Gauged, MeanError, ReportProgress, in_bins

TABLES: Final = 60
"""Tables at the start of each round but the last. ROWS are laid at each of them; of the last round, EXACT."""
ROWS: Final = 32
EXACT: Final = 30

GAMES: Final = 300
"""Games among experts."""

LEAST: Final = 2
"""The least number of tables of a round, and of games, at any effort."""


def gauge(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Gauged:
    """Measure the errors of the shipped weights, as ``training.trainers`` says."""
    with executor_of(jobs) as executor:
        misses = [_miss(number, seed, effort, executor, tell) for number in range(ROUNDS, 1, -1)]
        return Gauged(tuple(misses), _calibrate(seed, effort, executor, tell))


# -------------------------------------------------------------------------------------------------- errors by round


def _miss(number: int, seed: int, effort: float, executor: Executor, tell: ReportProgress) -> MeanError:
    tables = max(LEAST, round((EXACT if number == ROUNDS else TABLES) * effort))
    errors, doubts = [], []
    for error, doubt in executor.map(_measure_error, [(seed, number, table) for table in range(tables)]):
        errors.append(error**2)
        doubts.append(doubt**2)
        tell("positions solved", (ROUNDS - number) * tables + len(errors), (ROUNDS - 1) * tables)
    # The mean of the rows has an error too: it is subtracted.
    return MeanError(
        number, tables, sqrt(max(0.0, float(np.mean(errors) - np.mean(doubts)))), sqrt(float(np.mean(doubts)))
    )


def _measure_error(task: tuple[int, int, int]) -> tuple[float, float]:
    """Return the model's error at a table, and the standard error of the reference value.

    ``task`` is the seed, the round, and the number of the table.
    """
    seed, number, table = task
    random = Random(f"shanghaien/{seed}/gauge/{number}/{table}")
    states = list(game(random))
    state = states[number - 1]
    estimate = values.chance(SHANGHAIEN.view(state, None))
    following = values.model(number + 1) if number < ROUNDS else None
    rows = list(_rows(state, random))
    references = np.array([solved(SHANGHAIEN.play(state, row), following) for row, _ in rows])
    doubt = 0.0 if number == ROUNDS else float(np.std(references, ddof=1)) / sqrt(len(references))
    return estimate - float(np.average(references, weights=[weight for _, weight in rows])), doubt


def _rows(state: State, random: Random) -> Iterator[tuple[Row, int]]:
    """Yield rows and their weights: in the last round all there are, before it some at random."""
    if state.round == ROUNDS:
        yield from orders(state.to_come)
    else:
        chance = SHANGHAIEN.chance(state)
        yield from ((chance.draw(random.randrange), 1) for _ in range(ROWS))


def solved(laid: State, model: Model | None) -> float:
    """Return seat 0's chance at the start of a round whose row is laid; ``model`` is for the next round, if any."""
    return solve(ends(SHANGHAIEN.view(laid, None), model), NOBODY_PLACED, laid.turn, None).value


def orders(cards: tuple[Card, ...]) -> Iterator[tuple[Row, int]]:
    """Yield every distinguishable order of the cards, and the number of orders that it stands for.

    A row and its mirror image have the same value, for the starter chooses the end (S7).
    """
    for order in sorted(set(permutations(cards))):
        if order <= order[::-1]:
            yield Row(order), 1 + (order < order[::-1])


# ------------------------------------------------------------------------------------------------------ calibration


def _calibrate(seed: int, effort: float, executor: Executor, tell: ReportProgress) -> tuple[CalibrationBin, ...]:
    games = max(LEAST, round(GAMES * effort))
    predicted: list[float] = []
    came: list[float] = []
    for number, (chances, share) in enumerate(
        executor.map(_expert_game, [(seed, number) for number in range(games)])
    ):
        predicted += chances
        came += [share] * len(chances)
        tell("games played", number + 1, games)
    return in_bins(predicted, came)


def _expert_game(task: tuple[int, int]) -> tuple[list[float], float]:
    """Return seat 0's chance before each of the rounds 2 to 8, and its result.

    ``task`` is the seed and the game's number.
    """
    seed, number = task
    random = Random(f"shanghaien/{seed}/calibration/{number}")
    _, *starts, end = played(player_named("shanghaien", "expert"), Options(), random)
    chances = [values.chance(SHANGHAIEN.view(state, None)) for state in starts]
    result = SHANGHAIEN.result(end)
    assert result
    return chances, (0 in result.winners) / len(result.winners)
