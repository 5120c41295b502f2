"""Observation of a seat of Der fliegende Holländer, as the numbers of ``docs/observations.csv``.

Their places depend on how many play. So each function gets the place at which its part begins, and returns the place
of the next part.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import GameRow, Ints, Reals
from kontor.batch.compiled import as_int64, int64_constant, njit_inline, trailing_zeros
from kontor.games.dutchman.batch.goods import horseshoes_in
from kontor.games.dutchman.batch.layout import NONE, PILE
from kontor.games.dutchman.batch.moves import fields_ahead
from kontor.games.dutchman.batch.steps import DUCATS, FIRST_GOLD, MOST_DUCATS, SILVER_FROM, TO
from kontor.games.dutchman.batch.tables import COLOURS, DEEDS, DUE_ANSWER, DUE_PROPOSE, DUES, FIELDS, GOLD, SILVERS
from kontor.games.dutchman.batch.turns import mover_of
from kontor.games.dutchman.rules import Options

KINDS: Final = int64_constant(int(GOLD) + int(SILVERS))
"""Kinds of horseshoes: 48, 47 … 21, 20, 10, 2, 1."""

_LAST_COUNTS: Final = np.array([*SILVER_FROM[1:], TO], np.int32)
"""For each kind of silver, the step after the last one that says how many of it are laid."""


def width(options: Options) -> int:
    """Return the number of numbers in an observation."""
    players = options.players
    pile = int(COLOURS) * (players - 1)
    of_players = 19 + 2 * int(COLOURS) + int(DEEDS) + int(KINDS) + int(FIELDS)
    of_table = int(DUES) + 6 + int(COLOURS) + int(KINDS) + 4 * int(FIELDS)
    of_own = int(COLOURS) + 2 * int(KINDS) + 2 + int(GOLD) + 2 * int(SILVERS) + int(FIELDS)
    return players * of_players + of_table + of_own + pile * (players + int(COLOURS))


@njit_inline
def _side(game: GameRow, seat: int, of: int) -> int:
    """Return the place of player ``of``, counted clockwise from ``seat``."""
    side = of - seat
    return as_int64(side if side >= 0 else side + game.players)


@njit_inline
def _heap(gold: int, silver: Ints, seen: Reals, at: int) -> None:
    """Write the golden and silver horseshoes of a heap into ``seen``, by kind."""
    bits = np.uint64(gold)
    while bits:
        seen[at + GOLD - 1 - as_int64(trailing_zeros(bits))] = 1
        bits &= bits - np.uint64(1)
    for kind in range(SILVERS):
        seen[at + GOLD + kind] = silver[kind]


@njit_inline
def look_from(game: GameRow, begun: GameRow, seat: int, seen: Reals) -> None:
    """Write what a seat may know into ``seen``, which is all zeros before."""
    at = _see_players(game, seat, seen)
    at = _see_table(game, seat, seen, at)
    at = _see_bargain(game, seat, seen, at)
    at = _see_own(game, seat, seen, at)
    if begun.count and mover_of(game) == seat:
        _see_begun(game, begun, seat, seen, at)


@njit_inline
def _see_players(game: GameRow, seat: int, seen: Reals) -> int:
    """Write what is due, and what everybody knows of each player."""
    players = as_int64(game.players)
    seen[as_int64(game.step)] = 1
    mover = as_int64(DUES)
    waiting = mover + players
    if game.waiting:
        seen[mover + _side(game, seat, mover_of(game))] = 1
    for place in range(game.queued - game.waiting, game.queued):
        seen[waiting + _side(game, seat, as_int64(game.queue[place]))] = 1
    at = waiting + players
    seen[at] = game.round
    seen[at + 1] = game.lucky
    order = at + 2
    cash = order + players
    actions = cash + 6 * players
    at_least = actions + DEEDS * players
    at_most = at_least + COLOURS * players
    public_rack = at_most + COLOURS * players
    bankrupt = public_rack + KINDS * players
    for place in range(game.in_order):
        side = _side(game, seat, as_int64(game.order[place]))
        seen[order + side] = place + 1
        if place < game.acted:
            seen[actions + DEEDS * side + as_int64(game.actions[place])] = 1
    for of in range(players):
        side = _side(game, seat, of)
        seen[cash + side] = game.cash[of]
        seen[cash + players + side] = game.kontor[of]
        seen[cash + 2 * players + side] = game.smith[of]
        seen[cash + 4 * players + side] = horseshoes_in(game.rack_gold[of], game.rack_silver[of])
        if game.laid[of]:
            seen[cash + 5 * players + side] = horseshoes_in(game.lay_gold[of], game.lay_silver[of])
        hand = 0
        for colour in range(COLOURS):
            hand += game.shares[of, colour]
            seen[at_least + COLOURS * side + colour] = game.at_least[of, colour]
            seen[at_most + COLOURS * side + colour] = game.at_most[of, colour]
        seen[cash + 3 * players + side] = hand
        _heap(game.known_gold[of], game.known_silver[of], seen, public_rack + KINDS * side)
        seen[bankrupt + side] = game.bankrupt[of] > 0
    reading = bankrupt + players
    nearest = reading + players
    rolled = nearest + players
    for lay in range(game.lays):
        seen[reading + _side(game, seat, as_int64(game.lain_seat[lay]))] = game.reading[lay]
    if game.reveals:
        for of in range(players):
            seen[nearest + _side(game, seat, of)] = (game.nearest[game.reveals - 1] >> of) & 1
    for place in range(game.rolls):
        seen[rolled + _side(game, seat, as_int64(game.rolled_seat[place]))] = game.rolled[place]
    return rolled + players


@njit_inline
def _see_table(game: GameRow, seat: int, seen: Reals, at: int) -> int:
    """Write what lies on the table: Dutchman, stones, Kontor pile and middle."""
    players = as_int64(game.players)
    seen[at + as_int64(game.dutchman)] = 1
    at += FIELDS
    if game.came_from != NONE:
        seen[at + as_int64(game.came_from)] = 1
    at += FIELDS
    ahead = fields_ahead(game)
    while ahead:
        seen[at + as_int64(trailing_zeros(ahead))] = 1
        ahead &= ahead - np.uint64(1)
    at += FIELDS
    for colour in range(COLOURS):
        seen[at + colour] = game.stones[colour]
    at += COLOURS
    seen[at] = game.counter
    seen[at + 1] = game.in_pile
    at += 2
    for place in range(game.in_pile):
        by = as_int64(game.put_by[(game.top + place) % PILE])
        if by != NONE:
            seen[at + players * place + _side(game, seat, by)] = 1
    at += players * COLOURS * (players - 1)
    seen[at] = horseshoes_in(game.middle_gold, game.middle_silver)
    _heap(game.middle_known_gold, game.middle_known_silver, seen, at + 1)
    return at + 1 + KINDS


@njit_inline
def _see_bargain(game: GameRow, seat: int, seen: Reals, tied: int) -> int:
    """Write what the tied players have named and proposed (H9)."""
    players = as_int64(game.players)
    named = tied + players
    circle = named + FIELDS * players
    proposer = circle + 1
    proposed_to = proposer + players
    ducats = proposed_to + FIELDS
    accepted = ducats + players
    if game.bargaining:
        tie = as_int64(game.tie)
        proposer_at = as_int64(game.asked)
        seen[circle] = game.circle
        for place in range(tie):
            side = _side(game, seat, as_int64(game.tied[place]))
            seen[tied + side] = 1
            if place < game.names:
                seen[named + FIELDS * side + as_int64(game.named[place])] = 1
            if place == proposer_at and game.step in (DUE_PROPOSE, DUE_ANSWER):
                seen[proposer + side] = 1
            if game.proposed:
                seen[ducats + side] = game.ducats[place]
                seen[accepted + side] = 0 < (place - proposer_at + tie) % tie <= game.accepted
        if game.proposed:
            seen[proposed_to + as_int64(game.proposed_to)] = 1
    return accepted + players


@njit_inline
def _see_own(game: GameRow, seat: int, seen: Reals, at: int) -> int:
    """Write what the seat alone knows: its shares, rack and lay, and the shares that it put into the pile."""
    for colour in range(COLOURS):
        seen[at + colour] = game.shares[seat, colour]
    at += COLOURS
    _heap(game.rack_gold[seat], game.rack_silver[seat], seen, at)
    at += KINDS
    _heap(game.lay_gold[seat], game.lay_silver[seat], seen, at)
    at += KINDS
    for place in range(game.in_pile):
        slot = (game.top + place) % PILE
        if game.put_by[slot] == seat:
            seen[at + COLOURS * place + as_int64(game.pile[slot])] = 1
    return at + COLOURS * COLOURS * (as_int64(game.players) - 1)


@njit_inline
def _see_begun(game: GameRow, begun: GameRow, seat: int, seen: Reals, at: int) -> None:
    """Write the steps of its own unfinished move that the seat has taken."""
    players = as_int64(game.players)
    first = as_int64(begun.steps[0])
    seen[at] = 1
    at += 1
    counts = at + GOLD + 1
    to = counts + 2 * SILVERS
    if first < TO:
        seen[at + first - FIRST_GOLD] = 1
        for place in range(1, begun.count):
            step = as_int64(begun.steps[place])
            kind = 0
            while step >= _LAST_COUNTS[kind]:
                kind += 1
            seen[counts + 2 * kind] = 1
            seen[counts + 2 * kind + 1] = step - (SILVER_FROM[0] if kind == 0 else _LAST_COUNTS[kind - 1])
    else:
        seen[to + first - TO] = 1
        payer = to + FIELDS
        none = DUCATS + MOST_DUCATS * players
        seen[payer + _side(game, seat, as_int64(game.tied[begun.count - 1]))] = 1
        for place in range(1, begun.count):
            side = _side(game, seat, as_int64(game.tied[place - 1]))
            seen[payer + players + side] = as_int64(begun.steps[place]) - none
