"""Proposals in imagined rounds (``players.agreeing``)."""

from __future__ import annotations

import math
from math import ceil, exp
from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.layout import NONE
from kontor.games.dutchman.players import agreeing
from training.dutchman.policy.agreement import a_ducat, expect_tied, no_agreement, tied_bits
from training.dutchman.policy.outlook import standing, standing_paid

_TEMPTING: Final = agreeing.TEMPTING
_SPREAD: Final = agreeing.SPREAD
_STEEP: Final = agreeing.STEEP
_MORE: Final = np.array(agreeing.MORE)


@njit_inline
def field_to_offer(game: GameRow, thought: GameRow) -> int:
    """Return the field that the mover proposes, or NONE; write what each gets into the thought.

    It maximises the mover's gain times the probability that all the others agree.
    """
    expect_tied(game, thought)
    for place in range(game.tie):
        seat = as_int64(game.tied[place])
        thought.alone[seat] = no_agreement(game, thought, seat)
    best = 0.0
    chosen = as_int64(NONE)
    chosen_more = as_int64(0)
    for to in range(thought.many):
        for more in _MORE:
            gain = _gain(game, thought, to, more)
            if gain > best:
                best = gain
                chosen = as_int64(to)
                chosen_more = more
    if chosen == NONE:
        return NONE
    _pay(game, thought, chosen, chosen_more)
    return as_int64(thought.ahead[chosen])


@njit_inline
def _likely(gained: float) -> float:
    """Return the probability that a player agrees who gains so many ducats."""
    return float(1 / (1 + exp(min((_TEMPTING - gained) / _SPREAD, _STEEP))))


@njit_inline
def _gain(game: GameRow, thought: GameRow, to: int, more: int) -> float:
    """Return what the mover gains by a field if the others get ``more`` ducats than their price.

    The gain is weighted by the probability that all agree; it is 0 if the mover cannot pay.
    """
    me = thought.me
    _pay(game, thought, to, more)
    if game.cash[me] + thought.ducats[me] < 0:
        return 0.0
    gained = standing_paid(game, thought, me, to, tied_bits(game)) - thought.alone[me]
    return float(gained * math.pow(_likely(float(more)), float(game.tie - 1)))


@njit_inline
def _pay(game: GameRow, thought: GameRow, to: int, more: int) -> None:
    """Write what each of the tied players gets; nobody pays more than they have."""
    tied = tied_bits(game)
    thought.ducats[:] = 0
    paid = as_int64(0)
    for place in range(game.tie):
        seat = as_int64(game.tied[place])
        if seat != thought.me:
            price = (thought.alone[seat] - standing(game, thought, seat, to, tied)) / a_ducat(game)
            thought.ducats[seat] = max(-as_int64(game.cash[seat]), as_int64(ceil(price + more)))
            paid += thought.ducats[seat]
    thought.ducats[thought.me] = -paid
