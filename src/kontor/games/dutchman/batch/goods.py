"""Horseshoes and shares that go from one place to another."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import Rows
from kontor.batch.compiled import as_int64, njit_inline, popcount
from kontor.games.dutchman.batch.layout import PILE
from kontor.games.dutchman.batch.places import (
    COLOURS,
    IN_PILE,
    KINDS,
    PILE_OF,
    PUT_BY,
    SHARES_OF,
    SILVERS,
    TOP,
)


@njit_inline
def golden(bits: int) -> int:
    """How many golden horseshoes these are."""
    return as_int64(popcount(np.uint64(bits)))


@njit_inline
def horseshoes_in(rows: Rows, game: int, gold: int, silver: int) -> int:
    """How many horseshoes lie together."""
    many = as_int64(golden(rows[game, gold]))
    for kind in range(SILVERS):
        many += rows[game, silver + kind]
    return many


@njit_inline
def pour(rows: Rows, game: int, gold: int, silver: int, to_gold: int, to_silver: int) -> None:
    """Horseshoes go to others, and none stay."""
    rows[game, to_gold] |= rows[game, gold]
    rows[game, gold] = 0
    for kind in range(SILVERS):
        rows[game, to_silver + kind] += rows[game, silver + kind]
        rows[game, silver + kind] = 0


@njit_inline
def add(rows: Rows, game: int, gold: int, silver: int, horseshoe: int) -> None:
    """A horseshoe, by its number, goes to others."""
    kind = KINDS[horseshoe]
    if kind < SILVERS:
        rows[game, silver + kind] += 1
    else:
        rows[game, gold] |= 1 << (kind - SILVERS)


@njit_inline
def put_under(rows: Rows, game: int, seat: int, colour: int, by: int) -> None:
    """A share goes under the Kontor pile; ``by`` is what all keep in mind of who put it there: a seat, or NONE."""
    place = (rows[game, TOP] + rows[game, IN_PILE]) % PILE
    rows[game, SHARES_OF + COLOURS * seat + colour] -= 1
    rows[game, PILE_OF + place] = colour
    rows[game, PUT_BY + place] = by
    rows[game, IN_PILE] += 1
