"""The legal moves and their numbers: the actions of ``layout``."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Rows
from kontor.batch.compiled import as_int64, njit_inline, popcount, trailing_zeros
from kontor.games.dutchman.batch.goods import golden, horseshoes_in
from kontor.games.dutchman.batch.layout import (
    ACCEPT,
    DECLINE,
    FIELDS,
    KEEP,
    KONTOR,
    LAY,
    NAME,
    NONE,
    PASS,
    PROPOSE,
    PUT,
    SAIL,
    SHOW,
    SMITH,
    WAYS,
    WITHHOLD,
)
from kontor.games.dutchman.batch.payments import ways_to_pay
from kontor.games.dutchman.batch.places import (
    CAME_FROM,
    COLOURS,
    DUE_ACTION,
    DUE_AGAIN,
    DUE_ANSWER,
    DUE_NAME,
    DUE_PROPOSE,
    DUE_PUT,
    DUE_SAIL,
    DUE_SHOW,
    DUTCHMAN,
    GOLD,
    KONTOR_OF,
    PAIR_ONE,
    PAIR_OTHER,
    PAIRS,
    RACK_GOLD,
    RACK_SILVER,
    SHARES_OF,
    SILVERS,
    SMITH_OF,
    STEP,
    WAYS_FROM,
)
from kontor.games.dutchman.batch.turns import mover_of
from kontor.games.dutchman.rules.components import FEW


@njit_inline
def fields_ahead(rows: Rows, game: int) -> np.uint64:
    """Where the Dutchman may sail: a bit for each field (H8)."""
    bits = rows[game, WAYS_FROM + rows[game, DUTCHMAN]]
    back = rows[game, CAME_FROM]
    if back != NONE:
        bits &= ~(1 << back)
    return np.uint64(bits)


@njit_inline
def few_moves(rows: Rows, game: int) -> tuple[int, np.uint64]:
    """The legal moves but for lays and proposals: the first number of their kind, and bits from there."""
    step = rows[game, STEP]
    if step == DUE_ACTION:
        seat = mover_of(rows, game)
        bits = (rows[game, KONTOR_OF + seat] > 0) << KONTOR | (rows[game, SMITH_OF + seat] > 0) << SMITH
        if horseshoes_in(rows, game, RACK_GOLD + seat, RACK_SILVER + SILVERS * seat) < FEW:
            bits |= 1 << PASS
        return 0, np.uint64(bits)
    if step == DUE_PUT:
        shares = SHARES_OF + COLOURS * mover_of(rows, game)
        bits = 0
        for pair in range(PAIRS):
            one = rows[game, shares + PAIR_ONE[pair]]
            other = rows[game, shares + PAIR_OTHER[pair]]
            if one and other and (one > 1 or PAIR_ONE[pair] != PAIR_OTHER[pair]):
                bits |= 1 << pair
        return PUT, np.uint64(bits)
    if step == DUE_SAIL:
        return SAIL, fields_ahead(rows, game)
    if step == DUE_NAME:
        return NAME, fields_ahead(rows, game)
    if step == DUE_PROPOSE:
        return 0, np.uint64(1 << WITHHOLD)
    if step == DUE_ANSWER:
        return 0, np.uint64(1 << ACCEPT | 1 << DECLINE)
    if step == DUE_AGAIN:
        return 0, np.uint64(1 << PASS)
    if step == DUE_SHOW:
        shares = SHARES_OF + COLOURS * mover_of(rows, game)
        bits = 1 << KEEP
        for colour in range(COLOURS):
            if rows[game, shares + colour]:
                bits |= 1 << (SHOW + colour)
        return 0, np.uint64(bits)
    return 0, np.uint64(0)


@njit_inline
def many_moves(rows: Rows, game: int) -> int:
    """How many lays or proposals there are."""
    step = rows[game, STEP]
    if step in (DUE_ACTION, DUE_AGAIN):
        return _lay_count(rows, game, mover_of(rows, game))
    if step == DUE_PROPOSE:
        return as_int64(popcount(fields_ahead(rows, game))) * ways_to_pay(rows, game)
    return 0


@njit_inline
def _lay_count(rows: Rows, game: int, seat: int) -> int:
    """How many different lays there are (H6c)."""
    many = as_int64(golden(rows[game, RACK_GOLD + seat])) + 1
    for kind in range(SILVERS):
        many *= rows[game, RACK_SILVER + SILVERS * seat + kind] + 1
    return many - 1


@njit_inline
def nth_move(rows: Rows, game: int, number: int) -> int:
    """The legal action with a number from 0."""
    base, bits = few_moves(rows, game)
    few = as_int64(popcount(bits))
    if number >= few:
        if rows[game, STEP] == DUE_PROPOSE:
            return _proposal_number(rows, game, number - few)
        return _lay_number(rows, game, number - few)
    for _ in range(number):
        bits &= bits - np.uint64(1)
    return base + as_int64(trailing_zeros(bits))


@njit_inline
def _lay_number(rows: Rows, game: int, number: int) -> int:
    """The action of the lay with a number from 0, in their order."""
    seat = mover_of(rows, game)
    silver = RACK_SILVER + SILVERS * seat
    rest = number + 1
    digits = 0
    scale = 1
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        there = rows[game, silver + kind] + 1
        digits += scale * (rest % there)
        rest //= there
        scale *= 4 if kind % 2 == 0 else 14
    gold = np.uint64(rows[game, RACK_GOLD + seat])
    chosen = 0
    if rest:
        for _ in range(as_int64(popcount(gold)) - rest):
            gold &= gold - np.uint64(1)
        chosen = GOLD - as_int64(trailing_zeros(gold))
    return LAY + scale * chosen + digits


@njit_inline
def _proposal_number(rows: Rows, game: int, number: int) -> int:
    """The action of the proposal with a number from 0, in their order."""
    ways = ways_to_pay(rows, game)
    to = fields_ahead(rows, game)
    for _ in range(number // ways):
        to &= to - np.uint64(1)
    return PROPOSE + WAYS * as_int64(trailing_zeros(to)) + number % ways


@njit_inline
def is_legal(rows: Rows, game: int, action: int) -> bool:
    """Whether an action with a number from 0 is legal."""
    step = rows[game, STEP]
    if action >= PROPOSE:
        to, way = divmod(action - PROPOSE, WAYS)
        return (
            step == DUE_PROPOSE
            and to < FIELDS
            and ((fields_ahead(rows, game) >> np.uint64(to)) & np.uint64(1)) != 0
            and way < ways_to_pay(rows, game)
        )
    if action >= LAY:
        return (step in (DUE_ACTION, DUE_AGAIN)) and action > LAY and _has(rows, game, action - LAY)
    base, bits = few_moves(rows, game)
    return action >= base and action - base < 64 and ((bits >> np.uint64(action - base)) & np.uint64(1)) != 0


@njit_inline
def _has(rows: Rows, game: int, lay: int) -> bool:
    """Whether the mover has the horseshoes of a lay."""
    seat = mover_of(rows, game)
    for back in range(SILVERS):
        kind = SILVERS - 1 - back
        base = 4 if kind % 2 == 0 else 14
        if lay % base > rows[game, RACK_SILVER + SILVERS * seat + kind]:
            return False
        lay //= base
    return lay == 0 or (rows[game, RACK_GOLD + seat] >> (GOLD - lay)) & 1 != 0
