"""Horseshoes and shares that go from one place to another."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import GameRow, Ints
from kontor.batch.compiled import as_int64, njit_inline, popcount
from kontor.games.dutchman.batch.layout import PILE
from kontor.games.dutchman.batch.tables import (
    KINDS,
    SILVERS,
)


@njit_inline
def golden(bits: int) -> int:
    """How many golden horseshoes these are."""
    return as_int64(popcount(np.uint64(bits)))


@njit_inline
def horseshoes_in(gold: int, silver: Ints) -> int:
    """How many horseshoes lie together."""
    many = golden(gold)
    for kind in range(SILVERS):
        many += silver[kind]
    return many


@njit_inline
def pour_silver(silver: Ints, to: Ints) -> None:
    """Silver horseshoes go to others, and none stay."""
    for kind in range(SILVERS):
        to[kind] += silver[kind]
        silver[kind] = 0


@njit_inline
def add(horseshoe: int, silver: Ints) -> int:
    """A horseshoe, by its number, goes to silver ones; the bit of a golden one goes to whoever calls, or 0."""
    kind = KINDS[horseshoe]
    if kind >= SILVERS:
        return as_int64(1 << (kind - SILVERS))
    silver[kind] += 1
    return as_int64(0)


@njit_inline
def put_under(game: GameRow, seat: int, colour: int, by: int) -> None:
    """A share goes under the Kontor pile; ``by`` is what all keep in mind of who put it there: a seat, or NONE."""
    place = (game.top + game.in_pile) % PILE
    game.shares[seat, colour] -= 1
    game.pile[place] = colour
    game.put_by[place] = by
    game.in_pile += 1
