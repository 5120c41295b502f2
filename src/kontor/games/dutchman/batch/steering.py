"""Lays are turned over and read; the player nearest to the lucky number steers (H7, H8)."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import GameRow
from kontor.batch.compiled import as_int64, njit_inline, trailing_zeros
from kontor.games.dutchman.batch.layout import REVEALED
from kontor.games.dutchman.batch.tables import DUE_NAME, DUE_ROLLING, DUE_SAIL, SILVERS
from kontor.games.dutchman.batch.turns import queue


@njit_inline
def reveal(game: GameRow, again: bool) -> None:
    """Turn over all lays and move their horseshoes to the middle (H8).

    If nobody laid, all contenders roll for it (H10, H10b).
    """
    who = game.tied if again else game.order
    contenders = as_int64(game.tie if again else game.in_order)
    best = 0
    nearest = 0
    many = 0
    for place in range(contenders):
        seat = as_int64(who[place])
        if game.laid[seat]:
            many += 1
            reading = _reading(game, seat)
            if reading > best:
                best = reading
                nearest = 0
            if reading == best:
                nearest |= 1 << seat
            _turn_over(game, seat, reading)
    game.bargaining = 0
    if not many:
        queue(game, who, contenders)
        game.rolls = 0
        game.step = DUE_ROLLING
        return
    game.nearest[game.reveals] = nearest
    game.reveals += 1
    game.happened |= REVEALED
    tie = 0
    for place in range(contenders):
        seat = as_int64(who[place])
        if (nearest >> seat) & 1:
            game.queue[tie] = seat
            tie += 1
    game.queued = tie
    game.waiting = tie
    if tie == 1:
        game.step = DUE_SAIL
        return
    for place in range(tie):
        game.tied[place] = game.queue[place]
    game.tie = tie
    game.bargaining = 1
    game.names = 0
    game.circle = 1
    game.asked = 0
    game.proposed = 0
    game.accepted = 0
    game.step = DUE_NAME


@njit_inline
def _reading(game: GameRow, seat: int) -> int:
    """Return the best reading of a lay (H7).

    Twenties and tens make every twentieth number between minus and plus their sum (every fortieth without a ten);
    ones and twos make every second (every fourth without a one). The best reading takes the highest coarse sum that
    the fine ones can bring down to the lucky number, and then the best fine sum.
    """
    silver = game.lay_silver[seat]
    gold = game.lay_gold[seat]
    golden = 21 + as_int64(trailing_zeros(np.uint64(gold))) if gold else 0
    coarse = 20 * silver[0] + 10 * silver[1]
    coarse_step = 20 if silver[1] else 40
    fine = 2 * silver[2] + silver[3]
    fine_step = 2 if silver[3] else 4
    room = game.lucky - golden
    limit = room + fine
    if limit < -coarse:
        return 0
    best = coarse if limit >= coarse else limit - (limit + coarse) % coarse_step
    limit = room - best
    best += fine if limit >= fine else limit - (limit + fine) % fine_step
    return as_int64(max(best + golden, 0))


@njit_inline
def _turn_over(game: GameRow, seat: int, reading: int) -> None:
    """Show a lay to everybody and move it to the middle."""
    lain = game.lays
    game.lays = lain + 1
    gold = game.lay_gold[seat]
    game.lain_in[lain] = game.reveals
    game.lain_seat[lain] = seat
    game.reading[lain] = reading
    game.lain_gold[lain] = as_int64(trailing_zeros(np.uint64(gold))) + 1 if gold else 0
    game.known_gold[seat] &= ~gold
    game.middle_gold |= gold
    game.middle_known_gold |= gold
    game.lay_gold[seat] = 0
    for kind in range(SILVERS):
        laid = game.lay_silver[seat, kind]
        game.lain_silver[lain, kind] = laid
        game.known_silver[seat, kind] = max(game.known_silver[seat, kind] - laid, 0)
        game.middle_silver[kind] += laid
        game.middle_known_silver[kind] += laid
        game.lay_silver[seat, kind] = 0
    game.laid[seat] = 0
