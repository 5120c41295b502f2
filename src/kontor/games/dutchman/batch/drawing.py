"""Outcomes of chance in Der fliegende Holländer as numbered steps: starters, rolls, single shares and horseshoes."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import Bytes, GameRow, Ints
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.chance import happen
from kontor.games.dutchman.batch.goods import horseshoes_in
from kontor.games.dutchman.batch.layout import GOLD, PILE, SILVERS
from kontor.games.dutchman.batch.stepping import (
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
from kontor.games.dutchman.batch.tables import (
    BOX,
    COLOURS,
    DID_SMITH,
    DUE_DEAL,
    DUE_LUCKY,
    DUE_ROLLING,
    DUE_SHARE,
    DUE_SHUFFLE,
    DUE_STARTER,
    HORSESHOES,
)
from kontor.games.dutchman.rules.chance import DICE
from kontor.games.dutchman.rules.components import MOST_PLAYERS, MOST_SILVER, RACK

_ROLLS: Final = [(dice.tens, dice.ones, int(18 * DICE.probability(dice))) for dice, _ in DICE.outcomes()]
_TENS: Final = np.array([tens for tens, _, _ in _ROLLS], np.uint8)
_ONES: Final = np.array([ones for _, ones, _ in _ROLLS], np.uint8)
_LIKELY: Final = np.array([likely for _, _, likely in _ROLLS], np.int32)
_FIRST_ROLL: Final = MOST_PLAYERS
_FIRST_SHARE: Final = _FIRST_ROLL + len(_ROLLS)
_FIRST_SHOE: Final = _FIRST_SHARE + int(COLOURS)
_SHOES: Final = np.array([*range(MOST_SILVER + GOLD, MOST_SILVER, -1), *SILVERS], np.uint8)
"""Horseshoes by their steps: 48, 47 … 21, 20, 10, 2, 1."""
_STEP_OF: Final = np.array(
    [_FIRST_SHOE + _SHOES.tolist().index(shoe) if shoe in _SHOES else 0 for shoe in range(256)], np.int32
)
OUTCOMES: Final = _FIRST_SHOE + len(_SHOES)


@njit_inline
def rolls_dice(game: GameRow) -> bool:
    """Return True if chance rolls the dice next; every roll has the same probabilities."""
    return bool(game.step in (DUE_LUCKY, DUE_ROLLING))


@njit_inline
def _smiths(game: GameRow) -> int:
    """Return how many players have played a Smith card in this round."""
    smiths = as_int64(0)
    for place in range(game.acted):
        smiths += game.actions[place] == DID_SMITH
    return smiths


@njit_inline
def _in_all(game: GameRow) -> int:
    """Return the number of steps of the outcome that is due."""
    players = as_int64(game.players)
    if game.step == DUE_DEAL:
        return COLOURS * (players - 1) + (RACK + 1) * players
    if game.step == DUE_SHARE:
        smiths = _smiths(game)
        return horseshoes_in(game.middle_gold, game.middle_silver) // smiths * smiths
    return as_int64(game.in_pile) if game.step == DUE_SHUFFLE else as_int64(1)


@njit_inline
def fill_urn(game: GameRow, outcome: Bytes, drawn: int, urn: Ints) -> None:
    """Write the weight of each possible next step into ``urn``, after ``drawn`` steps of this outcome.

    The urn is all zeros before; ``outcome`` holds the steps drawn so far.
    """
    step = game.step
    players = as_int64(game.players)
    if rolls_dice(game):
        for roll in range(len(_LIKELY)):
            urn[_FIRST_ROLL + roll] = _LIKELY[roll]
        return
    if step == DUE_STARTER:
        for seat in range(players):
            urn[seat] = 1
        return
    shares = COLOURS * (players - 1)
    if step == DUE_SHUFFLE or (step == DUE_DEAL and drawn < shares):
        if step == DUE_DEAL:
            for colour in range(COLOURS):
                urn[_FIRST_SHARE + colour] = players - 1
        else:
            for place in range(game.in_pile):
                urn[_FIRST_SHARE + as_int64(game.pile[(game.top + place) % PILE])] += 1
        for place in range(drawn):
            urn[_FIRST_SHARE + as_int64(outcome[place])] -= 1
        return
    first = as_int64(0)
    if step == DUE_DEAL:
        first = shares
        for place in range(BOX):
            urn[_STEP_OF[HORSESHOES[place]]] += 1
    else:
        for gold in range(GOLD):
            urn[_FIRST_SHOE + GOLD - 1 - gold] = (game.middle_gold >> gold) & 1
        for kind in range(len(SILVERS)):
            urn[_FIRST_SHOE + GOLD + kind] = game.middle_silver[kind]
    for place in range(first, drawn):
        urn[_STEP_OF[outcome[place]]] -= 1


@njit_inline
def draw_step(game: GameRow, outcome: Bytes, drawn: int, step: int) -> int:
    """Add a step to the outcome of chance, and apply the outcome after its last step.

    Returns how many steps of an unfinished outcome there are: 0 once it is applied.
    """
    if step < _FIRST_ROLL:
        outcome[0] = step
    elif step < _FIRST_SHARE:
        outcome[0] = _TENS[step - _FIRST_ROLL]
        outcome[1] = _ONES[step - _FIRST_ROLL]
    else:
        outcome[drawn] = step - _FIRST_SHARE if step < _FIRST_SHOE else _SHOES[step - _FIRST_SHOE]
        if drawn + 1 < _in_all(game):
            return drawn + 1
        if game.step != DUE_SHUFFLE:
            _tell_rest(game, outcome, drawn + 1)
    happen(game, outcome)
    return as_int64(0)


@njit_inline
def _tell_rest(game: GameRow, outcome: Bytes, drawn: int) -> None:
    """Write the horseshoes that are left over: those out of the game, or those that stay in the middle."""
    urn = np.zeros(OUTCOMES, np.int32)
    fill_urn(game, outcome, drawn, urn)
    for shoe in range(len(_SHOES)):
        for _ in range(urn[_FIRST_SHOE + shoe]):
            outcome[drawn] = _SHOES[shoe]
            drawn += 1


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
