"""OpenSpiel's CFR in the Mini-Holländer."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean
from typing import Final

import pyspiel

import kontor.environments.openspiel  # noqa: F401 (registers the games)
from bench.research.intervals import Row
from kontor.intervals import half_width

EACH: Final = 100
"""Iterations of MCCFR, which look at a few histories each, for one iteration of CFR."""


def solve(iterations: int, seeds: int) -> Iterator[Row]:
    """Yield NashConv in the Mini-Holländer: by how much all seats together could gain by best responses."""
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
        nash_convs = [pyspiel.nash_conv(game, run.average_policy(), True) for run in runs]
        yield "MCCFR", EACH * count, mean(nash_convs), half_width(nash_convs)
