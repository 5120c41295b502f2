"""PPO against random steps, and then against our levels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import mean
from typing import NamedTuple

import numpy as np

from bench.research.intervals import Row
from bench.research.levels import SLOW
from kontor.environments.adapter import encoder_of
from kontor.environments.gymnasium import Seat
from kontor.environments.ppo import Network, Point, Ppo
from kontor.intervals import half_width
from kontor.players.levels import levels


class Learned(NamedTuple):
    """The result of one seed: its curve, and in the end the mean reward when a level has all other seats."""

    points: list[Point]
    against: dict[str, float]


def against(network: Network, game: str, level: str, games: int) -> float:
    """Return the mean reward of always taking the likeliest step when a level has all other seats.

    Each seat has as many games.
    """
    tables = [Seat(game, seat=seat, opponents=level) for seat in range(encoder_of(game).seats)]
    rewards = []
    for number in range(games):
        table, reward, over = tables[number % len(tables)], 0.0, False
        seen, _ = table.reset(seed=number)
        while not over:
            alone = {name: values[np.newaxis] for name, values in seen.items()}
            seen, reward, over, _, _ = table.step(network.likeliest(alone)[0])
        rewards.append(reward)
    return mean(rewards)


def curve(game: str, updates: int, every: int, opponents: str, games: int, seed: int) -> Learned:
    """Train one seed, and print each point of its curve while it learns."""
    learner, points = Ppo(game, updates=updates, opponents=opponents, seed=seed), []
    for point in learner.points(every):
        print(f"seed {seed}, update {point.update}: {point.won:.3f}", file=sys.stderr, flush=True)
        points.append(point)
    quick = [level for level in levels(game) if level not in SLOW] if games else []
    return Learned(points, {level: against(learner.network, game, level, games) for level in quick})


def ppo(game: str, updates: int, opponents: str, games: int, seeds: int, cores: int) -> Iterator[Row]:
    """Yield learning curves against random players, then rewards against levels in ``games`` games of each seed."""
    yield "update", "decisions", "reward", "interval", *(f"seed {seed}" for seed in range(seeds))
    work = partial(curve, game, updates, max(updates // 10, 1), opponents, games)
    if cores == 1:
        learned = [work(seed) for seed in range(seeds)]
    else:
        with ProcessPoolExecutor(cores) as executor:
            learned = list(executor.map(work, range(seeds)))
    for points in zip(*(each.points for each in learned), strict=True):
        rewards = [point.won for point in points]
        yield points[0].update, points[0].decisions, mean(rewards), half_width(rewards), *rewards
    for level in learned[0].against:
        rewards = [each.against[level] for each in learned]
        yield f"against {level}", learned[0].points[-1].decisions, mean(rewards), half_width(rewards), *rewards
