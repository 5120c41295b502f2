"""OpenSpiel's own checks of games, on both games."""

import gzip
import unittest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation
from pettingzoo.test import api_test as pettingzoo_api_test
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

import kontor.environments.openspiel  # noqa: F401
from batch.groups import OF_DUTCHMAN, OF_SHANGHAIEN
from kontor.game import BadOptions
from profiles import long_after

from .golden import GAMES, file_of, make_ready

LOADED = [
    "shanghaien",
    "shanghaien(starter=1,first_trick=nudge,nudge=8,both=0,reroll=0)",
    "dutchman",
    "dutchman(players=3,circles=1)",
    "dutchman(players=5,circles=0,starter=4)",
]

GROUPS = {"shanghaien": OF_SHANGHAIEN, "dutchman": OF_DUTCHMAN}
COMPILED = [pytest.param(name, marks=GROUPS[name]) for name in GAMES]
"""The games, marked so that their tests begin early: the first test compiles kernels, the next loads them."""


@pytest.mark.parametrize("name", long_after(3, LOADED))
def test_random_games_pass_openspiels_checks(name: str) -> None:
    """Check clones, serialisation, histories, masks, names, observations, bounds of returns, and lengths."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize("name", COMPILED)
def test_openspiel_finds_no_state_that_breaks_its_rules(name: str) -> None:
    """Check OpenSpiel's states, which are near the root and mostly of chance, and some of whole games."""
    from open_spiel.integration_tests import api_test  # imports all of SciPy, which only this test needs

    class OpenSpielApi(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
        game_name = name
        game = pyspiel.load_game(name)

        @classmethod
        def setUpClass(cls) -> None:
            super().setUpClass()
            for seed in range(4):
                cls.some_states += states(cls.game, seed)[::4]

    checks = unittest.defaultTestLoader.loadTestsFromTestCase(OpenSpielApi)
    result = unittest.TestResult()
    checks.run(result)
    assert result.testsRun >= 5
    assert [*result.failures, *result.errors] == []


def states(game: Any, seed: int) -> list[Any]:
    """Return all states of a random game."""
    random = Random(seed)
    state = game.new_initial_state()
    passed = [state.clone()]
    while not state.is_terminal():
        if state.is_chance_node():
            steps, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(steps, weights)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
        passed.append(state.clone())
    return passed


@pytest.mark.long
@pytest.mark.parametrize("name", COMPILED)
def test_a_game_is_told_as_it_was_when_it_was_written_down(name: str, tmp_path: Path) -> None:
    """Compare a game with its recorded playthrough.

    A change here affects all who have trained a network or written a paper. If it is necessary: ``python -m
    tests.environments.golden``.
    """
    make_ready()
    file = tmp_path / name
    file.write_bytes(gzip.decompress(file_of(name).read_bytes()))
    # This imports all of SciPy, which takes a second: every process that only collects the tests would do so.
    from open_spiel.python.algorithms import generate_playthrough

    written, now = generate_playthrough.replay(str(file))
    for number, (line, line_now) in enumerate(zip(written.splitlines(), now.splitlines(), strict=False), 1):
        assert line_now == line, f"line {number}"
    assert now == written


def test_the_games_written_down_hold_what_matters() -> None:
    shanghaien, dutchman = (gzip.decompress(file_of(name).read_bytes()).decode() for name in GAMES)
    assert 'Apply action "lay both as joker' in shanghaien or 'Apply action "both"' in shanghaien
    for step in ("kontor", "put ", "smith", "lay ", "name ", "propose ", "gets ", "accept", "show ", "sail to "):
        assert f'Apply action "{step}' in dutchman, step


@pytest.mark.parametrize(("name", "config"), [("shanghaien", None), ("dutchman", {"players": 3, "circles": 1})])
@pytest.mark.filterwarnings(
    # Of every game: Shimmy knows no bounds of OpenSpiel's observations.
    "ignore:Agent's m..imum observation space value is -?infinity:UserWarning"
)
def test_shimmy_makes_pettingzoo_environments_of_them(name: str, config: dict[str, Any] | None) -> None:
    env = OpenSpielCompatibilityV0(game_name=name, config=config)
    pettingzoo_api_test(env, num_cycles=100)
    env.reset(seed=1)
    steps = 0
    for agent in env.agent_iter():
        *_, over, cut, info = env.last()
        env.step(None if over or cut else env.action_space(agent).sample(info["action_mask"]))
        steps += 1
    assert steps > env.num_agents


def test_pieces_of_an_observation_have_names() -> None:
    game = pyspiel.load_game("dutchman(players=3,starter=0)")
    state = next(state for state in states(game, seed=1) if not state.is_chance_node())
    observation = make_observation(game)
    observation.set_from(state, player=0)
    assert observation.dict["cash"].tolist() == [25, 25, 25]
    assert observation.dict["rack"].sum() == 9
    assert observation.dict["shares"].sum() == 3
    assert np.array_equal(observation.tensor, state.observation_tensor(0))
    recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    recall.set_from(state, player=0)
    assert recall.dict["heard"].any()
    assert np.array_equal(recall.tensor, state.information_state_tensor(0))


def test_a_search_of_openspiels_own_plays_shanghaien() -> None:
    game = pyspiel.load_game("shanghaien")
    state = next(state for state in reversed(states(game, seed=2)) if len(state.legal_actions()) > 1)
    random = np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 2.0, 30, mcts.RandomRolloutEvaluator(random_state=random), random_state=random)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["dutchman(players=7)", "dutchman(circles=6)", "shanghaien(nudge=9)"])
def test_parameters_that_no_game_can_have_are_refused(name: str) -> None:
    with pytest.raises(BadOptions):
        pyspiel.load_game(name)


def test_observers_that_there_are_not_are_refused() -> None:
    game = pyspiel.load_game("dutchman")
    everybody = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="all players"):
        game.make_py_observer(everybody)
    with pytest.raises(ValueError, match="together"):
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True, public_info=False))
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"plain": 1})
