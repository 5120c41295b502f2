"""Fitting of the policy (``policy.imitating``) to choices: log loss, batches of decisions, Adam."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kontor.games.dutchman.batch.layout import STEPS
from kontor.games.dutchman.players import agreeing
from training.dutchman.fitting import Adam
from training.dutchman.policy.describing import GAIN, OWN
from training.dutchman.policy.imitating import POLICY_SHAPES, PolicyWeights
from training.dutchman.self_play import Choices

BATCH: Final = 256
EPOCHS: Final = 8
RATE: Final = 3e-3

SURE: Final = 1e6
"""Weight that makes a move practically impossible if it is worse by anything."""


def as_greedy() -> PolicyWeights:
    """Return the initial policy: that of ``greedy``, except for bargains, which are those of ``agreeing``."""
    weights = {name: np.zeros(shape, np.float32) for name, shape in POLICY_SHAPES.items()}
    weights["policy_straight"][:, 0] = SURE
    answer = weights["policy_straight"][STEPS.index("answer")]
    answer[0] = GAIN / agreeing.SPREAD
    answer[3] = -agreeing.TEMPTING / agreeing.SPREAD
    return weights


def fitted(
    choices: dict[int, Choices], generator: np.random.Generator, tell: Callable[[int, int], None]
) -> PolicyWeights:
    """Return a policy fitted to choices.

    A step without choices keeps its initial weights. Each decision is used once in every epoch. ``tell`` receives the
    number of finished batches, and of all.
    """
    policy = as_greedy()
    total = EPOCHS * sum(-(-len(some.chosen) // BATCH) for some in choices.values())
    done = 0
    for step, some in choices.items():
        weights = _new_weights(generator)
        adam = Adam(weights)
        batches = -(-len(some.chosen) // BATCH)
        for epoch in range(EPOCHS):
            order = generator.permutation(len(some.chosen))
            for batch in range(batches):
                _, slope = gradient(weights, _pick_choices(some, order[batch * BATCH : (batch + 1) * BATCH]))
                adam.step(slope, RATE * (1 + cos(pi * (epoch * batches + batch) / (EPOCHS * batches))) / 2)
                done += 1
                tell(done, total)
        for name, weight in weights.items():
            policy[name][step] = weight
    return policy


def _new_weights(generator: np.random.Generator) -> PolicyWeights:
    weights = {name: np.zeros(shape[1:], np.float32) for name, shape in POLICY_SHAPES.items()}
    for name in ("policy_common", "policy_own"):
        weights[name][:] = generator.standard_normal(weights[name].shape) / np.sqrt(2 * OWN)
    return weights


def _pick_choices(choices: Choices, which: NDArray[np.int64]) -> Choices:
    most = max(1, int(choices.present[which].sum(axis=1).max()))
    return Choices(
        choices.common[which], choices.own[which, :most], choices.present[which, :most], choices.chosen[which]
    )


def likelihoods(weights: PolicyWeights, choices: Choices) -> NDArray[np.float32]:
    """Return the probability of each move by the weights of one step: float32[decisions, moves]."""
    return _forward(weights, choices)[1]


def _forward(weights: PolicyWeights, choices: Choices) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    of_table = choices.common @ weights["policy_common"] + weights["policy_bias"]
    hidden = np.maximum(choices.own @ weights["policy_own"] + of_table[:, None], 0)
    scores = hidden @ weights["policy_score"] + choices.own @ weights["policy_straight"]
    scores = np.where(choices.present, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return hidden, powers / powers.sum(axis=1, keepdims=True)


def gradient(weights: PolicyWeights, choices: Choices) -> tuple[float, PolicyWeights]:
    """Return the log loss of the weights of one step, and its gradient."""
    hidden, likely = _forward(weights, choices)
    decisions = np.arange(len(choices.chosen))
    loss = -float(np.log(np.maximum(likely[decisions, choices.chosen], np.float32(1e-9))).mean())
    score = likely.copy()
    score[decisions, choices.chosen] -= 1
    score /= np.float32(len(decisions))
    below = score[:, :, None] * weights["policy_score"] * (hidden > 0)
    moves = score.size
    return loss, {
        "policy_common": choices.common.T @ below.sum(axis=1),
        "policy_own": choices.own.reshape(moves, OWN).T @ below.reshape(moves, -1),
        "policy_bias": below.sum(axis=(0, 1)),
        "policy_score": hidden.reshape(moves, -1).T @ score.ravel(),
        "policy_straight": choices.own.reshape(moves, OWN).T @ score.ravel(),
    }
