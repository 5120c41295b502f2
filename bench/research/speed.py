"""The speed of environments over arrays on one core, with every observation and mask, for random legal steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from time import thread_time
from typing import Final

import numpy as np

from bench.research.intervals import Row
from kontor.batch.sampling import sample_steps
from kontor.environments.functional import FunctionalEnv
from kontor.environments.vector import VectorSeat

GAMES: Final = 512
STEPS: Final = 100
"""Steps between two readings of the clock."""

Play = Callable[[], int]
"""A function that plays on, and returns the number of decisions."""


def functional(game: str, seed: int, *, donate: bool) -> Play:
    """Return a function that plays games in which every seat is a learner's; finished games start again."""
    env, random = FunctionalEnv(game), np.random.default_rng(seed)
    state = env.init(seed=seed, games=GAMES)

    def play() -> int:
        nonlocal state
        decisions = 0
        for _ in range(STEPS):
            over = state.terminated
            decisions += GAMES - int(over.sum())
            state = env.step(state, np.where(over, -2, env.sample(state, random)), donate=donate)
        return decisions

    return play


def vector(game: str, seed: int) -> Play:
    """Return a function that plays games in which one seat is the learner's, and only its decisions count.

    The other seats take random steps.
    """
    envs, random = VectorSeat(GAMES, game=game, copy=False, autoreset_mode="SameStep"), np.random.default_rng(seed)
    seen, _ = envs.reset(seed=seed)

    def play() -> int:
        nonlocal seen
        steps = np.empty(GAMES, np.int64)
        for _ in range(STEPS):
            sample_steps(seen["action_mask"].view(np.uint8), random.random(GAMES), steps)
            seen, _, _, _, _ = envs.step(steps)
        return GAMES * STEPS

    return play


def speeds(game: str, runs: int, seconds: float) -> Iterator[Row]:
    """Yield decisions a second: median, least and most of the runs, which take turns."""
    yield "environment", "runs", "median", "least", "most"
    plays = {
        "functional step, donated": [functional(game, seed, donate=True) for seed in range(runs)],
        "functional step, copied": [functional(game, seed, donate=False) for seed in range(runs)],
        "VectorEnv": [vector(game, seed) for seed in range(runs)],
    }
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for run in range(runs):
        for name, each in plays.items():
            each[run]()  # compile before the clock starts
            decisions, began = 0, thread_time()
            while (passed := thread_time() - began) < seconds or not decisions:
                decisions += each[run]()
            rates[name].append(decisions / passed)
    for name, all_runs in rates.items():
        yield name, runs, *(f"{value:,.0f}" for value in (median(all_runs), min(all_runs), max(all_runs)))
