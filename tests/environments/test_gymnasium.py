"""Gymnasium's checks of an environment, on both games; computer players take the other seats."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from kontor.environments.gymnasium import Seat
from kontor.game import BadOptions
from kontor.games.dutchman.rules import Options

IDS = ["kontor/Shanghaien-v1", "kontor/Dutchman-v1"]


@pytest.mark.parametrize("name", IDS)
def test_gymnasiums_check_of_environments_passes(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)


def play(env: gymnasium.Env[Any, Any], seed: int) -> tuple[int, list[float]]:
    """Play a game of random legal steps; return the number of steps and the rewards."""
    random = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        assert env.observation_space.contains(observation)
        step = random.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, over, cut, _ = env.step(step)
        assert not cut
        rewards.append(float(reward))
    return len(rewards), rewards


@pytest.mark.parametrize("name", IDS)
def test_the_reward_comes_at_the_end(name: str) -> None:
    env = gymnasium.make(name, opponents="random")
    last = []
    for seed in range(8):
        steps, rewards = play(env, seed)
        assert rewards[:-1] == [0.0] * (steps - 1)
        last.append(rewards[-1])
    assert min(last) < max(last)


@pytest.mark.parametrize("name", IDS)
def test_the_same_seed_and_steps_give_the_same_game(name: str) -> None:
    assert play(gymnasium.make(name), 4) == play(gymnasium.make(name), 4)


def test_opponents_are_named_seat_by_seat_clockwise() -> None:
    env = Seat("dutchman", Options(players=3), seat=2, opponents=["greedy", "random"])
    steps, _ = play(env, seed=1)
    assert steps > 5


def test_a_better_player_wins_more_often() -> None:
    """Check that random steps nearly always lose against ``greedy``: the seats are not mixed up."""
    env = gymnasium.make("kontor/Shanghaien-v1", seat=1)
    assert sum(play(env, seed)[1][-1] for seed in range(8)) < -4


@pytest.mark.parametrize(
    "wrong", [{"seat": 2}, {"opponents": "deep blue"}, {"opponents": ["random", "random"]}, {"game": "chess"}]
)
def test_a_table_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOptions):
        Seat(**{"game": "shanghaien", **wrong})
