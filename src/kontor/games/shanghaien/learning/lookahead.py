"""Rounds of Shanghaien valued over two rounds: their ends are worth the next round, solved over some of the rows that
may be laid for it, with the learned values only at its ends.

Whatever becomes of the cards of a row, those still to come are the same (S3). So the same rows are laid after each
way to deal it out, and what two ways differ by has little of these rows' luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from kontor.game import CHANCE
from kontor.games.shanghaien.learning.many import of_rows
from kontor.games.shanghaien.players.ends import TAKERS, ends
from kontor.games.shanghaien.players.round import NOTHING, WAYS, Ends
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS, Card, is_sailor
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Row, State

ENDERS = (0, 1)
TOGETHER = 27
"""Ways whose next rounds are solved at a time."""


def next_rows(laid: State, count: int, random: Random) -> list[Row]:
    """Rows that may be laid in the next round, drawn as the game draws them."""
    chance = SHANGHAIEN.chance(_after(laid, laid.crews))
    return [chance.draw(random.randrange) for _ in range(count)]


def over_two_rounds(laid: State, rows: Sequence[Row]) -> NDArray[np.float32]:
    """What the ends of a round are worth to seat 0 with each of the next rows, [rows, 2, 729]: by row, by who ends
    the round, and by way, as :class:`Ends` numbers them. Raises ValueError where there is no next round, and unless
    the round begins with no trick in hand and none in its row: then nobody holds one when the next begins."""
    if laid.round == ROUNDS or any(crew.tricks for crew in laid.crews) or not all(map(is_sailor, laid.row)):
        raise ValueError("This is no start of a round before the last without tricks.")
    worth = np.empty((len(rows), len(ENDERS), WAYS), np.float32)
    for first in range(0, WAYS, TOGETHER):
        some = range(first, min(first + TOGETHER, WAYS))
        tables = [_after(laid, _dealt(laid, TAKERS[way])) for way in some]
        ended = [ends(SHANGHAIEN.view(SHANGHAIEN.play(table, row), None)) for row in rows for table in tables]
        for ender in ENDERS:
            found = of_rows(ended, 1 - ender)  # the other starts (S10)
            worth[:, ender, first : first + len(some)] = found.reshape(len(rows), len(some))
    return worth


def mean_ends(worth: NDArray[np.float32]) -> Ends:
    """The ends that are worth the mean over these rows."""
    return Ends(((NOTHING,), (NOTHING,)), worth.mean(axis=0)[None, None])


def _after(laid: State, crews: tuple[Crew, Crew]) -> State:
    """The next round, before its row is laid, with these crews. Who starts it, ``ends`` does not ask."""
    return replace(laid, mover=CHANCE, step="row", round=laid.round + 1, row=(), crews=crews, turn=0, starter=0)


def _dealt(laid: State, takers: NDArray[Any]) -> tuple[Crew, Crew]:
    """The crews when each card of the row has gone to its taker, or to nobody (−1)."""
    first, second = (
        _joined(crew, [card for card, taker in zip(laid.row, takers, strict=True) if taker == seat])
        for seat, crew in enumerate(laid.crews)
    )
    return first, second


def _joined(crew: Crew, cards: Sequence[Card]) -> Crew:
    return replace(crew, sailors=(*crew.sailors, *filter(is_sailor, cards)))
