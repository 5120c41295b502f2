"""What the seat to move of Der fliegende Holländer may know, as numbers (``layout.FEATURES``).

This is the one place where kernels look at a game from a seat: own shares and horseshoes, and what lies open.
"""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Reals, Rows
from kontor.batch.compiled import as_int64, njit_inline, trailing_zeros
from kontor.games.dutchman.batch.chance import is_chance
from kontor.games.dutchman.batch.goods import horseshoes_in
from kontor.games.dutchman.batch.layout import FIELDS, NONE, PILE, SEATS
from kontor.games.dutchman.batch.moves import fields_ahead
from kontor.games.dutchman.batch.places import (
    ACCEPTED,
    ACTED,
    ACTIONS,
    ASKED,
    AT_LEAST,
    AT_MOST,
    BARGAINING,
    CAME_FROM,
    CASH_OF,
    CIRCLE,
    COLOURS,
    COUNTER,
    DECIDING,
    DEEDS,
    DUCATS,
    DUTCHMAN,
    GOLD,
    IN_ORDER,
    IN_PILE,
    KNOWN_GOLD,
    KNOWN_SILVER,
    KONTOR_OF,
    LAIN_SEAT,
    LAY_GOLD,
    LAY_SILVER,
    LAYS_SEEN,
    LUCKY,
    MIDDLE_GOLD,
    MIDDLE_KNOWN_GOLD,
    MIDDLE_KNOWN_SILVER,
    MIDDLE_SILVER,
    NAMED,
    NAMES,
    ORDER,
    PILE_OF,
    PLAYERS,
    PROPOSED,
    PROPOSED_TO,
    PUT_BY,
    QUEUE,
    QUEUED,
    RACK_GOLD,
    RACK_SILVER,
    READING,
    ROUND,
    SEES_ACCEPTED,
    SEES_ACTION,
    SEES_AHEAD,
    SEES_AT_LEAST,
    SEES_AT_MOST,
    SEES_CAME_FROM,
    SEES_CASH,
    SEES_CIRCLE,
    SEES_COUNTER,
    SEES_DUCATS,
    SEES_DUTCHMAN,
    SEES_HAND,
    SEES_HORSESHOES,
    SEES_IN_PILE,
    SEES_KNOWN_GOLD,
    SEES_KNOWN_SILVER,
    SEES_KONTOR,
    SEES_LAID,
    SEES_LAY_GOLD,
    SEES_LAY_SILVER,
    SEES_LUCKY,
    SEES_MIDDLE,
    SEES_MIDDLE_GOLD,
    SEES_MIDDLE_SILVER,
    SEES_NAMED,
    SEES_PILE,
    SEES_PLACE,
    SEES_PROPOSED_TO,
    SEES_PROPOSER,
    SEES_PUT_BY,
    SEES_RACK_GOLD,
    SEES_RACK_SILVER,
    SEES_READING,
    SEES_ROUND,
    SEES_SHARES,
    SEES_SMITH,
    SEES_STEP,
    SEES_STONES,
    SEES_TIED,
    SEES_WAITING,
    SHARES_OF,
    SILVERS,
    SMITH_OF,
    STEP,
    STONES,
    TIE,
    TIED,
    TOP,
    WAITING,
)
from kontor.games.dutchman.batch.turns import mover_of


@njit_inline
def see(rows: Rows, game: int, features: Reals) -> None:
    """What the seat to move may know, if there is one."""
    if rows[game, WAITING] and not is_chance(rows, game):
        seat = mover_of(rows, game)
        _see_own(rows, game, seat, features)
        _see_players(rows, game, seat, features)
        _see_table(rows, game, seat, features)
        if rows[game, BARGAINING]:
            _see_bargain(rows, game, seat, features)


@njit_inline
def _side(rows: Rows, game: int, seat: int, of: int) -> int:
    """Where a player sits, counted clockwise from a seat."""
    return as_int64((of - seat + rows[game, PLAYERS]) % rows[game, PLAYERS])


@njit_inline
def _see_heap(rows: Rows, game: int, gold: int, silver: int, features: Reals, see_gold: int, see_silver: int) -> None:
    for horseshoe in range(GOLD):
        features[game, see_gold + horseshoe] = (rows[game, gold] >> horseshoe) & 1
    for kind in range(SILVERS):
        features[game, see_silver + kind] = rows[game, silver + kind]


@njit_inline
def _see_own(rows: Rows, game: int, seat: int, features: Reals) -> None:
    """What the seat alone knows."""
    silver = SILVERS * seat
    _see_heap(rows, game, RACK_GOLD + seat, RACK_SILVER + silver, features, SEES_RACK_GOLD, SEES_RACK_SILVER)
    _see_heap(rows, game, LAY_GOLD + seat, LAY_SILVER + silver, features, SEES_LAY_GOLD, SEES_LAY_SILVER)
    for colour in range(COLOURS):
        features[game, SEES_SHARES + colour] = rows[game, SHARES_OF + COLOURS * seat + colour]
    for place in range(rows[game, IN_PILE]):
        at = (rows[game, TOP] + place) % PILE
        if rows[game, PUT_BY + at] == seat:
            features[game, SEES_PILE + COLOURS * place + rows[game, PILE_OF + at]] = 1


