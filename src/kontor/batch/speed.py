"""The speed of the kernels: whole random games, on one core and on several at once; and games by numbered steps.

Games by steps run on one core, with all outputs for learners. The clock is the processor's time of each thread
(``time.thread_time``), so that other work of the machine does not count. The speed on several cores is the sum of
their speeds while all are busy.
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
"""The number of games between two looks at the clock."""


class Run(Value, frozen=True):
    """One run: decisions a second of all cores together, and its games and decisions."""

    speed: float
    games: int
    decisions: int


def run(game: AnyGame, options: Any, *, cores: int, seconds: float, seed: int) -> Run:
    """Play random games on so many cores at once, on each for at least so many seconds of its time."""
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
"""The number of games by numbered steps that are played side by side."""
STEPS: Final = 200
"""The number of steps in each of them between two looks at the clock."""


def run_steps(game: AnyGame, options: Any, *, seconds: float, seed: int) -> Run:
    """Play random games by numbered steps, for at least so many seconds of a core's time.

    Every seat is a learner's. The time includes choosing a legal step by the mask, playing on, and writing mask,
    observation and rewards.
    """
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
