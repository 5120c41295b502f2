"""The learned policy: how likely ``swift`` makes each of the moves that are worth considering.

All seats use it in imagined rounds. A small network for each step scores every move by its description
(``describing``); the probabilities of the moves are the softmax of their scores.
"""

from __future__ import annotations

from math import exp
from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow, LuckRow, Numbers, Rows
from kontor.batch.compiled import as_int64, njit_cached, njit_inline, random_unit
from kontor.games.dutchman.batch.rules import act
from kontor.games.dutchman.batch.tables import DUE_PROPOSE, DUE_SHOW, DUES
from kontor.games.dutchman.batch.turns import mover_of
from kontor.games.dutchman.rules.state import Step
from training.dutchman.policy.agreeing import field_to_offer
from training.dutchman.policy.describing import COMMON, DESCRIBED, MOST, OWN, describe
from training.dutchman.policy.greedy import make_proposal
from training.dutchman.policy.outlook import look_ahead
from training.dutchman.policy.shares import share_to_show

IMITATED: Final[tuple[Step, ...]] = ("action", "put", "sail", "name", "answer", "again")
"""Steps whose moves are described; the others are not learned."""

HIDDEN: Final = 16

_DUES: Final = int(DUES)

POLICY_SHAPES: Final[dict[str, tuple[int, ...]]] = {
    "policy_common": (_DUES, COMMON, HIDDEN),
    "policy_own": (_DUES, OWN, HIDDEN),
    "policy_bias": (_DUES, HIDDEN),
    "policy_score": (_DUES, HIDDEN),
    "policy_straight": (_DUES, OWN),
}
"""Shapes of the weights, each with one part for every step (by its number). The score of a move is ``relu(common ·
[16, h] + own · [16, h] + bias) · score + own · straight``."""

POLICY: Final = np.dtype([
    *[(name, np.float32, shape) for name, shape in POLICY_SHAPES.items()],
    ("described", DESCRIBED), ("of_table", np.float32, (HIDDEN,)), ("hidden", np.float32, (HIDDEN,)),
    ("likely", np.float64, (MOST,)),
], align=True)  # fmt: skip
"""Weights of the policy, and working memory."""

PolicyWeights = dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]


def policy_of(weights: PolicyWeights) -> Rows:
    """Return one POLICY with these weights.

    Kernels write into it, so each thread needs one of its own.
    """
    policy = np.zeros(1, POLICY)
    for name in POLICY_SHAPES:
        policy[name][0] = weights[name]
    return policy


@njit_inline
def act_by_policy(game: GameRow, thought: GameRow, policy: GameRow, luck: LuckRow) -> None:
    """Make a move drawn from the policy.

    Proposals are those of ``agreeing``, and shares are shown as by ``greedy``.
    """
    look_ahead(game, thought, mover_of(game))
    if game.step == DUE_PROPOSE:
        make_proposal(game, thought, field_to_offer(game, thought))
    elif game.step == DUE_SHOW:
        act(game, share_to_show(game, thought.me))
    else:
        act(game, _drawn_action(game, thought, policy, luck))


@njit_inline
def _drawn_action(game: GameRow, thought: GameRow, policy: GameRow, luck: LuckRow) -> int:
    many = describe(game, thought, policy.described)
    if many == 1:
        return as_int64(policy.described.action[0])
    total = _weigh(policy, as_int64(game.step), many)
    drawn = random_unit(luck) * total
    chosen = as_int64(0)
    while chosen < many - 1 and drawn >= policy.likely[chosen]:
        drawn -= policy.likely[chosen]
        chosen += 1
    return as_int64(policy.described.action[chosen])


@njit_inline
def _weigh(policy: GameRow, step: int, many: int) -> float:
    """Write the unnormalised probability of each described move; return their sum."""
    _see_table(policy, step)
    best = -np.inf
    for move in range(many):
        policy.likely[move] = _score(policy, step, move)
        best = max(best, policy.likely[move])
    total = 0.0
    for move in range(many):
        policy.likely[move] = exp(policy.likely[move] - best)
        total += policy.likely[move]
    return total


@njit_inline
def _see_table(policy: GameRow, step: int) -> None:
    policy.of_table[:] = policy.policy_bias[step]
    for feature in range(COMMON):
        number = policy.described.common[feature]
        for unit in range(HIDDEN):
            policy.of_table[unit] += number * policy.policy_common[step, feature, unit]


@njit_inline
def _score(policy: GameRow, step: int, move: int) -> float:
    score = np.float32(0)
    policy.hidden[:] = policy.of_table
    for feature in range(OWN):
        number = policy.described.own[move, feature]
        if number:
            score += number * policy.policy_straight[step, feature]
            for unit in range(HIDDEN):
                policy.hidden[unit] += number * policy.policy_own[step, feature, unit]
    for unit in range(HIDDEN):
        score += max(policy.hidden[unit], np.float32(0)) * policy.policy_score[step, unit]
    return float(score)


@njit_cached
def describe_moves(rows: Rows, described: Rows, thoughts: Rows) -> int:
    """Write the moves of the mover of the one row into one DESCRIBED; return how many there are.

    ``thoughts`` is a ``thought_of`` the options. The step must be one of IMITATED.
    """
    look_ahead(rows[0], thoughts[0], mover_of(rows[0]))
    return describe(rows[0], thoughts[0], described[0])


@njit_cached
def weigh_moves(rows: Rows, likely: Numbers, policies: Rows, thoughts: Rows) -> int:
    """Describe the moves as ``describe_moves`` does, and write the probability of each by the policy.

    ``likely`` is float64, ``policies`` one POLICY. Returns how many moves there are.
    """
    look_ahead(rows[0], thoughts[0], mover_of(rows[0]))
    many = describe(rows[0], thoughts[0], policies[0].described)
    total = _weigh(policies[0], as_int64(rows[0].step), many)
    for move in range(many):
        likely[move] = policies[0].likely[move] / total
    return many
