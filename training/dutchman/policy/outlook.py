"""Effects of each destination on everybody (``players.outlook``).

A seat considers what its view shows (H14): its own shares, the cards that it put into the pile, and what everybody
knows of the others.
"""

from __future__ import annotations

import math
from math import comb, exp
from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow, Numbers
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.layout import FIELDS, NONE, PILE
from kontor.games.dutchman.batch.tables import CHESTS, COLOURS
from kontor.games.dutchman.players.outlook import RISK, UNSURE, share_worth
from kontor.games.dutchman.rules import components

_LAST: Final = components.LAST_CHEST
_SHARES: Final = components.SHARES
_MOST_HIDDEN: Final = components.SHARES + components.EXCHANGED

SHARE_WORTH: Final = np.array(
    [[share_worth(stone, ships) for ships in range(_LAST + 1)] for stone in range(_LAST + 1)]
)
"""Ducats that a share brings until the end, by its stone and by the ships still to be met."""

_COMB: Final = np.array([[comb(many, some) for some in range(_MOST_HIDDEN + 1)] for many in range(_MOST_HIDDEN + 1)])


@njit_inline
def look_ahead(game: GameRow, thought: GameRow, me: int) -> None:
    """Write what seat ``me`` has to expect on each field ahead into the thought."""
    thought.me = me
    thought.ships = _LAST - game.counter
    _count_unseen(game, thought)
    for place in range(game.in_order):
        _hold(game, thought, as_int64(game.order[place]))
    look_around(game, thought)
    for to in range(thought.many):
        _value_shares(game, thought, to)
        for place in range(game.in_order):
            seat = as_int64(game.order[place])
            thought.wealth[to, seat] = _wealth(game, thought, seat, to, as_int64(0))
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        thought.earned[seat] = _expected_earnings(game, thought, seat)


@njit_inline
def look_around(game: GameRow, thought: GameRow) -> None:
    """Write the fields to which the Dutchman may sail (H8), and the ships there."""
    many = as_int64(0)
    for way in range(FIELDS):
        field = thought.ways[game.dutchman, way]
        if field == NONE:
            break
        if field != game.came_from:
            thought.ahead[many] = field
            thought.met[many] = game.ship[field]
            many += 1
    thought.many = many


@njit_inline
def _value_shares(game: GameRow, thought: GameRow, to: int) -> None:
    """Write what a share of each colour brings once the Dutchman is there (H11, H12)."""
    met = thought.met[to]
    for colour in range(COLOURS):
        stone = as_int64(game.stones[colour])
        if met == NONE:
            thought.worth[to, colour] = SHARE_WORTH[stone, thought.ships]
        else:
            after = 1 if colour == met else min(stone + 1, _LAST)
            thought.worth[to, colour] = SHARE_WORTH[after, thought.ships - 1]


@njit_inline
def _count_unseen(game: GameRow, thought: GameRow) -> None:
    """Write how many shares of each colour are in others' hands or in the Kontor pile, unseen by the seat."""
    me = thought.me
    for colour in range(COLOURS):
        left = game.players - 1 - game.shares[me, colour]
        for seat in range(game.players):
            if seat != me:
                left -= game.at_least[seat, colour]
        thought.unseen[colour] = left
    for card in range(game.in_pile):
        place = (game.top + card) % PILE
        if game.put_by[place] == me:
            thought.unseen[game.pile[place]] -= 1


@njit_inline
def _hold(game: GameRow, thought: GameRow, seat: int) -> None:
    """Write the shares that a seat can be expected to hold.

    Its own are exact; of others, they are those that everybody knows of and a part of the hidden ones.
    """
    if seat == thought.me:
        for colour in range(COLOURS):
            thought.held[seat, colour] = game.shares[seat, colour]
        return
    missing = 0
    can_be = 0
    for colour in range(COLOURS):
        missing += game.shares[seat, colour] - game.at_least[seat, colour]
        if game.at_least[seat, colour] < game.at_most[seat, colour]:
            can_be += thought.unseen[colour]
    each = missing / (can_be if can_be else 1)
    for colour in range(COLOURS):
        part = thought.unseen[colour] if game.at_least[seat, colour] < game.at_most[seat, colour] else 0
        thought.held[seat, colour] = game.at_least[seat, colour] + each * part


@njit_inline
def _wealth(game: GameRow, thought: GameRow, seat: int, to: int, ducats: int) -> float:
    """Return cash and what the shares will bring, after the Dutchman has sailed there and payments were made."""
    cash = as_int64(game.cash[seat]) + ducats
    brings = 0.0
    for colour in range(COLOURS):
        brings += thought.held[seat, colour] * thought.worth[to, colour]
    met = thought.met[to]
    if met == NONE:
        return cash + brings - _danger(game, thought, seat, float(cash), cash + brings, met)
    value = as_int64(CHESTS[game.stones[met]])
    ruin = _ruin(game, thought, seat, met, value, cash)
    cash_left = max(0.0, cash - thought.held[seat, met] * value)
    wealth = cash_left + brings
    return float((1 - ruin) * (wealth - _danger(game, thought, seat, cash_left, wealth, met)))


