"""Chance in Shanghaien by numbered steps: the two starters, the 21 rolls, and the cards of a row one by one."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import Bytes, GameRow, Ints
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.shanghaien.batch.rules import happen
from kontor.games.shanghaien.batch.stepping import (
    is_chance,
    is_over,
    is_step,
    look_from,
    mark_steps,
    mover_of,
    rewards_of,
    score_of,
    take_step,
)
from kontor.games.shanghaien.batch.tables import DUE_REROLL, DUE_ROLL, DUE_ROW
from kontor.games.shanghaien.rules.components import ROW
from kontor.games.shanghaien.rules.numbering import CARDS

_ROLLS: Final = [(low, high) for low in range(1, ROW + 1) for high in range(low, ROW + 1)]
_LOW: Final = np.array([low for low, _ in _ROLLS], np.uint8)
_HIGH: Final = np.array([high for _, high in _ROLLS], np.uint8)
_FIRST_ROLL: Final = 2
_FIRST_CARD: Final = _FIRST_ROLL + len(_ROLLS)
OUTCOMES: Final = _FIRST_CARD + len(CARDS)


@njit_inline
def rolls_dice(game: GameRow) -> bool:
    """Return True if chance rolls the dice, always with the same chances."""
    return bool(game.step in (DUE_ROLL, DUE_REROLL))


@njit_inline
def fill_urn(game: GameRow, outcome: Bytes, drawn: int, urn: Ints) -> None:
    """Add the weight of each step to ``urn``, after ``drawn`` cards have been drawn."""
    if game.step == DUE_ROW:
        for place in range(game.left):
            urn[_FIRST_CARD + as_int64(game.pile[place])] += 1
        for place in range(drawn):
            urn[_FIRST_CARD + as_int64(outcome[place])] -= 1
    elif rolls_dice(game):
        for roll in range(len(_LOW)):
            urn[_FIRST_ROLL + roll] = 1 if _LOW[roll] == _HIGH[roll] else 2
    else:
        urn[0] = 1
        urn[1] = 1


@njit_inline
def draw_step(game: GameRow, outcome: Bytes, drawn: int, step: int) -> int:
    """Take a step of chance; the last card makes the row. Return the number of cards drawn then."""
    if game.step == DUE_ROW:
        outcome[drawn] = step - _FIRST_CARD
        if drawn + 1 < ROW:
            return drawn + 1
    elif step < _FIRST_ROLL:
        outcome[0] = step
    else:
        outcome[0] = _LOW[step - _FIRST_ROLL]
        outcome[1] = _HIGH[step - _FIRST_ROLL]
    happen(game, outcome)
    return as_int64(0)


__all__ = [
    "draw_step",
    "fill_urn",
    "is_chance",
    "is_over",
    "is_step",
    "look_from",
    "mark_steps",
    "mover_of",
    "rewards_of",
    "rolls_dice",
    "score_of",
    "take_step",
]
