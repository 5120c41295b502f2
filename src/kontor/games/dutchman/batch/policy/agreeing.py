"""How agreements come about in a round that is imagined (``players.agreeing``)."""

from __future__ import annotations

import math
from math import ceil, exp
from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow, LuckRow
from kontor.batch.compiled import as_int64, njit_inline, random_unit
from kontor.games.dutchman.batch.layout import ACCEPT, DECLINE, NAME, NONE
from kontor.games.dutchman.batch.policy.agreement import (
    a_ducat,
    agreed_standing,
    all_named_one,
    expect_tied,
    no_agreement,
    place_of,
    tied_bits,
)
from kontor.games.dutchman.batch.policy.outlook import best_for, standing, standing_paid
from kontor.games.dutchman.players import agreeing

_TEMPTING: Final = agreeing.TEMPTING
_SPREAD: Final = agreeing.SPREAD
_STEEP: Final = agreeing.STEEP
_MORE: Final = np.array(agreeing.MORE)


@njit_inline
def answer_by_chance(game: GameRow, thought: GameRow, luck: LuckRow) -> int:
    """What the mover says to the proposal on the table."""
    return ACCEPT if _agrees(game, thought, agreed_standing(game, thought), luck) else DECLINE


@njit_inline
def name_by_chance(game: GameRow, thought: GameRow, luck: LuckRow) -> int:
    """The destination that the mover names: what all have named so far, if it agrees to that; or else where it likes
    best to sail."""
    tied = tied_bits(game)
    if all_named_one(game):
        expect_tied(game, thought)
        named = as_int64(game.named[0])
        if _agrees(game, thought, standing(game, thought, thought.me, place_of(thought, named), tied), luck):
            return NAME + named
    return NAME + best_for(game, thought, thought.me, tied)


@njit_inline
def field_to_offer(game: GameRow, thought: GameRow) -> int:
    """What the mover proposes: what it gains counts as much as it is likely that all the others agree. What each gets
    stands in the thought. NONE if it is nothing."""
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
def _agrees(game: GameRow, thought: GameRow, agreed: float, luck: LuckRow) -> bool:
    likely = _likely((agreed - no_agreement(game, thought, thought.me)) / a_ducat(game))
    return bool(random_unit(luck) < likely)


@njit_inline
def _likely(gained: float) -> float:
    """How likely somebody agrees who gains so many ducats."""
    return float(1 / (1 + exp(min((_TEMPTING - gained) / _SPREAD, _STEEP))))


@njit_inline
def _gain(game: GameRow, thought: GameRow, to: int, more: int) -> float:
    """What the mover gains by a field if the others get so many ducats more than their price; 0 if it cannot pay."""
    me = thought.me
    _pay(game, thought, to, more)
    if game.cash[me] + thought.ducats[me] < 0:
        return 0.0
    gained = standing_paid(game, thought, me, to, tied_bits(game)) - thought.alone[me]
    return float(gained * math.pow(_likely(float(more)), float(game.tie - 1)))


@njit_inline
def _pay(game: GameRow, thought: GameRow, to: int, more: int) -> None:
    """Writes down what each of the tied players gets; nobody pays more than they have."""
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
