"""Horseshoes and shares that move from one place to another."""

from __future__ import annotations

import numpy as np

from kontor.batch.arrays import GameRow, Ints
from kontor.batch.compiled import as_int64, njit_inline, popcount
from kontor.games.dutchman.batch.layout import PILE
from kontor.games.dutchman.batch.tables import KINDS, SILVERS


@njit_inline
def golden(bits: int) -> int:
    """Return the number of golden horseshoes in ``bits``."""
    return as_int64(popcount(np.uint64(bits)))


@njit_inline
def horseshoes_in(gold: int, silver: Ints) -> int:
    """Return the number of horseshoes in a heap of golden and silver ones."""
    many = golden(gold)
    for kind in range(SILVERS):
        many += silver[kind]
    return many


@njit_inline
def pour_silver(silver: Ints, to: Ints) -> None:
    """Move all silver horseshoes from one heap to another."""
    for kind in range(SILVERS):
        to[kind] += silver[kind]
        silver[kind] = 0


@njit_inline
def add(horseshoe: int, silver: Ints) -> int:
    """Add a silver horseshoe to a heap; return the bit of a golden one, or 0.

    The horseshoe is given by its number. The caller adds the bit of a golden one.
    """
    kind = KINDS[horseshoe]
    if kind >= SILVERS:
        return as_int64(1 << (kind - SILVERS))
    silver[kind] += 1
    return as_int64(0)


@njit_inline
def put_under(game: GameRow, seat: int, colour: int, by: int) -> None:
    """Put a share of a seat under the Kontor pile.

    Everybody remembers ``by`` as the seat that put it there; NONE if they do not know it.
    """
    place = (game.top + game.in_pile) % PILE
    game.shares[seat, colour] -= 1
    game.pile[place] = colour
    game.put_by[place] = by
    game.in_pile += 1
