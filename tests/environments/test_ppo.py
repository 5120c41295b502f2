"""The small PPO: it learns, reproducibly, and its gradient is that of its loss."""

from typing import Any

import numpy as np
import pytest

from batch.groups import OF_STEPS
from kontor.environments.ppo import SELF, Network, Ppo, Settings, gradient, learn
from kontor.environments.vector import VectorSeat

pytestmark = OF_STEPS


def loss(network: Network, settings: Settings, batch: tuple[Any, ...]) -> float:
    """Return the loss as Schulman et al. define it."""
    seen, legal, steps, before, pull, worth = batch
    into, bias, out, last = [each.astype(np.float64) for each in network.weights]
    outputs = np.maximum(seen @ into + bias, 0) @ out + last
    likes = np.where(legal, outputs[:, :-1], -1e9)
    chances = np.exp(likes - likes.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    ratio = chances[np.arange(len(steps)), steps] / np.exp(before)
    clipped = np.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    entropy = -(chances * np.log(np.where(legal, chances, 1))).sum(axis=1)
    value = settings.value * (outputs[:, -1] - worth) ** 2
    return float((value - np.minimum(ratio * pull, clipped * pull) - settings.entropy * entropy).mean())


def test_the_gradient_is_that_of_the_loss() -> None:
    random, settings = np.random.default_rng(3), Settings(longest=1e9, entropy=0.1)
    network = Network(np.ones(7, np.float32), 5, 6, random)
    network.weights = [random.normal(0, 0.7, list(each.shape)).astype(np.float32) for each in network.weights]
    seen = random.normal(0, 1, (40, 7)).astype(np.float32)
    legal = random.random((40, 5)) < 0.6
    legal[:, 2] = True
    steps = np.array([random.choice(np.flatnonzero(row)) for row in legal])
    logs, _ = network.forward(seen, legal)
    before = (logs[np.arange(40), steps] + random.normal(0, 0.3, 40)).astype(np.float32)
    pull, worth = random.normal(0, 1, (2, 40)).astype(np.float32)
    batch = seen, legal, steps, before, pull, worth
    slopes = gradient(network, settings, *batch)
    for weight, slope in zip(network.weights, slopes, strict=True):
        for _ in range(12):
            at = tuple(int(random.integers(0, size)) for size in weight.shape)
            original: np.float32 = weight[at]
            ends: list[tuple[float, float]] = []
            for change in (1e-3, -1e-3):
                weight[at] = original + np.float32(change)
                ends.append((loss(network, settings, batch), float(weight[at])))
            weight[at] = original
            (upper, high), (lower, low) = ends
            assert abs((upper - lower) / (high - low) - slope[at]) < 2e-3


@pytest.mark.extended
@pytest.mark.long
def test_it_learns_to_win_and_the_same_seed_gives_the_same_curve() -> None:
    small = Settings(envs=64, length=32, hidden=32, parts=4)
    first, again = [
        list(learn("shanghaien", updates=8, every=4, seed=1, games=128, settings=small)) for _ in range(2)
    ]
    assert [point.update for point in first] == [0, 4, 8]
    assert [point.decisions for point in first] == [0, 4 * 32 * 64, 8 * 32 * 64]
    assert first[-1].won > first[0].won + 0.1
    assert again == first


def test_numbers_of_observations_are_made_alike() -> None:
    small = Settings(envs=32, length=32, hidden=8, parts=2)
    trained = Ppo("dutchman", updates=2, settings=small, seed=1)
    trained.update()
    envs = VectorSeat(512, game="dutchman", seat=[game % 4 for game in range(512)])
    seen, _ = envs.reset(seed=5)
    for _ in range(10):
        seen, _, _, _, _ = envs.step(seen["action_mask"].argmax(axis=1))
    alike = trained.network.normalise(seen["observation"])
    assert np.abs(alike).max() == 5
    differ = alike.std(axis=0) > 0.1
    assert differ.sum() > 200
    assert 0.5 < np.median(alike.std(axis=0)[differ]) < 1.5
    assert abs(np.median(alike.mean(axis=0)[differ])) < 0.3


def test_it_learns_against_itself() -> None:
    small = Settings(envs=8, length=8, hidden=8, parts=2)
    trained = Ppo("dutchman", updates=2, opponents=SELF, settings=small, seed=2)
    before = [each.copy() for each in trained.network.weights]
    trained.update()
    assert trained.decisions == 64
    assert all((each != old).any() for each, old in zip(trained.network.weights, before, strict=True))
    assert all(np.isfinite(each).all() for each in trained.network.weights)
