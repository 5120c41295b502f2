"""Input features of the learned policy (``imitating``): the mover's moves that are worth considering.

Each move is described by a few numbers, derived from what ``greedy`` computes. Ducats and counts are divided, so that
most numbers lie from −1 to 1.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow, Ints, Reals
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.goods import golden, horseshoes_in
from kontor.games.dutchman.batch.layout import ACCEPT, DECLINE, KONTOR, LAY, NAME, NONE, PAIRS, PASS, PUT, SAIL, SMITH
from kontor.games.dutchman.batch.tables import CHESTS, COLOURS, DUE_ACTION, DUE_AGAIN, DUE_ANSWER, DUE_NAME, DUE_PUT
from kontor.games.dutchman.rules.components import FEW
from training.dutchman.policy.agreement import (
    a_ducat,
    agreed_standing,
    all_named_one,
    no_agreement,
    place_of,
    tied_bits,
)
from training.dutchman.policy.contest import after_laying, contend, horseshoe_worth, in_rack, unmatched, without_me
from training.dutchman.policy.greedy import exchanging_standing, forging_standing
from training.dutchman.policy.lays import find_lays
from training.dutchman.policy.outlook import standing
from training.dutchman.policy.shares import has_pair, look_at_prospects, worth_without

COMMON: Final = 16
"""Features that all moves of a decision share."""
OWN: Final = 16
"""Features of one move. The first says by how much the mover's standing is worse than after the best move; for an
answer, what accepting gains."""
MOST: Final = len(PAIRS)
"""Most moves described of one decision."""

DESCRIBED: Final = np.dtype([
    ("common", np.float32, (COMMON,)), ("own", np.float32, (MOST, OWN)), ("action", np.int64, (MOST,)),
], align=True)  # fmt: skip

_STANDING: Final = 3.0
_WEALTH: Final = 20.0
_WORST: Final = -4.0
GAIN: Final = 5.0
"""Ducats by which the gain of accepting is divided."""
_NOTHING: Final = 5.0
"""Ducats below which a player counts as ruined."""
_NO_GOLD: Final = 4 * 14 * 4 * 14
"""First number of a lay with a golden horseshoe (``layout.LAY``)."""


@njit_inline
def describe(game: GameRow, thought: GameRow, described: GameRow) -> int:
    """Describe the mover's moves, after ``outlook.look_ahead``; return how many there are."""
    _describe_table(game, thought, described.common)
    described.own[:] = 0
    step = game.step
    if step == DUE_ACTION:
        return _describe_actions(game, thought, described)
    if step == DUE_AGAIN:
        return _describe_laying_again(game, thought, described)
    if step == DUE_PUT:
        return _describe_pairs(game, thought, described)
    if step == DUE_ANSWER:
        return _describe_answers(game, thought, described)
    return _describe_fields(game, thought, described)


@njit_inline
def _within(number: float, least: float, most: float) -> float:
    return float(min(max(number, least), most))


# ------------------------------------------------------------------------------------------------- the table


@njit_inline
def _describe_table(game: GameRow, thought: GameRow, common: Reals) -> None:
    me = thought.me
    common[:] = 0
    common[0] = thought.ships / 10
    common[1] = game.in_order / 6
    common[2] = game.cash[me] / 25
    common[3] = in_rack(game, me) / 9
    common[4] = golden(game.rack_gold[me]) / 5
    common[5] = game.kontor[me] / 3
    common[6] = game.smith[me] / 3
    common[7] = (game.waiting - 1) / 5
    lays = as_int64(0)
    largest = as_int64(0)
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        if seat != me and game.laid[seat]:
            lays += 1
            largest = max(largest, as_int64(horseshoes_in(game.lay_gold[seat], game.lay_silver[seat])))
    common[8] = lays / 3
    common[9] = largest / 4
    common[10] = horseshoes_in(game.middle_gold, game.middle_silver) / 10
    lead = 0.0
    above = 0.0
    for to in range(thought.many):
        lead += _lead(game, thought, to)
        total = 0.0
        for place in range(game.in_order):
            total += thought.wealth[to, game.order[place]]
        own = thought.wealth[to, me]
        above += own - (total - own) / (game.in_order - 1)
    common[11] = _within(lead / thought.many / _WEALTH, -3.0, 3.0)
    common[12] = _within(above / thought.many / _WEALTH, -3.0, 3.0)
    common[13] = game.tie / 5 if game.bargaining else 0


