"""How fast the kernels are: whole games with random legal moves, on one core and on several at once; and games by
numbered steps on one core, with all that a learner looks at.

What counts is the time that the processor spends on each thread (``time.thread_time``), so that whatever else the
machine does is not counted. The speed on several cores is the sum of what each of them does while all are at work.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import thread_time
from typing import Any, Final

import numpy as np

from kontor.batch.batch import roll_out
from kontor.batch.step_batch import StepBatch
from kontor.batch.stepping import ANEW, PLAYING
from kontor.game import AnyGame, Value

GAMES: Final = 2_000
"""Played between two looks at the clock."""


class Run(Value, frozen=True):
    """One run: decisions a second of all cores together, and the games and decisions in it."""

    speed: float
    games: int
    decisions: int


def run(game: AnyGame, options: Any, *, cores: int, seconds: float, seed: int) -> Run:
    """Random games on so many cores at once, on each for at least so many seconds of its time."""
    roll_out(game, options, 1)  # compiled before the clock starts
    with ThreadPoolExecutor(cores) as threads:
        done = threads.map(lambda core: _on_one(game, options, seconds, seed, core << 32), range(cores))
        runs = list(done)
    return Run(sum(run.speed for run in runs), sum(run.games for run in runs), sum(run.decisions for run in runs))


def _on_one(game: AnyGame, options: Any, seconds: float, seed: int, first: int) -> Run:
    games = decisions = 0
    began = thread_time()
    while True:
        decisions += int(roll_out(game, options, GAMES, seed=seed, first=first + games).decisions.sum())
        games += GAMES
        passed = thread_time() - began
        if passed >= seconds:
            return Run(decisions / passed, games, decisions)


AT_ONCE: Final = 512
"""Games by numbered steps that are played side by side."""
STEPS: Final = 200
"""Of each of them between two looks at the clock."""


def run_steps(game: AnyGame, options: Any, *, seconds: float, seed: int) -> Run:
    """Random games by numbered steps, in which every seat is a learner's, for at least so many seconds of a core's
    time: choosing a legal step by the mask, playing on, and writing mask, observation and rewards."""
    batch = StepBatch(game, options, AT_ONCE, seed=seed)
    random = np.random.default_rng(seed)
    batch.step(batch.sample(random))
    games = decisions = 0
    began = thread_time()
    while True:
        for _ in range(STEPS):
            steps = batch.sample(random)
            over = batch.ended != PLAYING
            decisions += AT_ONCE - int(over.sum())
            games += int(over.sum())
            batch.step(np.where(over, ANEW, steps))
        passed = thread_time() - began
        if passed >= seconds:
            return Run(decisions / passed, games, decisions)