@njit_inline
def _ruin(game: GameRow, thought: GameRow, seat: int, met: int, value: int, cash: int) -> float:
    """Return the probability that a merchant cannot pay for their shares in a ship."""
    fatal = cash // value + 1
    if seat == thought.me:
        return 1.0 if thought.held[seat, met] >= fatal else 0.0
    sure = as_int64(game.at_least[seat, met])
    if fatal <= sure:
        return 1.0
    if fatal > min(as_int64(game.at_most[seat, met]), _SHARES):
        return 0.0
    hidden = as_int64(0)
    for colour in range(COLOURS):
        hidden += game.shares[seat, colour] - game.at_least[seat, colour]
    each = (thought.held[seat, met] - sure) / hidden if hidden else 0.0
    likely = 0.0
    for some in range(fatal - sure, hidden + 1):
        likely += _COMB[hidden, some] * math.pow(each, float(some)) * math.pow(1 - each, float(hidden - some))
    return likely


@njit_inline
def _danger(game: GameRow, thought: GameRow, seat: int, cash: float, wealth: float, met: int) -> float:
    """Return the ducats at risk in the next rounds: a part of all wealth for each ship that would ruin the seat.

    It is 0 for other seats than the thinking one.
    """
    if seat != thought.me or (met != NONE and thought.ships == 1):
        return 0.0
    risk = 0.0
    for colour in range(COLOURS):
        count = thought.held[seat, colour]
        if count:
            stone = as_int64(game.stones[colour])
            if met != NONE:
                stone = 1 if colour == met else stone + 1
            if count * CHESTS[min(stone, _LAST)] > cash:
                risk += RISK
    return risk * wealth


@njit_inline
def _expected_earnings(game: GameRow, thought: GameRow, seat: int) -> float:
    """Return what a merchant can expect to earn on an island: the best share's value (H12)."""
    held = thought.held[seat]
    _sort_by_value(game, held, thought.order)
    earned = 0.0
    none_better = 1.0
    for place in range(COLOURS):
        colour = thought.order[place]
        likely = min(held[colour], 1.0)
        earned += none_better * likely * CHESTS[game.stones[colour]]
        none_better *= 1 - likely
    return earned


@njit_inline
def _sort_by_value(game: GameRow, held: Numbers, order: Numbers) -> None:
    """Write the colours by value and by how many are held, highest first."""
    for colour in range(COLOURS):
        place = colour
        while place > 0:
            before = order[place - 1]
            value, other = game.stones[colour], game.stones[before]
            if other > value or (other == value and held[before] >= held[colour]):
                break
            order[place] = before
            place -= 1
        order[place] = colour


@njit_inline
def standing(game: GameRow, thought: GameRow, seat: int, to: int, movers: int) -> float:
    """Return a merchant's wealth less the others' average, if ``movers`` (as bits) move the Dutchman there."""
    return _standing(game, thought, thought.wealth[to], seat, to, movers)


@njit_inline
def standing_paid(game: GameRow, thought: GameRow, seat: int, to: int, movers: int) -> float:
    """Return the same as ``standing``, after the payment of the ducats in the thought."""
    for place in range(game.in_order):
        each = as_int64(game.order[place])
        change = thought.ducats[each]
        thought.paid[each] = _wealth(game, thought, each, to, change) if change else thought.wealth[to, each]
    return _standing(game, thought, thought.paid, seat, to, movers)


@njit_inline
def _standing(game: GameRow, thought: GameRow, wealth: Numbers, seat: int, to: int, movers: int) -> float:
    island = thought.met[to] == NONE
    own = 0.0
    total = 0.0
    for place in range(game.in_order):
        each = as_int64(game.order[place])
        has = wealth[each]
        if island and (movers >> each) & 1:
            has += thought.earned[each]
        total += has
        if each == seat:
            own = has
    return float(own - (total - own) / (game.in_order - 1))


@njit_inline
def best_for(game: GameRow, thought: GameRow, seat: int, movers: int) -> int:
    """Return the field with the best standing for a merchant.

    Among equally good fields it is the first in the order of the chart's lines.
    """
    best = -np.inf
    chosen = as_int64(0)
    for to in range(thought.many):
        value = standing(game, thought, seat, to, movers)
        if value > best:
            best = value
            chosen = to
    return as_int64(thought.ahead[chosen])


@njit_inline
def expect(game: GameRow, thought: GameRow, seat: int) -> None:
    """Write the probability that another merchant would sail to each field ahead (``likely``).

    It is estimated by what the thinking seat knows.
    """
    likely = thought.likely[seat]
    best = -np.inf
    for to in range(thought.many):
        likely[to] = standing(game, thought, seat, to, as_int64(1) << seat)
        best = max(best, likely[to])
    total = 0.0
    for to in range(thought.many):
        likely[to] = exp((likely[to] - best) / UNSURE)
        total += likely[to]
    for to in range(thought.many):
        likely[to] /= total