@njit_inline
def _see_players(rows: Rows, game: int, seat: int, features: Reals) -> None:
    """What everybody knows of each player."""
    for of in range(rows[game, PLAYERS]):
        side = _side(rows, game, seat, of)
        features[game, SEES_CASH + side] = rows[game, CASH_OF + of]
        features[game, SEES_KONTOR + side] = rows[game, KONTOR_OF + of]
        features[game, SEES_SMITH + side] = rows[game, SMITH_OF + of]
        features[game, SEES_HORSESHOES + side] = horseshoes_in(rows, game, RACK_GOLD + of, RACK_SILVER + SILVERS * of)
        features[game, SEES_LAID + side] = horseshoes_in(rows, game, LAY_GOLD + of, LAY_SILVER + SILVERS * of)
        for colour in range(COLOURS):
            features[game, SEES_HAND + side] += rows[game, SHARES_OF + COLOURS * of + colour]
            features[game, SEES_AT_LEAST + COLOURS * side + colour] = rows[game, AT_LEAST + COLOURS * of + colour]
            features[game, SEES_AT_MOST + COLOURS * side + colour] = rows[game, AT_MOST + COLOURS * of + colour]
        see_silver = SEES_KNOWN_SILVER + SILVERS * side
        see_gold = SEES_KNOWN_GOLD + GOLD * side
        _see_heap(rows, game, KNOWN_GOLD + of, KNOWN_SILVER + SILVERS * of, features, see_gold, see_silver)
    for place in range(rows[game, IN_ORDER]):
        side = _side(rows, game, seat, rows[game, ORDER + place])
        features[game, SEES_PLACE + side] = place + 1
        if place < rows[game, ACTED]:
            features[game, SEES_ACTION + DEEDS * side + rows[game, ACTIONS + place]] = 1
    for place in range(rows[game, QUEUED] - rows[game, WAITING], rows[game, QUEUED]):
        features[game, SEES_WAITING + _side(rows, game, seat, rows[game, QUEUE + place])] = 1
    for lay in range(rows[game, LAYS_SEEN]):
        features[game, SEES_READING + _side(rows, game, seat, rows[game, LAIN_SEAT + lay])] = rows[
            game, READING + lay
        ]


@njit_inline
def _see_table(rows: Rows, game: int, seat: int, features: Reals) -> None:
    """What lies on the table."""
    features[game, SEES_STEP + DECIDING[rows[game, STEP]]] = 1
    features[game, SEES_ROUND] = rows[game, ROUND]
    features[game, SEES_LUCKY] = rows[game, LUCKY]
    features[game, SEES_DUTCHMAN + rows[game, DUTCHMAN]] = 1
    if rows[game, CAME_FROM] != NONE:
        features[game, SEES_CAME_FROM + rows[game, CAME_FROM]] = 1
    ahead = fields_ahead(rows, game)
    while ahead:
        features[game, SEES_AHEAD + as_int64(trailing_zeros(ahead))] = 1
        ahead &= ahead - np.uint64(1)
    for colour in range(COLOURS):
        features[game, SEES_STONES + colour] = rows[game, STONES + colour]
    features[game, SEES_COUNTER] = rows[game, COUNTER]
    features[game, SEES_IN_PILE] = rows[game, IN_PILE]
    for place in range(rows[game, IN_PILE]):
        by = rows[game, PUT_BY + (rows[game, TOP] + place) % PILE]
        if by != NONE:
            features[game, SEES_PUT_BY + SEATS * place + _side(rows, game, seat, by)] = 1
    features[game, SEES_MIDDLE] = horseshoes_in(rows, game, MIDDLE_GOLD, MIDDLE_SILVER)
    _see_heap(rows, game, MIDDLE_KNOWN_GOLD, MIDDLE_KNOWN_SILVER, features, SEES_MIDDLE_GOLD, SEES_MIDDLE_SILVER)


@njit_inline
def _see_bargain(rows: Rows, game: int, seat: int, features: Reals) -> None:
    """What has been said by the tied players (H9)."""
    tie = rows[game, TIE]
    asked = rows[game, ASKED]
    features[game, SEES_CIRCLE] = rows[game, CIRCLE]
    for place in range(tie):
        side = _side(rows, game, seat, rows[game, TIED + place])
        features[game, SEES_TIED + side] = 1
        if place < rows[game, NAMES]:
            features[game, SEES_NAMED + FIELDS * side + rows[game, NAMED + place]] = 1
        if place == asked:
            features[game, SEES_PROPOSER + side] = 1
        if rows[game, PROPOSED]:
            features[game, SEES_DUCATS + side] = rows[game, DUCATS + place]
            features[game, SEES_ACCEPTED + side] = 0 < (place - asked + tie) % tie <= rows[game, ACCEPTED]
    if rows[game, PROPOSED]:
        features[game, SEES_PROPOSED_TO + rows[game, PROPOSED_TO]] = 1
