"""Training of the first chances to win for Der fliegende Holländer, from games of ``greedy``."""

from random import Random
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontor.games.dutchman.players.encoding import encoded
from kontor.games.dutchman.players.features import Features, features
from kontor.games.dutchman.players.network import shapes
from players.random_games import voyage
from players.slopes import hold_against_differences
from profiles import scale_examples
from training.dutchman.first_generation import train
from training.dutchman.fitting import Adam
from training.dutchman.lessons import PLAYERS as SEATS_BY_TURNS
from training.dutchman.lessons import game, lessons
from training.dutchman.network_gradient import gradient
from training.trainers import Arrays

PLAYERS = st.integers(3, 6)
SEEDS = st.integers(0, 10**6)


def test_the_gradient_is_that_of_the_log_loss() -> None:
    generator = np.random.default_rng(7)
    states = [state for seed in range(3) for state in voyage(4, seed)[:-1]]
    # float64, because the differences are small.
    parts: list[Any] = list(features(encoded(states)))
    inputs = Features(*[part if part.dtype == bool else part.astype(np.float64) for part in parts])
    weights: Any = {name: generator.standard_normal(shape) / 3 for name, shape in shapes((3, 2, 4, 2)).items()}
    shares: Any = generator.random(inputs.playing.shape) * inputs.playing
    shares /= shares.sum(axis=1, keepdims=True)
    _, slope = gradient(weights, inputs, shares)
    hold_against_differences(slope, weights, lambda moved: gradient(moved, inputs, shares)[0], generator)


def test_adam_finds_the_bottom() -> None:
    weights = {"x": np.array([5, -3], dtype=np.float32)}
    adam = Adam(weights)
    for _ in range(2000):
        adam.step({"x": 2 * (weights["x"] - 1)}, 1e-2)
    np.testing.assert_allclose(weights["x"], 1, atol=1e-2)


@given(PLAYERS, SEEDS)
@settings(max_examples=scale_examples(5), deadline=None)
def test_games_to_learn_from_follow_from_the_seed(players: int, seed: int) -> None:
    states, shares, decisions = game(players, Random(seed))
    again, same, decided = game(players, Random(seed))
    assert (states, shares.tolist(), decisions) == (again, same.tolist(), decided)
    assert {state.step for state in states} <= {"lucky"}
    assert shares.sum() == pytest.approx(1)


TRAINED: Final = pytest.mark.xdist_group("trained values of dutchman")
"""The group of tests that share a process, because the training takes seconds."""


@pytest.fixture(scope="module")
def trained() -> Arrays:
    return train(1, 0.002, 1, lambda stage, done, total: None)


@TRAINED
@pytest.mark.long
def test_training_is_the_same_whatever_jobs_is(trained: Arrays) -> None:
    progress = []
    again = train(1, 0.002, 2, lambda stage, done, total: progress.append((stage, done, total)))
    assert trained.keys() == again.keys()
    for name, array in trained.items():
        np.testing.assert_array_equal(array, again[name], err_msg=name)
    assert {stage for stage, done, total in progress if done == total} == {"games played", "steps of learning"}


def test_another_seed_other_games() -> None:
    one, other = [lessons(seed, range(5), 1, lambda done, total: None) for seed in (1, 2)]
    assert one.keys() == other.keys() == set(SEATS_BY_TURNS)
    assert all(one[players].states.merchants.tolist() != other[players].states.merchants.tolist() for players in one)


@TRAINED
@pytest.mark.long
def test_training_learns(trained: Arrays) -> None:
    """Check that it is better than equal chances; four play, on average a little more."""
    assert trained["log_loss"] < np.log(4)
