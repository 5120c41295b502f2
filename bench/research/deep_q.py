"""OpenSpiel's DQN (in JAX) in Shanghaien, against random steps."""

from __future__ import annotations

import os
import sys

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # one core

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import mean
from typing import Any, Final

import numpy as np

from bench.research.intervals import Row
from kontor.batch.arrays import Longs, Reals
from kontor.environments.adapter import encoder_of
from kontor.environments.ppo import scale_of, won
from kontor.environments.vector import Policy, VectorSeat
from kontor.intervals import half_width
from kontor.optional_packages import MissingExtra

try:
    from open_spiel.python.jax import dqn
    from open_spiel.python.rl_environment import StepType, TimeStep
except ModuleNotFoundError as missing:  # a package of a test group, which is not an extra of ours
    raise MissingExtra(
        "",
        "OpenSpiel's DQN needs the package {package}, which is not installed: {command}",
        package=missing.name,
        command="uv sync --inexact --extra research --extra batch --group dqn",
    ) from None

GAME: Final = "shanghaien"
SEEDS: Final = 100
"""Number of seeds that have games of their own."""


class Table:
    """Games one after the other, with the learner on each seat in turn."""

    def __init__(self, scale: Reals, steps: int, seed: int) -> None:
        self._scale, self._steps, self._seed = scale, steps, seed
        self._envs = [VectorSeat(1, game=GAME, seat=seat, autoreset_mode="Disabled") for seat in range(2)]
        self._games = 0

    def begin(self) -> TimeStep:
        """Begin a new game, up to the learner's first decision. The same seed gives the same games."""
        self._env = self._envs[self._games % 2]
        seen, _ = self._env.reset(seed=self._seed + SEEDS * self._games)
        self._games += 1
        return self._make_time_step(seen, 0, StepType.FIRST)

    def step(self, step: int) -> TimeStep:
        """Make a step, up to the learner's next decision or the end."""
        seen, rewards, over, _, _ = self._env.step(np.array([step]))
        return self._make_time_step(seen, float(rewards[0]), StepType.LAST if over[0] else StepType.MID)

    def _make_time_step(self, seen: dict[str, Any], reward: float, kind: Any) -> TimeStep:
        legal = np.flatnonzero(seen["action_mask"][0])
        # JAX compiles anew for each length, so the legal steps are repeated up to a fixed length.
        legal = np.resize(legal, self._steps) if len(legal) else np.zeros(self._steps, np.int64)
        observations = {
            "info_state": [(seen["observation"][0] / self._scale).astype(np.float32)],
            "legal_actions": [legal],
            "current_player": 0,
        }
        return TimeStep(observations, [reward], [1.0], kind)


def agent_of(inputs: int, steps: int, decisions: int, seed: int) -> Any:
    """Return a DQN agent whose exploration has nearly faded after half of the decisions."""
    return dqn.DQN(
        0, inputs, steps, hidden_layers_sizes=(128,), batch_size=128, replay_buffer_capacity=50_000,
        learning_rate=1e-3, update_target_network_every=1000, weight_update_coeff=1.0, learn_every=4,
        epsilon_start=1.0, epsilon_end=0.05, epsilon_decay_duration=decisions // 8,
        epsilon_decay_schedule_str="exp", optimizer_str="adam", loss_str="huber", gradient_clipping=10.0,
        seed=seed, allow_checkpointing=False,
    )  # fmt: skip


def greedy(agent: Any, scale: Reals) -> Policy:
    """Return the policy that always takes the step of the highest value.

    It calls the agent's network itself. OpenSpiel's public methods handle one game at a time, which would take longer
    than learning.
    """

    def policy(seen: dict[str, Any]) -> Longs:
        values = np.asarray(agent._q_network(seen["observation"] / scale))
        steps: Longs = np.where(seen["action_mask"], values, -np.inf).argmax(axis=1)
        return steps

    return policy


def curve(decisions: int, games: int, points: int, seed: int) -> list[tuple[int, float]]:
    """Return the mean reward after numbers of decisions so far; print each point while it learns."""
    encoder = encoder_of(GAME)
    scale, steps = scale_of(encoder.bounds), encoder.actions
    agent = agent_of(len(scale), steps, decisions, seed)
    table, curve_points = Table(scale, steps, seed), []
    time_step = table.begin()
    for decision in range(decisions + 1):
        if decision % (decisions // points) == 0:
            curve_points.append((decision, won(greedy(agent, scale), GAME, games=games, seed=seed)))
            print(f"seed {seed}, decision {decision}: {curve_points[-1][1]:.3f}", file=sys.stderr, flush=True)
        time_step = table.step(int(agent.step(time_step).action))
        if time_step.last():
            agent.step(time_step)  # the agent learns of the end
            time_step = table.begin()
    return curve_points


def deep_q(decisions: int, games: int, points: int, seeds: int, cores: int) -> Iterator[Row]:
    """Yield the rows of the learning curves."""
    yield "decisions", "reward", "interval", *(f"seed {seed}" for seed in range(seeds))
    work = partial(curve, decisions, games, points)
    with ProcessPoolExecutor(cores, get_context("spawn")) as executor:  # JAX has threads, which do not survive a fork
        curves = list(executor.map(work, range(seeds)))
    for seed_points in zip(*curves, strict=True):
        rewards = [reward for _, reward in seed_points]
        yield seed_points[0][0], mean(rewards), half_width(rewards), *rewards
