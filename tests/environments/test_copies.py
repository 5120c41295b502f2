"""Environments, games and batches can be pickled, copied, sent to a new process and used after a fork."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any, Final

import gymnasium
import numpy as np
import pyspiel
import pytest

import kontor.environments.gymnasium
import kontor.environments.openspiel  # noqa: F401
from batch.groups import OF_STEPS
from kontor.batch import Batch
from kontor.environments.adapter import encoder_of
from kontor.environments.functional import FunctionalEnv
from kontor.environments.pettingzoo import table
from kontor.plugins import plugin_named
from profiles import extended_after
from timeouts import HANG_TIMEOUT

pytestmark = OF_STEPS

GAMES: Final = ("shanghaien", "dutchman")
COPIES: Final[dict[str, Callable[[Any], Any]]] = {
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),  # noqa: S301 (our own)
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def spiel_game(game: str) -> Any:
    return pyspiel.load_game(game)


def spiel_state(game: str) -> Any:
    state = pyspiel.load_game(game).new_initial_state()
    for _ in range(90):
        step = state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[0]
        state.apply_action(step)
    return state


def agents(game: str) -> Any:
    env = table(game)
    env.reset(seed=1)
    return env


def single(game: str) -> Any:
    env = gymnasium.make(f"kontor/{game.capitalize()}-v1")
    env.reset(seed=1)
    return env


def vector(game: str, cores: int) -> Any:
    env = gymnasium.make_vec(f"kontor/{game.capitalize()}-v1", num_envs=5, cores=cores)
    env.reset(seed=1)
    return env


def functional(game: str, cores: int) -> Any:
    env = FunctionalEnv(game, cores=cores)
    return env, env.init(seed=1, games=5)


def batch(game: str, cores: int) -> Any:
    rules = plugin_named(game).game
    games = Batch(rules, rules.options(), 5, seed=1, cores=cores)
    games.draw()
    return games


def rules(game: str) -> Any:
    return plugin_named(game).game


PUBLIC: Final[dict[str, Callable[[str], Any]]] = {
    "OpenSpiel game": spiel_game,
    "OpenSpiel state": spiel_state,
    "PettingZoo": agents,
    "Gymnasium": single,
    "vector, 1 core": lambda game: vector(game, 1),
    "vector, 2 cores": lambda game: vector(game, 2),
    "functional, 1 core": lambda game: functional(game, 1),
    "functional, 2 cores": lambda game: functional(game, 2),
    "batch, 1 core": lambda game: batch(game, 1),
    "batch, 2 cores": lambda game: batch(game, 2),
    "rules": rules,
    "encoder": encoder_of,
    "plug-in": plugin_named,
}


def masks_of(env: Any) -> Any:
    return env.unwrapped.action_masks()


def play_on(playable: Any) -> list[Any]:
    """Play some steps with it, and return what it showed: the same for a copy."""
    if isinstance(playable, pyspiel.Game):
        return [str(playable), playable.new_initial_state().serialize()]
    if isinstance(playable, pyspiel.State):
        step = playable.chance_outcomes()[0][0] if playable.is_chance_node() else playable.legal_actions()[0]
        playable.apply_action(step)
        return [str(playable), playable.history()]
    if isinstance(playable, Batch):
        playable.step(playable.nth(np.zeros(playable.games, np.int64)))
        playable.draw()
        return [playable.rows.tobytes()]
    if isinstance(playable, tuple):
        env, state = playable
        return [env.step(state, state.legal_action_mask.argmax(axis=1)).rows.tobytes()]
    if isinstance(playable, gymnasium.vector.VectorEnv):
        seen = [playable.step(masks_of(playable).argmax(axis=1))[0] for _ in range(4)]
        return [step["observation"].tobytes() for step in seen]
    if isinstance(playable, gymnasium.Env):
        return [playable.step(masks_of(playable).argmax())[0]["observation"].tobytes()]
    if hasattr(playable, "agent_selection"):
        playable.step(playable.observe(playable.agent_selection)["action_mask"].argmax())
        return [playable.agent_selection, playable.observe(playable.agent_selection)["observation"].tobytes()]
    return [type(playable).__name__, getattr(playable, "name", "")]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", PUBLIC)
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_plays_on_as_the_first_does(game: str, kind: str, way: str) -> None:
    original = PUBLIC[kind](game)
    play_on(original)
    if way != "copy":  # a shallow copy shares its games
        copied = COPIES[way](original)
        assert play_on(copied) == play_on(original)
        assert play_on(copied) == play_on(original)
    else:
        assert play_on(COPIES[way](PUBLIC[kind](game))) == play_on(PUBLIC[kind](game))


@pytest.mark.process
@pytest.mark.parametrize("start", extended_after(1, ["fork", "spawn"]))
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_other_processes_play_on_with_what_was_used_before(start: str) -> None:
    """Check threads too: a forked child has none of its parent's, and once waited for them for ever."""
    context: Any = multiprocessing.get_context(start)
    things = [make("shanghaien") for make in PUBLIC.values()]
    for thing in things:
        play_on(thing)
    queue = context.Queue()
    process = context.Process(target=answer_all, args=(things, queue))
    process.start()
    try:
        answered = queue.get(timeout=HANG_TIMEOUT)
    finally:
        process.kill()
        process.join()
    assert answered == [play_on(thing) for thing in things]


def answer_all(things: list[Any], queue: Any) -> None:
    queue.put([play_on(thing) for thing in things])
