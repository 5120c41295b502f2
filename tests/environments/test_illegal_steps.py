"""One rule for illegal steps, in every environment (``docs/research.md``).

An integer that is no legal step ends the game with −1 for its player. Anything but integers is refused, and changes
nothing. OpenSpiel refuses both, as its own games do.
"""

from typing import Any, Final

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.vector import AutoresetMode

import kontor.environments.gymnasium
import kontor.environments.openspiel  # noqa: F401
from batch.groups import OF_STEPS
from kontor.environments.functional import FunctionalEnv
from kontor.environments.pettingzoo import ILLEGAL, table
from kontor.environments.vector import VectorSeat
from kontor.game import IllegalMove

pytestmark = OF_STEPS

GAMES: Final = ("shanghaien", "dutchman")
NUMBERS: Final = (-1, -2, -3, -9, 45, 10**6, 2**40, 2**63 - 1, -(2**63), np.int8(-1), np.int32(10**6), np.uint8(255))
NO_INTEGERS: Final = (
    1.0, float("nan"), np.float32(0), None, True, np.bool_(True), "0", [0, 0, 0], np.zeros((2, 2), int),
)  # fmt: skip


def illegal_numbers(mask: Any) -> list[Any]:
    """Return the illegal ones of ``NUMBERS``, and one that is a step but not legal now."""
    numbers = [number for number in NUMBERS if not (0 <= number < len(mask) and mask[number])]
    return [*numbers, int(np.argmin(mask)), len(mask)]


def make_environment(game: str, games: int = 3, **more: Any) -> VectorSeat:
    env = gymnasium.make_vec(f"kontor/{game.capitalize()}-v1", num_envs=games, **more)
    assert isinstance(env, VectorSeat)
    return env


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_integer_ends_the_game_of_a_single_environment(game: str) -> None:
    env = gymnasium.make(f"kontor/{game.capitalize()}-v1", opponents="random").unwrapped
    seen, _ = env.reset(seed=1)
    for number in illegal_numbers(seen["action_mask"]):
        env.reset(seed=1)
        _, reward, over, cut, info = env.step(number)
        assert (reward, over, cut, info) == (-1.0, True, False, {"illegal": True}), number
        assert env.step(seen["action_mask"].argmax())[1:3] == (-1.0, True)


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_integer_ends_the_game_of_a_vector_environment(game: str) -> None:
    for mode in AutoresetMode:
        env = make_environment(game, autoreset_mode=mode)
        seen, _ = env.reset(seed=1)
        legal = seen["action_mask"].argmax(axis=1)
        for number in illegal_numbers(seen["action_mask"][1]):
            env.reset(seed=1)
            _, rewards, over, _, infos = env.step(np.array([legal[0], int(number), legal[2]]))
            assert (rewards.tolist(), over.tolist()) == ([0, -1, 0], [False, True, False]), (mode, number)
            final = infos["final_info"] if mode == AutoresetMode.SAME_STEP else infos
            assert final["illegal"].tolist() == [False, True, False]


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_integer_ends_a_game_at_a_table(game: str) -> None:
    env = table(game)
    env.reset(seed=2)
    for number in illegal_numbers(env.observe(env.agent_selection)["action_mask"]):
        env.reset(seed=2)
        agent = env.agent_selection
        env.step(number)
        assert env.rewards[agent] == ILLEGAL, number
        assert all(env.terminations.values())


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_integer_ends_a_functional_game(game: str) -> None:
    """Check illegal integers except −1 and −2, which are steps there: they leave a game, and begin it anew."""
    env = FunctionalEnv(game)
    state = env.init(seed=1, games=2)
    legal = int(state.legal_action_mask[0].argmax())
    for number in illegal_numbers(state.legal_action_mask[1]):
        if number in (-1, -2):
            continue
        after = env.step(state, np.array([legal, int(number)]))
        assert after.illegal.tolist() == [False, True], number
        assert after.rewards[1, state.current_player[1]] == -1


@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_integer_is_refused_and_changes_nothing(game: str) -> None:
    env = gymnasium.make(f"kontor/{game.capitalize()}-v1", opponents="random").unwrapped
    seen, _ = env.reset(seed=1)
    agents = table(game)
    agents.reset(seed=1)
    for action in NO_INTEGERS:
        with pytest.raises(ValueError, match="a step is one integer"):
            env.step(action)
        with pytest.raises(ValueError, match="a step is one integer"):
            agents.step(action)
    assert not env.step(seen["action_mask"].argmax())[2]
    assert not any(agents.terminations.values())


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(3), np.full(3, np.nan), np.zeros(3, np.float32), np.zeros(3, bool), np.zeros(2, int),
        np.zeros((3, 1), int), np.array(["0"] * 3), [None] * 3, 0, np.full(3, 2**63, np.uint64),
    ],
)  # fmt: skip
def test_arrays_of_anything_but_one_integer_a_game_are_refused(wrong: Any) -> None:
    env, functional = make_environment("shanghaien"), FunctionalEnv("shanghaien")
    env.reset(seed=1)
    rows, state = env._batch.rows.copy(), functional.init(seed=1, games=3)
    with pytest.raises(ValueError, match=r"integers|an array of the shape"):
        env.step(wrong)
    with pytest.raises(ValueError, match=r"integers|an array of the shape"):
        functional.step(state, wrong, donate=True)
    assert np.array_equal(rows, env._batch.rows)
    assert not state.terminated.any()


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_integers_of_any_kind_are_steps(kind: type[Any]) -> None:
    env = make_environment("shanghaien")
    seen, _ = env.reset(seed=1)
    _, rewards, over, _, _ = env.step(seen["action_mask"].argmax(axis=1).astype(kind))
    assert rewards.tolist() == [0, 0, 0]
    assert not over.any()


@pytest.mark.parametrize("step", [-1, -2, -3, 45, 2**40])
def test_a_policy_of_opponents_that_takes_no_legal_step_is_refused(step: int) -> None:
    """Check −1, which left the game unchanged and was asked for ever, and −2, which began it anew."""
    env = make_environment(
        "shanghaien", 2, seat=[0, 1], opponents=lambda seen: np.full(len(seen["action_mask"]), step)
    )

    def play() -> None:
        env.reset(seed=1)
        for _ in range(50):
            env.step(env.action_masks().argmax(axis=1))

    with pytest.raises(ValueError, match="policy took a step that is not legal"):
        play()


@pytest.mark.parametrize("game", [*GAMES, "mini_dutchman"])
def test_openspiel_refuses_by_its_own_error(game: str) -> None:
    """Check states in which chance is to move, and those in which a seat is."""
    state = pyspiel.load_game(game).new_initial_state()
    for _ in range(60):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        for step in (-1, -3, 10**6, 2**40, max(legal) + 1):
            with pytest.raises(pyspiel.SpielError):
                state.clone().apply_action_with_legality_check(step)
            with pytest.raises((IllegalMove, pyspiel.SpielError)):
                state.clone().apply_action(step)
        state.apply_action(legal[0])


def test_steps_that_are_none_have_no_name() -> None:
    state = pyspiel.load_game("shanghaien").new_initial_state()
    assert state.action_to_string(0, -1) == "no step -1"
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 10**6) == "no step 1000000"
