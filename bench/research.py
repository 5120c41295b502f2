"""Baselines for learners, one command each, the same for the same seeds (docs/benchmark.md).

    python -m bench.research ppo shanghaien --updates 200          # PPO, in NumPy, five seeds
    python -m bench.research mcts --games 60 --simulations 50      # OpenSpiel's MCTS in Shanghaien
    python -m bench.research mini --iterations 200                 # CFR, CFR+ and MCCFR in the Mini-Holländer

Each prints CSV: means over the seeds, and the half of a 95 % interval (Student's t).
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core for each seed

import csv
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from statistics import mean, stdev
from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import kontor.environments.openspiel  # noqa: F401 (registers the games)
from kontor.environments.ppo import Point, learn

SEEDS: Final = 5
STUDENT: Final = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""The 97.5 % quantile of Student's t, by how many values there are."""
LARGE: Final = 1.96

Row = Sequence[float | str]


def interval(values: Sequence[float]) -> float:
    """Half of a 95 % interval of the mean."""
    if len(values) < 2:
        return float("nan")
    return float(STUDENT.get(len(values), LARGE) * stdev(values) / len(values) ** 0.5)


# ----------------------------------------------------------------------------------------------------- PPO


def curve(game: str, updates: int, every: int, opponents: str, seed: int) -> list[Point]:
    """The learning curve of one seed."""
    return list(learn(game, updates=updates, every=every, opponents=opponents, seed=seed))


def ppo(game: str, updates: int, opponents: str, seeds: int, cores: int) -> Iterator[Row]:
    """Learning curves against random players."""
    yield "update", "decisions", "reward", "interval", *(f"seed {seed}" for seed in range(seeds))
    work = partial(curve, game, updates, max(updates // 10, 1), opponents)
    if cores == 1:
        curves = [work(seed) for seed in range(seeds)]
    else:
        with ProcessPoolExecutor(cores) as executor:
            curves = list(executor.map(work, range(seeds)))
    for points in zip(*curves, strict=True):
        rewards = [point.won for point in points]
        yield points[0].update, points[0].decisions, mean(rewards), interval(rewards), *rewards


# ---------------------------------------------------------------------------------------------------- MCTS


def searched(game: Any, simulations: int, seat: int, seed: int) -> float:
    """What a game brings OpenSpiel's MCTS with random rollouts against a random player."""
    luck, random = np.random.RandomState(seed), Random(seed)
    bot = mcts.MCTSBot(game, 2.0, simulations, mcts.RandomRolloutEvaluator(random_state=luck), random_state=luck)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            step, _ = pyspiel.sample_action(state.chance_outcomes(), random.random())
        else:
            step = bot.step(state) if state.current_player() == seat else random.choice(state.legal_actions())
        state.apply_action(step)
    return float(state.returns()[seat])


def search(games: int, simulations: int) -> Iterator[Row]:
    """Rewards against random players, half of the games on each seat."""
    yield "simulations", "games", "reward", "interval"
    game = pyspiel.load_game("shanghaien")
    rewards = [searched(game, simulations, number % 2, number) for number in range(games)]
    yield simulations, games, mean(rewards), interval(rewards)


# ---------------------------------------------------------------------------------------------------- CFR


def solve(iterations: int, seeds: int) -> Iterator[Row]:
    """NashConv in the Mini-Holländer: by how much all seats together could gain by best responses."""
    yield "algorithm", "iterations", "nash_conv", "interval"
    game = pyspiel.load_game("cached_tree(game=mini_dutchman())")
    looked_at = [count for count in (1, 3, 10, 30, 100, 300, 1000) if count < iterations] + [iterations]
    for name, solver in (("CFR", pyspiel.CFRSolver(game)), ("CFR+", pyspiel.CFRPlusSolver(game))):
        for iteration in range(1, iterations + 1):
            solver.evaluate_and_update_policy()
            if iteration in looked_at:
                yield name, iteration, pyspiel.nash_conv(game, solver.average_policy(), True), float("nan")
    runs = [pyspiel.ExternalSamplingMCCFRSolver(game, seed) for seed in range(seeds)]
    done = 0
    for count in looked_at:
        for run in runs:
            for _ in range(EACH * (count - done)):
                run.run_iteration()
        done = count
        found = [pyspiel.nash_conv(game, run.average_policy(), True) for run in runs]
        yield "MCCFR", EACH * count, mean(found), interval(found)


EACH: Final = 100
"""Iterations of MCCFR, which look at a few histories each, for one of CFR."""


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    asked = ArgumentParser(prog="bench.research")
    what = asked.add_subparsers(dest="what", required=True)
    learning = what.add_parser("ppo")
    learning.add_argument("game", choices=("shanghaien", "dutchman"))
    learning.add_argument("--updates", type=int, default=200)
    learning.add_argument("--opponents", choices=("random", "self"), default="random")
    learning.add_argument("--cores", type=int, default=2)
    searching = what.add_parser("mcts")
    searching.add_argument("--games", type=int, default=60)
    searching.add_argument("--simulations", type=int, default=50)
    solving = what.add_parser("mini")
    solving.add_argument("--iterations", type=int, default=200)
    for parser in (learning, solving):
        parser.add_argument("--seeds", type=int, default=SEEDS)
    given = asked.parse_args(arguments)
    match given.what:
        case "ppo":
            rows = ppo(given.game, given.updates, given.opponents, given.seeds, given.cores)
        case "mcts":
            rows = search(given.games, given.simulations)
        case _:
            rows = solve(given.iterations, given.seeds)
    table = csv.writer(sys.stdout, lineterminator="\n")
    for row in rows:
        table.writerow([f"{cell:.4g}" if isinstance(cell, float) else cell for cell in row])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
