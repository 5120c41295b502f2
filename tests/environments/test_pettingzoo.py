"""PettingZoo's own checks of environments, on both games."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from kontor.environments.adapter import encoder_of
from kontor.environments.pettingzoo import Table, table
from kontor.game import BadOptions, IllegalMove
from kontor.games.dutchman.rules import Options

GAMES = ["shanghaien", "dutchman"]


@pytest.mark.parametrize("game", GAMES)
# An observation with a mask is a dictionary, also in PettingZoo's own card games: its test knows these by name.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
def test_pettingzoos_check_of_environments_passes(game: str) -> None:
    api_test(table(game), num_cycles=400)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_check_of_seeds_passes(game: str) -> None:
    seed_test(lambda: table(game), num_cycles=100)


def play(env: Any, seed: int) -> dict[str, float]:
    """Play a random game; return the total reward of each agent."""
    env.reset(seed=seed)
    got = dict.fromkeys(env.possible_agents, 0.0)
    random = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        got[agent] += reward
        assert env.observation_space(agent).contains(observation)
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if over or cut else int(random.choice(legal)))
    return got


@pytest.mark.parametrize(("game", "total"), [("shanghaien", 0), ("dutchman", 1)])
def test_rewards_are_what_the_game_brings(game: str, total: float) -> None:
    for seed in range(3):
        assert sum(play(table(game), seed).values()) == pytest.approx(total)


def test_six_can_play() -> None:
    got = play(table("dutchman", Options(players=6, circles=0)), seed=1)
    assert list(got) == [f"seat_{seat}" for seat in range(6)]


def test_only_who_is_to_move_has_a_mask() -> None:
    env = table("dutchman")
    env.reset(seed=1)
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
    assert {agent for agent, mask in masks.items() if mask.any()} == {env.agent_selection}
    assert {mask.dtype for mask in masks.values()} == {np.dtype(np.int8)}


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_step_is_refused_without_wrappers(game: str) -> None:
    bare = Table(encoder_of(game))
    bare.reset(seed=2)
    illegal = int(np.flatnonzero(bare.observe(bare.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove):
        bare.step(illegal)


def test_options_that_no_game_can_have_are_refused() -> None:
    with pytest.raises(BadOptions):
        table("dutchman", Options(players=2))
