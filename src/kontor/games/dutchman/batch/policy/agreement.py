"""What to agree on (H9): whatever is better than no agreement."""

from __future__ import annotations

from math import ceil, exp
from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.layout import ACCEPT, DECLINE, NAME, NONE
from kontor.games.dutchman.batch.policy.contest import horseshoe_worth, in_rack
from kontor.games.dutchman.batch.policy.outlook import best_for, expect, standing, standing_paid
from kontor.games.dutchman.players import greedy

_GIVEN: Final = np.array(greedy.GIVEN)
_DECIDING: Final = greedy.DECIDING
_ENOUGH: Final = greedy.ENOUGH
_WORTH_A_WORD: Final = greedy.WORTH_A_WORD


@njit_inline
def field_to_name(game: GameRow, thought: GameRow) -> int:
    """H9: the destination that all have named so far, if that is better than no agreement; or else the best one."""
    me = thought.me
    if all_named_one(game):
        expect_tied(game, thought)
        named = as_int64(game.named[0])
        agreed = standing(game, thought, me, place_of(thought, named), tied_bits(game))
        if agreed >= no_agreement(game, thought, me):
            return NAME + named
    return NAME + best_for(game, thought, me, tied_bits(game))


@njit_inline
def answer(game: GameRow, thought: GameRow) -> int:
    """H9: accept what is better than no agreement."""
    return ACCEPT if agreed_standing(game, thought) > no_agreement(game, thought, thought.me) else DECLINE


@njit_inline
def field_to_propose(game: GameRow, thought: GameRow) -> int:
    """H9: a destination that is better for me than no agreement, even when whoever would lose by it, as far as I
    know, is paid for that, and gets a part of what I gain. What each gets stands in the thought. NONE if there is
    none."""
    expect_tied(game, thought)
    for place in range(game.tie):
        seat = as_int64(game.tied[place])
        thought.alone[seat] = no_agreement(game, thought, seat)
    best = _WORTH_A_WORD
    chosen = as_int64(NONE)
    for to in range(thought.many):
        gain = _offer(game, thought, to)
        if gain > best:
            best = gain
            chosen = as_int64(to)
    if chosen == NONE:
        return NONE
    _offer(game, thought, chosen)
    return as_int64(thought.ahead[chosen])


@njit_inline
def tied_bits(game: GameRow) -> int:
    """A bit for each of the tied players."""
    bits = as_int64(0)
    for place in range(game.tie):
        bits |= as_int64(1) << as_int64(game.tied[place])
    return bits


@njit_inline
def place_of(thought: GameRow, field: int) -> int:
    """The place of a field among those ahead."""
    place = as_int64(0)
    while thought.ahead[place] != field:
        place += 1
    return place


@njit_inline
def all_named_one(game: GameRow) -> bool:
    """Whether some have named a destination, and all the same."""
    same = game.names > 0
    for place in range(game.names):
        same = same and game.named[place] == game.named[0]
    return bool(same)


@njit_inline
def expect_tied(game: GameRow, thought: GameRow) -> None:
    """Where those sail who have not yet said it; for ``no_agreement``."""
    for place in range(as_int64(game.names), game.tie):
        expect(game, thought, as_int64(game.tied[place]))


@njit_inline
def agreed_standing(game: GameRow, thought: GameRow) -> float:
    """My standing if all accept the proposal on the table; where the tied would sail is expected too."""
    thought.ducats[:] = 0
    for place in range(game.tie):
        thought.ducats[game.tied[place]] = game.ducats[place]
    expect_tied(game, thought)
    to = place_of(thought, as_int64(game.proposed_to))
    return standing_paid(game, thought, thought.me, to, tied_bits(game))


@njit_inline
def no_agreement(game: GameRow, thought: GameRow, seat: int) -> float:
    """The standing to expect without an agreement: somebody wins the deciding round (H10), the more likely the more
    horseshoes are left, and sails where they said."""
    total = 0.0
    for place in range(game.tie):
        total += _strength(game, place)
    expected = 0.0
    for place in range(game.tie):
        winner = as_int64(game.tied[place])
        wins = _strength(game, place) / total if total else 1 / game.tie
        expected += wins * _under(game, thought, seat, place, winner)
    return expected - (_DECIDING * horseshoe_worth(game, thought, 0.0) if total else 0.0)


@njit_inline
def _under(game: GameRow, thought: GameRow, seat: int, place: int, winner: int) -> float:
    """A seat's standing if one of the tied players steers."""
    mover = as_int64(1) << winner
    if place < game.names:
        return standing(game, thought, seat, place_of(thought, as_int64(game.named[place])), mover)
    under = 0.0
    for to in range(thought.many):
        under += thought.likely[winner, to] * standing(game, thought, seat, to, mover)
    return under


@njit_inline
def _strength(game: GameRow, place: int) -> float:
    return 1 - exp(-in_rack(game, as_int64(game.tied[place])) / _ENOUGH)


@njit_inline
def a_ducat(game: GameRow) -> float:
    """By how much a ducat changes the standing of whoever gets it: it also changes the others' average."""
    return float(1 + 1 / (game.in_order - 1))


@njit_inline
def _offer(game: GameRow, thought: GameRow, to: int) -> float:
    """By how much my standing is better than without agreement if all agree on a field; what each is paid for that
    stands in the thought."""
    me = thought.me
    tied = tied_bits(game)
    losers = _compensate(game, thought, to, tied)
    mine = standing(game, thought, me, to, tied) - thought.alone[me]
    lost = as_int64(0)
    for place in range(game.tie):
        lost += thought.ducats[game.tied[place]]
    given = _GIVEN[min(as_int64(game.circle), len(_GIVEN)) - 1]
    to_give = max(0.0, mine / a_ducat(game) - lost) * given
    many = as_int64(0)
    for place in range(game.tie):
        many += (losers >> as_int64(game.tied[place])) & 1
    paid = as_int64(0)
    for place in range(game.tie):
        seat = as_int64(game.tied[place])
        if (losers >> seat) & 1:
            thought.ducats[seat] += as_int64(ceil(to_give / many))
            paid += thought.ducats[seat]
    if paid > game.cash[me]:
        return -np.inf
    thought.ducats[me] = -paid
    return float(standing_paid(game, thought, me, to, tied) - thought.alone[me])


@njit_inline
def _compensate(game: GameRow, thought: GameRow, to: int, tied: int) -> int:
    """Writes down what each of the others loses if all agree on a field; who gains nothing by it, a bit for each."""
    thought.ducats[:] = 0
    losers = as_int64(0)
    for place in range(game.tie):
        seat = as_int64(game.tied[place])
        gain = standing(game, thought, seat, to, tied) - thought.alone[seat]
        if seat != thought.me and gain <= 0:
            thought.ducats[seat] = as_int64(ceil(-gain / a_ducat(game)))
            losers |= as_int64(1) << seat
    return losers
