"""Shanghaien by numbered steps, for learners: each move is one step, and has the number of its action.

An observation has the pieces of ``docs/observations.csv``, one after the other.
"""

from __future__ import annotations

from typing import Any, Final

from kontor.batch.arrays import Flags, GameRow, LuckRow, Numbers, Reals
from kontor.batch.compiled import as_int64, njit_inline, random_set_bit
from kontor.games.shanghaien.batch.layout import NONE, STEPS
from kontor.games.shanghaien.batch.rules import (
    act,
    chance_acts,
    is_chance,
    is_legal,
    is_over,
    legal_bits,
    mark_legal,
    mover_of,
    score_of,
)
from kontor.games.shanghaien.batch.tables import CREWS, KINDS
from kontor.games.shanghaien.rules.components import ROW
from kontor.games.shanghaien.rules.numbering import CARDS, MOVES

_CARDS: Final = len(CARDS)
_DUE: Final = len(STEPS)
_ENDS: Final = 3

_TURN: Final = _DUE
_ROLL: Final = _TURN + 2
_ONE_AT: Final = _ROLL + ROW
_ROUND: Final = _ONE_AT + _ENDS
_STARTER: Final = _ROUND + 1
_SPENT: Final = _STARTER + 2
_PLACED: Final = _SPENT + 2
_TRICKS: Final = _PLACED + 2 * ROW
_STRENGTH: Final = _TRICKS + 2 * int(KINDS)
_ROW: Final = _STRENGTH + 2 * int(CREWS)
_TO_COME: Final = _ROW + ROW * _CARDS
_WIDTH: Final = _TO_COME + _CARDS


def steps(_options: Any) -> int:
    """Return the number of different steps."""
    return len(MOVES)


def width(_options: Any) -> int:
    """Return the length of an observation."""
    return _WIDTH


@njit_inline
def mark_steps(game: GameRow, _begun: GameRow, mask: Numbers) -> None:
    """Mark the legal steps in ``mask``."""
    mark_legal(game, mask)


@njit_inline
def is_step(game: GameRow, _begun: GameRow, step: int) -> bool:
    """Return True if a step is legal."""
    return step >= 0 and is_legal(game, step)


@njit_inline
def take_step(game: GameRow, _begun: GameRow, step: int) -> None:
    """Take a legal step of the mover."""
    act(game, step)


@njit_inline
def act_at_random(game: GameRow, luck: LuckRow) -> None:
    """Make a random legal move of the mover, all moves equally likely."""
    act(game, random_set_bit(luck, legal_bits(game)))


@njit_inline
def rewards_of(winners: Flags, rewards: Numbers) -> None:
    """Write the rewards: 1 for the victory, −1 for the defeat, 0 for a draw (S12)."""
    for seat in range(2):
        rewards[seat] = as_int64(winners[seat]) - as_int64(winners[1 - seat])


@njit_inline
def look_from(game: GameRow, _begun: GameRow, seat: int, seen: Reals) -> None:
    """Write the observation of a seat to ``seen``, which is all zeros before; nothing is hidden."""
    seen[as_int64(game.step)] = 1
    seen[_TURN + (as_int64(game.turn) ^ seat)] = 1
    if game.roll[0]:
        seen[_ROLL - 1 + as_int64(game.roll[0])] += 1
        seen[_ROLL - 1 + as_int64(game.roll[1])] += 1
    seen[_ONE_AT + as_int64(game.one_at)] = 1
    seen[_ROUND] = game.round
    if game.starter != NONE:
        seen[_STARTER + (as_int64(game.starter) ^ seat)] = 1
    for side in range(2):
        who = seat ^ side
        seen[_SPENT + side] = game.spent[who]
        for at in range(ROW):
            seen[_PLACED + side * ROW + at] = game.placed[who, at]
        for kind in range(KINDS):
            seen[_TRICKS + side * KINDS + kind] = game.tricks[who, kind]
        for nation in range(CREWS):
            seen[_STRENGTH + side * CREWS + nation] = game.strength[who, nation]
    for at in range(ROW):
        if game.row[at] != NONE:
            seen[_ROW + at * _CARDS + as_int64(game.row[at])] = 1
    for place in range(game.left):
        seen[_TO_COME + as_int64(game.pile[place])] += 1


__all__ = [
    "act_at_random",
    "chance_acts",
    "is_chance",
    "is_over",
    "is_step",
    "look_from",
    "mark_steps",
    "mover_of",
    "rewards_of",
    "score_of",
    "steps",
    "take_step",
    "width",
]
