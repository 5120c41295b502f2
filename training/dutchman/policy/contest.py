"""Rounds and deciding rounds: who may lay, and the standing to expect with and without an own lay."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow, Ints
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.goods import horseshoes_in
from kontor.games.dutchman.batch.layout import LAY, PASS
from kontor.games.dutchman.players import greedy
from training.dutchman.policy.lays import find_lays
from training.dutchman.policy.outlook import expect, standing

_SHORT: Final = np.array(greedy.SHORT)
_HORSESHOE: Final = greedy.HORSESHOE
_HORSESHOES_A_ROUND: Final = greedy.HORSESHOES_A_ROUND
_ROUNDS_A_SHIP: Final = greedy.ROUNDS_A_SHIP
_LAYS: Final = greedy.LAYS


@njit_inline
def later_rounds(thought: GameRow) -> float:
    """Return the number of rounds to expect after this one."""
    return float((thought.ships - 1) * _ROUNDS_A_SHIP)


@njit_inline
def in_rack(game: GameRow, seat: int) -> int:
    """Return the number of horseshoes in a seat's rack."""
    return as_int64(horseshoes_in(game.rack_gold[seat], game.rack_silver[seat]))


@njit_inline
def horseshoe_worth(game: GameRow, thought: GameRow, more: float) -> float:
    """Return what one of the thinking seat's horseshoes is worth later, if it gets ``more`` of them."""
    rack = in_rack(game, thought.me)
    return _HORSESHOE * min(1.0, later_rounds(thought) * _HORSESHOES_A_ROUND / (rack + more + 1))


@njit_inline
def contend(game: GameRow, thought: GameRow, seats: Ints, many: int) -> None:
    """Write what to expect if the first ``many`` of these seats contend for the Dutchman.

    The thinking seat's standing is written if it steers (``best``), if another does (``under``, by seat) and on
    average (``theirs``). The probability that each other seat lays is written into ``lays``.
    """
    me = thought.me
    thought.best = -np.inf
    for to in range(thought.many):
        thought.best = max(thought.best, standing(game, thought, me, to, as_int64(1) << me))
    weight = 0.0
    total = 0.0
    weighted = 0.0
    for place in range(many):
        seat = as_int64(seats[place])
        if seat != me:
            lays = _lays(game, seat)
            under = _under(game, thought, seat)
            thought.lays[seat] = lays
            thought.under[seat] = under
            weight += lays
            weighted += lays * under
            total += under
    thought.theirs = weighted / weight if weight else total / (many - 1)


@njit_inline
def _lays(game: GameRow, seat: int) -> float:
    """Return the probability that another seat lays."""
    if game.laid[seat]:
        return 1.0
    for place in range(as_int64(game.queued - game.waiting), game.queued):
        if game.queue[place] == seat:
            return _LAYS if in_rack(game, seat) else 0.0
    return 0.0


@njit_inline
def _under(game: GameRow, thought: GameRow, seat: int) -> float:
    """Return the thinking seat's standing if another seat steers."""
    expect(game, thought, seat)
    under = 0.0
    for to in range(thought.many):
        under += thought.likely[seat, to] * standing(game, thought, thought.me, to, as_int64(1) << seat)
    return under


@njit_inline
def without_me(thought: GameRow, seats: Ints, many: int) -> float:
    """Return the thinking seat's standing if it does not lay.

    If no other seat lays either, all roll for it (H10).
    """
    nobody = 1.0
    total = 0.0
    for place in range(many):
        seat = as_int64(seats[place])
        if seat != thought.me:
            nobody *= 1 - thought.lays[seat]
            total += thought.under[seat]
    rolled = (thought.best + total) / many
    return float(nobody * rolled + (1 - nobody) * thought.theirs)


@njit_inline
def best_lay(game: GameRow, thought: GameRow, seats: Ints, many: int) -> tuple[int, float]:
    """Return the action of the lay with the best standing, and that standing less the cost of its horseshoes."""
    chosen = as_int64(PASS)
    best = -np.inf
    horseshoe = horseshoe_worth(game, thought, 0.0)
    find_lays(game, thought)
    for place in range(thought.lays_found):
        value = after_laying(game, thought, seats, many, thought.short[place]) - horseshoe * thought.size[place]
        if value > best:
            chosen = LAY + thought.lay[place]
            best = value
    return chosen, best


@njit_inline
def after_laying(game: GameRow, thought: GameRow, seats: Ints, many: int, short: int) -> float:
    """Return the thinking seat's standing with a lay that falls ``short`` of the lucky number by so much."""
    alone = unmatched(game, thought, seats, many, short)
    unbeaten = unmatched(game, thought, seats, many, short - 1)
    tied = (thought.best + thought.theirs) / 2
    return float(alone * thought.best + (unbeaten - alone) * tied + (1 - unbeaten) * thought.theirs)


@njit_inline
def unmatched(game: GameRow, thought: GameRow, seats: Ints, many: int, short: int) -> float:
    """Return the probability that no other lay falls short by as little."""
    likely = 1.0
    for place in range(many):
        seat = as_int64(seats[place])
        if seat != thought.me:
            laid = as_int64(0)
            if game.laid[seat]:
                laid = as_int64(horseshoes_in(game.lay_gold[seat], game.lay_silver[seat]))
            likely *= 1 - thought.lays[seat] * _falls_short(short, laid)
    return likely


@njit_inline
def _falls_short(by: int, horseshoes: int) -> float:
    """Return the probability that a lay falls short of the lucky number by at most ``by``.

    The lay has so many horseshoes; 0 if it is not yet laid.
    """
    if by < 0:
        return 0.0
    table = _SHORT[min(horseshoes, len(_SHORT) - 1)]
    length = len(table)
    return float(table[by] if by < length else 1 - (1 - table[length - 1]) * length / (by + 1))
