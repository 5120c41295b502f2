"""Observation of the seat to move in Der fliegende Holländer, as numbers (``layout.FEATURES``).

This is the only place where kernels look at a game from a seat: own shares and horseshoes, and open information.
"""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import GameRow, Ints, Reals
from kontor.batch.compiled import as_int64, njit_inline, trailing_zeros
from kontor.games.dutchman.batch.chance import is_chance
from kontor.games.dutchman.batch.goods import horseshoes_in
from kontor.games.dutchman.batch.layout import NONE, PILE
from kontor.games.dutchman.batch.moves import fields_ahead
from kontor.games.dutchman.batch.tables import COLOURS, DECIDING, GOLD, SILVERS
from kontor.games.dutchman.batch.turns import mover_of


@njit_inline
def see(game: GameRow, seen: GameRow) -> None:
    """Write what the seat to move may know, if there is one."""
    if game.waiting and not is_chance(game):
        seat = mover_of(game)
        _see_own(game, seat, seen)
        _see_players(game, seat, seen)
        _see_table(game, seat, seen)
        if game.bargaining:
            _see_bargain(game, seat, seen)


@njit_inline
def _side(game: GameRow, seat: int, of: int) -> int:
    """Return the place of player ``of``, counted clockwise from ``seat``."""
    return as_int64((of - seat + game.players) % game.players)


@njit_inline
def _see_heap(gold: int, silver: Ints, seen_gold: Reals, seen_silver: Reals) -> None:
    for horseshoe in range(GOLD):
        seen_gold[horseshoe] = (gold >> horseshoe) & 1
    for kind in range(SILVERS):
        seen_silver[kind] = silver[kind]


@njit_inline
def _see_own(game: GameRow, seat: int, seen: GameRow) -> None:
    """Write what the seat alone knows."""
    _see_heap(game.rack_gold[seat], game.rack_silver[seat], seen.rack_gold, seen.rack_silver)
    _see_heap(game.lay_gold[seat], game.lay_silver[seat], seen.lay_gold, seen.lay_silver)
    for colour in range(COLOURS):
        seen.shares[colour] = game.shares[seat, colour]
    for place in range(game.in_pile):
        at = (game.top + place) % PILE
        if game.put_by[at] == seat:
            seen.pile[place, game.pile[at]] = 1


@njit_inline
def _see_players(game: GameRow, seat: int, seen: GameRow) -> None:
    """Write what everybody knows of each player."""
    for of in range(game.players):
        side = _side(game, seat, of)
        seen.cash[side] = game.cash[of]
        seen.kontor[side] = game.kontor[of]
        seen.smith[side] = game.smith[of]
        seen.horseshoes[side] = horseshoes_in(game.rack_gold[of], game.rack_silver[of])
        seen.laid[side] = horseshoes_in(game.lay_gold[of], game.lay_silver[of])
        for colour in range(COLOURS):
            seen.hand[side] += game.shares[of, colour]
            seen.at_least[side, colour] = game.at_least[of, colour]
            seen.at_most[side, colour] = game.at_most[of, colour]
        _see_heap(game.known_gold[of], game.known_silver[of], seen.known_gold[side], seen.known_silver[side])
    for place in range(game.in_order):
        side = _side(game, seat, game.order[place])
        seen.place[side] = place + 1
        if place < game.acted:
            seen.action[side, game.actions[place]] = 1
    for place in range(game.queued - game.waiting, game.queued):
        seen.waiting[_side(game, seat, game.queue[place])] = 1
    for lay in range(game.lays):
        seen.reading[_side(game, seat, game.lain_seat[lay])] = game.reading[lay]


@njit_inline
def _see_table(game: GameRow, seat: int, seen: GameRow) -> None:
    """Write what lies on the table."""
    seen.step[DECIDING[game.step]] = 1
    seen.round = game.round
    seen.lucky = game.lucky
    seen.dutchman[game.dutchman] = 1
    if game.came_from != NONE:
        seen.came_from[game.came_from] = 1
    ahead = fields_ahead(game)
    while ahead:
        seen.ahead[as_int64(trailing_zeros(ahead))] = 1
        ahead &= ahead - np.uint64(1)
    for colour in range(COLOURS):
        seen.stones[colour] = game.stones[colour]
    seen.counter = game.counter
    seen.in_pile = game.in_pile
    for place in range(game.in_pile):
        by = game.put_by[(game.top + place) % PILE]
        if by != NONE:
            seen.put_by[place, _side(game, seat, by)] = 1
    seen.middle = horseshoes_in(game.middle_gold, game.middle_silver)
    _see_heap(game.middle_known_gold, game.middle_known_silver, seen.middle_gold, seen.middle_silver)


@njit_inline
def _see_bargain(game: GameRow, seat: int, seen: GameRow) -> None:
    """Write what the tied players have named and proposed (H9)."""
    tie = game.tie
    proposer_at = game.asked
    seen.circle = game.circle
    for place in range(tie):
        side = _side(game, seat, game.tied[place])
        seen.tied[side] = 1
        if place < game.names:
            seen.named[side, game.named[place]] = 1
        if place == proposer_at:
            seen.proposer[side] = 1
        if game.proposed:
            seen.ducats[side] = game.ducats[place]
            seen.accepted[side] = 0 < (place - proposer_at + tie) % tie <= game.accepted
    if game.proposed:
        seen.proposed_to[game.proposed_to] = 1
