"""OpenSpiel's states in kernels, where there are any: step by step the same as in the rules engine."""

import pickle
from copy import copy
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

import kontor.environments.openspiel
from kontor.environments.openspiel import OpenSpielGame, OpenSpielState, PackedState
from kontor.game import IllegalMove

NAMES = [
    "shanghaien",
    "shanghaien(starter=1,first_trick=both)",
    "dutchman(players=3)",
    "dutchman(players=6,circles=1)",
]


def both(name: str) -> tuple[OpenSpielGame, PackedState, OpenSpielState]:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    assert isinstance(state, PackedState)
    return game, state, OpenSpielState(game)


def some_step(state: Any, random: Random) -> int:
    if state.is_chance_node():
        steps, weights = zip(*state.chance_outcomes(), strict=True)
        return int(random.choices(steps, weights)[0])
    return int(random.choice(state.legal_actions()))


@pytest.mark.parametrize("name", NAMES)
def test_kernels_and_rules_engine_tell_the_same_after_every_step(name: str) -> None:
    game, packed, plain = both(name)
    random, number = Random(7), 0
    seen, observed = make_observation(game), make_observation(game)
    while not plain.is_terminal():
        assert packed.current_player() == plain.current_player()
        assert packed.is_chance_node() == plain.is_chance_node()
        packed.legal_actions().clear()  # the list belongs to the caller
        assert packed.legal_actions() == plain.legal_actions()
        assert packed.legal_actions(1) == plain.legal_actions(1)
        if plain.is_chance_node():
            assert packed.chance_outcomes() == plain.chance_outcomes()
        assert packed.returns() == plain.returns()
        number += 1
        if number % 7 == 0:
            for player in range(game.num_players()):
                seen.set_from(packed, player)
                observed.set_from(plain, player)
                assert np.array_equal(seen.tensor, observed.tensor)
                assert packed.observation_string(player) == plain.observation_string(player)
            assert packed.information_state_string(0) == plain.information_state_string(0)
            assert str(packed) == str(plain)
            packed = packed.clone()
        step = some_step(plain, random)
        packed.apply_action(step)
        plain.apply_action(step)
    assert packed.is_terminal()
    assert packed.current_player() == plain.current_player()
    assert packed.returns() == plain.returns()
    assert packed.legal_actions() == packed.legal_actions(0) == []


def test_a_clone_goes_its_own_way_and_no_impossible_step_is_taken() -> None:
    _, state, _ = both("dutchman")
    random = Random(1)
    while state.is_chance_node():
        state.apply_action(some_step(state, random))
    before, text = state.legal_actions(), str(state)
    other = state.clone()
    for _ in range(20):
        other.apply_action(some_step(other, random))
    assert (state.legal_actions(), str(state)) == (before, text)
    for step in (7, 955, 4000, -3, 1 << 40):
        with pytest.raises(IllegalMove):
            state.apply_action(step)
    assert (state.legal_actions(), str(state)) == (before, text)


@pytest.mark.parametrize("name", ["shanghaien", "dutchman"])
def test_without_numba_the_rules_engine_plays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kontor.environments.openspiel, "is_installed", lambda package: False)
    game = pyspiel.load_game(name)
    assert type(game.new_initial_state()) is OpenSpielState
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_game_packed_away_and_unpacked_goes_its_own_way() -> None:
    random = Random(3)
    state = pyspiel.load_game("shanghaien").new_initial_state()
    for _ in range(20):
        state.apply_action(some_step(state, random))
    game = state._packed
    before = copy(game._memory)
    again = pickle.loads(pickle.dumps(game))  # noqa: S301 (it is ours)
    step = some_step(state, random)
    again.take(step)
    assert np.array_equal(game._memory, before)
    assert not np.array_equal(again._memory, before)
    state.apply_action(step)
    assert again.player == state.current_player()
