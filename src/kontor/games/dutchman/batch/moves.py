"""The legal moves and their numbers (the actions of ``layout``)."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Flags, GameRow
from kontor.batch.compiled import as_int64, njit_inline, popcount, trailing_zeros
from kontor.games.dutchman.batch.goods import golden, horseshoes_in
from kontor.games.dutchman.batch.layout import (
    ACCEPT,
    DECLINE,
    FIELDS,
    KEEP,
    KONTOR,
    LAY,
    LAY_COLUMN,
    NAME,
    NONE,
    PASS,
    PROPOSE,
    PROPOSE_COLUMN,
    PUT,
    SAIL,
    SHOW,
    SMITH,
    WAYS,
    WITHHOLD,
)
from kontor.games.dutchman.batch.payments import ways_to_pay
from kontor.games.dutchman.batch.tables import (
    COLOURS,
    DUE_ACTION,
    DUE_AGAIN,
    DUE_ANSWER,
    DUE_NAME,
    DUE_PROPOSE,
    DUE_PUT,
    DUE_SAIL,
    DUE_SHOW,
    GOLD,
    PAIR_ONE,
    PAIR_OTHER,
    PAIRS,
    SILVERS,
)
from kontor.games.dutchman.batch.turns import mover_of
from kontor.games.dutchman.rules.components import FEW


@njit_inline
def fields_ahead(game: GameRow) -> np.uint64:
    """Return the fields to which the Dutchman may sail, as bits (H8)."""
    bits = game.ways[game.dutchman]
    back = game.came_from
    if back != NONE:
        bits &= ~(1 << back)
    return np.uint64(bits)


@njit_inline
def few_moves(game: GameRow) -> tuple[int, np.uint64]:
    """Return the legal moves except lays and proposals: the first number of their kind, and bits from there."""
    step = game.step
    if step == DUE_ACTION:
        seat = mover_of(game)
        bits = (game.kontor[seat] > 0) << KONTOR | (game.smith[seat] > 0) << SMITH
        if horseshoes_in(game.rack_gold[seat], game.rack_silver[seat]) < FEW:
            bits |= 1 << PASS
        return 0, np.uint64(bits)
    if step == DUE_PUT:
        shares = game.shares[mover_of(game)]
        bits = 0
        for pair in range(PAIRS):
            one = shares[PAIR_ONE[pair]]
            other = shares[PAIR_OTHER[pair]]
            if one and other and (one > 1 or PAIR_ONE[pair] != PAIR_OTHER[pair]):
                bits |= 1 << pair
        return PUT, np.uint64(bits)
    if step == DUE_SAIL:
        return SAIL, fields_ahead(game)
    if step == DUE_NAME:
        return NAME, fields_ahead(game)
    if step == DUE_PROPOSE:
        return 0, np.uint64(1 << WITHHOLD)
    if step == DUE_ANSWER:
        return 0, np.uint64(1 << ACCEPT | 1 << DECLINE)
    if step == DUE_AGAIN:
        return 0, np.uint64(1 << PASS)
    if step == DUE_SHOW:
        shares = game.shares[mover_of(game)]
        bits = 1 << KEEP
        for colour in range(COLOURS):
            if shares[colour]:
                bits |= 1 << (SHOW + colour)
        return 0, np.uint64(bits)
    return 0, np.uint64(0)


@njit_inline
def many_moves(game: GameRow) -> int:
    """Return the number of legal lays or proposals."""
    step = game.step
    if step in (DUE_ACTION, DUE_AGAIN):
        return _lay_count(game, mover_of(game))
    if step == DUE_PROPOSE:
        return as_int64(popcount(fields_ahead(game))) * ways_to_pay(game)
    return 0


@njit_inline
def _lay_count(game: GameRow, seat: int) -> int:
    """Return the number of different lays of a seat (H6c)."""
    many = as_int64(golden(game.rack_gold[seat])) + 1
    for kind in range(SILVERS):
        many *= game.rack_silver[seat, kind] + 1
    return many - 1


@njit_inline
def mark_legal(game: GameRow, mask: Flags) -> None:
    """Set the columns of the mask that are legal."""
    base, bits = few_moves(game)
    while bits:
        mask[base + as_int64(trailing_zeros(bits))] = True
        bits &= bits - np.uint64(1)
    if many_moves(game):
        mask[PROPOSE_COLUMN if game.step == DUE_PROPOSE else LAY_COLUMN] = True


@njit_inline
def count_moves(game: GameRow) -> int:
    """Return the number of legal moves."""
    _, bits = few_moves(game)
    return as_int64(popcount(bits)) + many_moves(game)


@njit_inline
def nth_move(game: GameRow, number: int) -> int:
    """Return the legal action with a number from 0."""
    base, bits = few_moves(game)
    few = as_int64(popcount(bits))
    if number >= few:
        if game.step == DUE_PROPOSE:
            return _proposal_number(game, number - few)
        return _lay_number(game, number - few)
    for _ in range(number):
        bits &= bits - np.uint64(1)
    return base + as_int64(trailing_zeros(bits))


@njit_inline
def _lay_number(game: GameRow, number: int) -> int:
    """Return the action of the lay with a number from 0, in the order of lays."""
    seat = mover_of(game)
    rest = number + 1
    digits = 0
    scale = 1
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        base = game.rack_silver[seat, kind] + 1
        digits += scale * (rest % base)
        rest //= base
        scale *= 4 if kind % 2 == 0 else 14
    gold = np.uint64(game.rack_gold[seat])
    chosen = 0
    if rest:
        for _ in range(as_int64(popcount(gold)) - rest):
            gold &= gold - np.uint64(1)
        chosen = GOLD - as_int64(trailing_zeros(gold))
    return LAY + scale * chosen + digits


@njit_inline
def _proposal_number(game: GameRow, number: int) -> int:
    """Return the action of the proposal with a number from 0, in the order of proposals."""
    ways = ways_to_pay(game)
    to = fields_ahead(game)
    for _ in range(number // ways):
        to &= to - np.uint64(1)
    return PROPOSE + WAYS * as_int64(trailing_zeros(to)) + number % ways


@njit_inline
def is_legal(game: GameRow, action: int) -> bool:
    """Return True if an action, a number from 0, is legal."""
    step = game.step
    if action >= PROPOSE:
        to, way = divmod(action - PROPOSE, WAYS)
        return (
            step == DUE_PROPOSE
            and to < FIELDS
            and ((fields_ahead(game) >> np.uint64(to)) & np.uint64(1)) != 0
            and way < ways_to_pay(game)
        )
    if action >= LAY:
        return (step in (DUE_ACTION, DUE_AGAIN)) and action > LAY and _has(game, action - LAY)
    base, bits = few_moves(game)
    return action >= base and action - base < 64 and ((bits >> np.uint64(action - base)) & np.uint64(1)) != 0


@njit_inline
def _has(game: GameRow, lay: int) -> bool:
    """Return True if the mover has the horseshoes of a lay."""
    seat = mover_of(game)
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        base = 4 if kind % 2 == 0 else 14
        if lay % base > game.rack_silver[seat, kind]:
            return False
        lay //= base
    return lay == 0 or (game.rack_gold[seat] >> (GOLD - lay)) & 1 != 0