@njit_inline
def _lead(game: GameRow, thought: GameRow, to: int) -> float:
    """Return the thinking seat's lead over the richest other player, in ducats, once the Dutchman is there."""
    richest = -np.inf
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        if seat != thought.me:
            richest = max(richest, thought.wealth[to, seat])
    return float(thought.wealth[to, thought.me] - richest)


@njit_inline
def _compare(described: GameRow, many: int) -> None:
    """Replace the first feature of each move by how much worse it is than the best move's."""
    best = -np.inf
    for move in range(many):
        best = max(best, described.own[move, 0])
    for move in range(many):
        described.own[move, 0] = max((described.own[move, 0] - best) / _STANDING, _WORST)


# --------------------------------------------------------------------------- horseshoes and cards, H6 and H10


@njit_inline
def _describe_actions(game: GameRow, thought: GameRow, described: GameRow) -> int:
    me = thought.me
    seats = game.order
    contend(game, thought, seats, as_int64(game.in_order))
    idle = without_me(thought, seats, as_int64(game.in_order))
    many = _describe_lays(game, thought, described, as_int64(0), seats, as_int64(game.in_order))
    if in_rack(game, me) < FEW:
        many = _describe_card(described, many, PASS, 2, idle)
    if game.smith[me]:
        described.own[many, 13] = horseshoes_in(game.middle_gold, game.middle_silver) / 4
        many = _describe_card(described, many, SMITH, 3, forging_standing(game, thought, idle))
    if game.kontor[me]:
        exchanging = exchanging_standing(game, thought, idle)
        described.own[many, 14] = _within((exchanging - idle) / 5, -1.0, 4.0)
        many = _describe_card(described, many, KONTOR, 4, exchanging)
    return _describe_contest(thought, described, many)


@njit_inline
def _describe_laying_again(game: GameRow, thought: GameRow, described: GameRow) -> int:
    tie = as_int64(game.tie)
    contend(game, thought, game.tied, tie)
    many = _describe_card(described, as_int64(0), PASS, 2, without_me(thought, game.tied, tie))
    many = _describe_lays(game, thought, described, many, game.tied, tie)
    return _describe_contest(thought, described, many)


@njit_inline
def _describe_lays(
    game: GameRow, thought: GameRow, described: GameRow, many: int, seats: Ints, contending: int
) -> int:
    """Describe the lays from the place ``many`` on; return how many moves there are then."""
    find_lays(game, thought)
    horseshoe = horseshoe_worth(game, thought, 0.0)
    for place in range(thought.lays_found):
        short = as_int64(thought.short[place])
        size = as_int64(thought.size[place])
        own = described.own[many + place]
        own[0] = after_laying(game, thought, seats, contending, short) - horseshoe * size
        own[5] = 1
        own[6] = size / 4
        own[7] = size == 1
        own[8] = min(short, 13) / 12
        own[9] = short == 0
        own[10] = 1 <= short <= 2
        own[11] = unmatched(game, thought, seats, contending, short)
        own[12] = thought.lay[place] >= _NO_GOLD
        described.action[many + place] = LAY + thought.lay[place]
    return many + as_int64(thought.lays_found)


@njit_inline
def _describe_card(described: GameRow, many: int, action: int, kind: int, standing: float) -> int:
    """Describe a move that is no lay, at the place ``many``; return how many moves there are then."""
    described.own[many, 0] = standing
    described.own[many, kind] = 1
    described.action[many] = action
    return many + 1


@njit_inline
def _describe_contest(thought: GameRow, described: GameRow, many: int) -> int:
    described.common[14] = _within((thought.best - thought.theirs) / 10, -1.0, 4.0)
    for move in range(many):
        described.own[move, 1] = _within(described.own[move, 0] / 10, -4.0, 4.0)
    _compare(described, many)
    return many


# ------------------------------------------------------------------------------------------------- shares, H6a


@njit_inline
def _describe_pairs(game: GameRow, thought: GameRow, described: GameRow) -> int:
    me = thought.me
    contend(game, thought, game.order, as_int64(game.in_order))
    look_at_prospects(game, thought)
    many = as_int64(0)
    for pair in range(MOST):
        if has_pair(game, me, pair):
            described.own[many, 0] = worth_without(game, thought, pair)
            _describe_rest(game, thought, described.own[many])
            described.action[many] = PUT + pair
            many += 1
    _compare(described, many)
    return many


