"""Decisions about agreements (H9): accept or propose what is better than no agreement."""

from __future__ import annotations

from math import ceil, exp
from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.layout import ACCEPT, DECLINE, NAME, NONE
from kontor.games.dutchman.players import greedy
from training.dutchman.policy.contest import horseshoe_worth, in_rack
from training.dutchman.policy.outlook import best_for, expect, standing, standing_paid

_GIVEN: Final = np.array(greedy.GIVEN)
_DECIDING: Final = greedy.DECIDING
_ENOUGH: Final = greedy.ENOUGH
_WORTH_A_WORD: Final = greedy.WORTH_A_WORD


@njit_inline
def field_to_name(game: GameRow, thought: GameRow) -> int:
    """Return the action that names a destination (H9).

    It is the one that all have named so far, if that is better than no agreement; otherwise the best one.
    """
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
    """Return ACCEPT if the proposal is better than no agreement, otherwise DECLINE (H9)."""
    return ACCEPT if agreed_standing(game, thought) > no_agreement(game, thought, thought.me) else DECLINE


@njit_inline
def field_to_propose(game: GameRow, thought: GameRow) -> int:
    """Return the destination to propose (H9), or NONE; write what each gets into the thought.

    The destination must be better for the thinking seat than no agreement, even after it pays the others. Those who
    would lose by it, as far as the seat knows, are paid for that, and get a part of what it gains.
    """
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
    """Return the tied players as bits."""
    bits = as_int64(0)
    for place in range(game.tie):
        bits |= as_int64(1) << as_int64(game.tied[place])
    return bits


@njit_inline
def place_of(thought: GameRow, field: int) -> int:
    """Return the place of a field among those ahead."""
    place = as_int64(0)
    while thought.ahead[place] != field:
        place += 1
    return place


@njit_inline
def all_named_one(game: GameRow) -> bool:
    """Return True if at least one player has named a destination, and all have named the same."""
    same = game.names > 0
    for place in range(game.names):
        same = same and game.named[place] == game.named[0]
    return bool(same)


@njit_inline
def expect_tied(game: GameRow, thought: GameRow) -> None:
    """Write where those tied players sail who have not yet named a field; for ``no_agreement``."""
    for place in range(as_int64(game.names), game.tie):
        expect(game, thought, as_int64(game.tied[place]))


@njit_inline
def agreed_standing(game: GameRow, thought: GameRow) -> float:
    """Return the thinking seat's standing if all accept the proposal on the table.

    It also writes where the tied players would sail, for ``no_agreement``.
    """
    thought.ducats[:] = 0
    for place in range(game.tie):
        thought.ducats[game.tied[place]] = game.ducats[place]
    expect_tied(game, thought)
    to = place_of(thought, as_int64(game.proposed_to))
    return standing_paid(game, thought, thought.me, to, tied_bits(game))


@njit_inline
def no_agreement(game: GameRow, thought: GameRow, seat: int) -> float:
    """Return the standing of a seat to expect without an agreement.

    One of the tied players wins the deciding round (H10), the more likely the more horseshoes they have left, and
    sails where they said.
    """
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
    """Return the standing of a seat if one of the tied players steers."""
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
    """Return by how much a ducat changes the standing of the player who gets it.

    It is more than 1, because the ducat also changes the others' average.
    """
    return float(1 + 1 / (game.in_order - 1))


@njit_inline
def _offer(game: GameRow, thought: GameRow, to: int) -> float:
    """Return by how much the thinking seat's standing improves over no agreement if all agree on a field.

    What each player is paid for that is written into the thought. The result is −∞ if the seat cannot pay it.
    """
    me = thought.me
    tied = tied_bits(game)
    losers = _compensate(game, thought, to, tied)
    gain = standing(game, thought, me, to, tied) - thought.alone[me]
    lost = as_int64(0)
    for place in range(game.tie):
        lost += thought.ducats[game.tied[place]]
    given = _GIVEN[min(as_int64(game.circle), len(_GIVEN)) - 1]
    to_give = max(0.0, gain / a_ducat(game) - lost) * given
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
    """Write what each of the others loses if all agree on a field; return those who gain nothing, as bits."""
    thought.ducats[:] = 0
    losers = as_int64(0)
    for place in range(game.tie):
        seat = as_int64(game.tied[place])
        gain = standing(game, thought, seat, to, tied) - thought.alone[seat]
        if seat != thought.me and gain <= 0:
            thought.ducats[seat] = as_int64(ceil(-gain / a_ducat(game)))
            losers |= as_int64(1) << seat
    return losers
