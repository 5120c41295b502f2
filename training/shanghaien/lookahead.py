"""Rounds of Shanghaien valued over two rounds, with the learned values only at the end of the second.

The ends of a round get the value of the next round, solved over some of the rows that may be laid for it. However the
cards of a row are dealt out, those still to come are the same (S3). So the same rows are laid after each way, and the
difference of two ways has little of these rows' luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.round import NOTHING, WAYS, Ends
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS, is_sailor
from kontor.games.shanghaien.rules.state import Row, State
from training.shanghaien.gold import next_round
from training.shanghaien.many import of_rows

ENDERS: Final = (0, 1)
TOGETHER: Final = 27
"""The number of ways whose next rounds are solved at a time."""


def next_rows(laid: State, count: int, random: Random) -> list[Row]:
    """Draw rows that may be laid in the next round, as the game draws them."""
    chance = SHANGHAIEN.chance(next_round(laid, 0))
    return [chance.draw(random.randrange) for _ in range(count)]


def over_two_rounds(laid: State, rows: Sequence[Row]) -> NDArray[np.float32]:
    """Return the values of a round's ends to seat 0 with each of the next rows, [rows, 2, 729].

    The axes are the row, the seat that ends the round, and the way, as :class:`Ends` numbers them. Raises ValueError
    where there is no next round, and unless the round begins with no trick in hand and none in its row: then nobody
    holds one when the next begins.
    """
    if laid.round == ROUNDS or any(crew.tricks for crew in laid.crews) or not all(map(is_sailor, laid.row)):
        raise ValueError("This is no start of a round before the last without tricks.")
    worth = np.empty((len(rows), len(ENDERS), WAYS), np.float32)
    for first in range(0, WAYS, TOGETHER):
        some = range(first, min(first + TOGETHER, WAYS))
        tables = [next_round(laid, way) for way in some]
        ended = [ends(SHANGHAIEN.view(SHANGHAIEN.play(table, row), None)) for row in rows for table in tables]
        for ender in ENDERS:
            values = of_rows(ended, 1 - ender)  # the other starts (S10)
            worth[:, ender, first : first + len(some)] = values.reshape(len(rows), len(some))
    return worth


def mean_ends(worth: NDArray[np.float32]) -> Ends:
    """Return the ends with the mean value over these rows."""
    return Ends(((NOTHING,), (NOTHING,)), worth.mean(axis=0)[None, None])
