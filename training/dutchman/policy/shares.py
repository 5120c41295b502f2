"""Income of shares, and gain of a Kontor card (H6a)."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import GameRow
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.layout import KEEP, NONE, PILE, PUT, SHOW
from kontor.games.dutchman.batch.tables import CHESTS, COLOURS, PAIR_ONE, PAIR_OTHER, PAIRS
from kontor.games.dutchman.players.outlook import RISK
from kontor.games.dutchman.rules.components import EXCHANGED, LAST_CHEST
from training.dutchman.policy.outlook import SHARE_WORTH


@njit_inline
def exchange_gain(game: GameRow, thought: GameRow) -> float:
    """Return what a Kontor card gains, after ``contend`` for all players.

    Two of the hidden shares are drawn, and the best three are kept.
    """
    me = thought.me
    look_at_prospects(game, thought)
    thought.counts[:] = thought.held[me]
    _value_each(game, thought)
    own = 0.0
    for colour in range(COLOURS):
        for _ in range(game.shares[me, colour]):
            own += thought.each[colour]
    expected = 0.0
    top = as_int64(game.top)
    for one in range(COLOURS):
        likely = _colour_chance(game, thought, top, one)
        if likely:
            for other in range(COLOURS):
                too = _colour_chance(game, thought, (top + 1) % PILE, other)
                if too:
                    expected += likely * too * _best_of(game, thought, one, other)
    return expected - own


@njit_inline
def pair_to_put(game: GameRow, thought: GameRow) -> int:
    """Return the action that keeps the three best of five shares (H6a), after ``contend`` for all players."""
    look_at_prospects(game, thought)
    best = -np.inf
    chosen = as_int64(0)
    for pair in range(PAIRS):
        if has_pair(game, thought.me, pair):
            worth = worth_without(game, thought, pair)
            if worth > best:
                best = worth
                chosen = as_int64(pair)
    return PUT + chosen


@njit_inline
def share_to_show(game: GameRow, me: int) -> int:
    """Return the action that shows the most valuable share (H12).

    Among equals it is the one that everybody knows of. KEEP if the seat has no share.
    """
    chosen = KEEP
    best = as_int64(-1)
    surest = as_int64(-1)
    for colour in range(COLOURS):
        if game.shares[me, colour]:
            value = as_int64(CHESTS[game.stones[colour]])
            sure = as_int64(game.at_least[me, colour])
            if value > best or (value == best and sure > surest):
                best = value
                surest = sure
                chosen = SHOW + colour
    return chosen


@njit_inline
def look_at_prospects(game: GameRow, thought: GameRow) -> None:
    """Write what a share of each colour brings without an own lay, and the probability that its ship is met now."""
    _look_where_others_sail(game, thought)
    thought.brings[:] = 0
    thought.met_now[:] = 0
    for to in range(thought.many):
        likely = thought.sailing[to]
        for colour in range(COLOURS):
            thought.brings[colour] += likely * thought.worth[to, colour]
        met = thought.met[to]
        if met != NONE:
            thought.brings[met] -= likely * CHESTS[game.stones[met]]
            thought.met_now[met] += likely


@njit_inline
def _look_where_others_sail(game: GameRow, thought: GameRow) -> None:
    """Write where the Dutchman will sail without an own lay."""
    weight = 0.0
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        if seat != thought.me:
            weight += thought.lays[seat]
    thought.sailing[:] = 0
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        if seat != thought.me:
            part = thought.lays[seat] / weight if weight else 1 / (game.in_order - 1)
            for to in range(thought.many):
                thought.sailing[to] += part * thought.likely[seat, to]


@njit_inline
def _value_each(game: GameRow, thought: GameRow) -> None:
    """Write what one share of each colour brings, if the shares in ``counts`` are held.

    Where so many shares of a colour would ruin the thinking seat, each bears its part of that risk.
    """
    me = thought.me
    cash = as_int64(game.cash[me])
    wealth = 0.0
    for colour in range(COLOURS):
        wealth += thought.held[me, colour] * SHARE_WORTH[game.stones[colour], thought.ships]
    wealth = cash + wealth
    for colour in range(COLOURS):
        worth = thought.brings[colour]
        count = thought.counts[colour]
        if count:
            stone = as_int64(game.stones[colour])
            now = thought.met_now[colour]
            risk = now if count * CHESTS[stone] > cash else 0.0
            if thought.ships > 1 and count * CHESTS[min(stone + 1, LAST_CHEST)] > cash:
                risk += (1 - now) * RISK
            worth -= risk * wealth / count
        thought.each[colour] = worth


@njit_inline
def _colour_chance(game: GameRow, thought: GameRow, place: int, colour: int) -> float:
    """Return the probability that a card of the pile has a colour; the seat knows the cards that it put there."""
    if game.put_by[place] == thought.me:
        return 1.0 if game.pile[place] == colour else 0.0
    total = as_int64(0)
    for each in range(COLOURS):
        total += thought.unseen[each]
    return float(thought.unseen[colour] / total)


@njit_inline
def _best_of(game: GameRow, thought: GameRow, one: int, other: int) -> float:
    """Return what the best of the thinking seat's shares and two more bring: all but the two least."""
    own = thought.own
    many = as_int64(0)
    for colour in range(COLOURS):
        for _ in range(game.shares[thought.me, colour] + (colour == one) + (colour == other)):
            worth = thought.each[colour]
            place = many
            while place > 0 and own[place - 1] > worth:
                own[place] = own[place - 1]
                place -= 1
            own[place] = worth
            many += 1
    best = 0.0
    for place in range(EXCHANGED, many):
        best += own[place]
    return best


@njit_inline
def has_pair(game: GameRow, me: int, pair: int) -> bool:
    """Return True if a seat holds both shares of a pair."""
    one = as_int64(PAIR_ONE[pair])
    other = as_int64(PAIR_OTHER[pair])
    if one == other:
        return bool(game.shares[me, one] > 1)
    return bool(game.shares[me, one] and game.shares[me, other])


@njit_inline
def worth_without(game: GameRow, thought: GameRow, pair: int) -> float:
    """Return what the thinking seat's shares bring without a pair, less the risk of ruin."""
    thought.counts[:] = thought.held[thought.me]
    thought.counts[PAIR_ONE[pair]] -= 1
    thought.counts[PAIR_OTHER[pair]] -= 1
    _value_each(game, thought)
    worth = 0.0
    for colour in range(COLOURS):
        worth += thought.counts[colour] * thought.each[colour]
    return worth