@njit_inline
def _describe_rest(game: GameRow, thought: GameRow, own: Reals) -> None:
    """Describe the three shares that are kept; the thought holds them in ``counts``."""
    most = 0.0
    kinds = as_int64(0)
    chests = 0.0
    lowest = as_int64(len(CHESTS))
    seen = 0.0
    pays = 0.0
    for colour in range(COLOURS):
        count = thought.counts[colour]
        if count:
            stone = as_int64(game.stones[colour])
            kinds += 1
            most = max(most, count)
            chests += count * stone
            lowest = min(lowest, stone)
            seen += min(count, float(game.at_least[thought.me, colour]))
            pays = max(pays, count * CHESTS[stone])
    own[1] = most / 3
    own[2] = kinds / 3
    own[3] = chests / 15
    own[4] = seen / 3
    own[5] = min(pays / (game.cash[thought.me] + 1), 2.0)
    own[6] = most == 3
    own[7] = lowest / 8


# ------------------------------------------------------------------------------------ where to sail, H8 and H9


@njit_inline
def _describe_fields(game: GameRow, thought: GameRow, described: GameRow) -> int:
    me = thought.me
    movers = as_int64(1) << me
    first = SAIL
    named = as_int64(NONE)
    if game.step == DUE_NAME:
        movers = tied_bits(game)
        first = NAME
        if all_named_one(game):
            named = as_int64(game.named[0])
    many = as_int64(thought.many)
    for to in range(many):
        own = described.own[to]
        own[0] = standing(game, thought, me, to, movers)
        own[1] = min(thought.wealth[to, me] / (2 * _WEALTH), 3.0)
        own[2] = _within(_lead(game, thought, to) / _WEALTH, -3.0, 3.0)
        own[3] = thought.wealth[to, me] <= 0
        own[9] = thought.ahead[to] == named
        own[10] = named != NONE
        _describe_meeting(game, thought, own, to)
        described.action[to] = first + thought.ahead[to]
    _compare(described, many)
    return many


@njit_inline
def _describe_meeting(game: GameRow, thought: GameRow, own: Reals, to: int) -> None:
    """Describe what everybody pays or earns on a field, and who is ruined."""
    me = thought.me
    met = thought.met[to]
    ruined = as_int64(0)
    pay = 0.0
    for place in range(game.in_order):
        seat = as_int64(game.order[place])
        if seat != me:
            ruined += thought.wealth[to, seat] < _NOTHING
            pay += thought.held[seat, met] if met != NONE else 0.0
    own[4] = ruined / 3
    if met == NONE:
        own[7] = 1
        own[8] = thought.earned[me] / 10
        return
    value = CHESTS[game.stones[met]]
    own[5] = thought.held[me, met] * value / _WEALTH
    own[6] = pay * value / (game.in_order - 1) / _WEALTH
    own[11] = game.stones[met] / 8


# ------------------------------------------------------------------------------------------------ bargains, H9


@njit_inline
def _describe_answers(game: GameRow, thought: GameRow, described: GameRow) -> int:
    """Describe accepting; declining is the second move, and all its features are 0."""
    me = thought.me
    agreed = agreed_standing(game, thought)
    gain = (agreed - no_agreement(game, thought, me)) / a_ducat(game)
    to = place_of(thought, as_int64(game.proposed_to))
    alone = 0.0
    for course in range(thought.many):
        alone += standing(game, thought, me, course, as_int64(1) << me)
    own = described.own[0]
    own[0] = _within(gain / GAIN, _WORST, -_WORST)
    own[1] = _within(thought.ducats[me] / 10, -3.0, 3.0)
    own[2] = game.circle / 5
    own[3] = 1
    own[4] = _within(_lead(game, thought, to) / _WEALTH, -3.0, 3.0)
    own[5] = thought.met[to] == NONE
    own[6] = max(own[0], np.float32(0))
    own[7] = game.accepted / 3
    own[8] = _within((agreed - alone / thought.many) / 10, -3.0, 3.0)
    described.action[0] = ACCEPT
    described.action[1] = DECLINE
    return as_int64(2)
