"""Where in a row everything stands, and what kernels look up in tables."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.compiled import int64_constant
from kontor.games.shanghaien.batch import layout
from kontor.games.shanghaien.batch.layout import (
    BOTH,
    FEATURES,
    LAYOUT,
    LEFT,
    NUDGE,
    OPTIONS,
    PLACE,
    REROLL,
    ROLL,
    SHANGHAI,
)
from kontor.games.shanghaien.rules.components import ROW

(
    DUE_STARTER, DUE_ROW, DUE_TURN, DUE_ROLL, DUE_REROLL, DUE_PLACE, DUE_BOTH, DUE_OVER,
) = map(int64_constant, range(len(layout.STEPS)))  # fmt: skip

STEP: Final = int64_constant(LAYOUT.at("step"))
TURN: Final = int64_constant(LAYOUT.at("turn"))
LOW: Final = int64_constant(LAYOUT.at("roll"))
HIGH: Final = int64_constant(LOW + 1)
SPENT: Final = int64_constant(LAYOUT.at("spent"))
ONE_AT: Final = int64_constant(LAYOUT.at("one_at"))
ROUND: Final = int64_constant(LAYOUT.at("round"))
STARTER: Final = int64_constant(LAYOUT.at("starter"))
CARDS: Final = int64_constant(LAYOUT.at("row"))
PLACED: Final = int64_constant(LAYOUT.at("placed"))
DICE: Final = int64_constant(LAYOUT.at("dice"))
TRICKS: Final = int64_constant(LAYOUT.at("tricks"))
NATIONS: Final = int64_constant(LAYOUT.at("nations"))
STRENGTH: Final = int64_constant(LAYOUT.at("strength"))
IN_PILE: Final = int64_constant(LAYOUT.at("left"))
PILE: Final = int64_constant(LAYOUT.at("pile"))
RECRUITS: Final = int64_constant(LAYOUT.at("recruits"))
SAILORS: Final = int64_constant(LAYOUT.at("sailors"))
LAID: Final = int64_constant(LAYOUT.at("laid"))
JOKERS: Final = int64_constant(LAYOUT.at("jokers"))
LEFT_GAME: Final = int64_constant(LAYOUT.at("left_game"))
GONE: Final = int64_constant(LAYOUT.at("gone"))
AWARD_CARD: Final = int64_constant(LAYOUT.at("award_card"))
AWARD_DICE: Final = int64_constant(LAYOUT.at("award_dice"))
AWARD_PIPS: Final = int64_constant(LAYOUT.at("award_pips"))
AWARD_TAKER: Final = int64_constant(LAYOUT.at("award_taker"))
AWARD_ONE_AT: Final = int64_constant(LAYOUT.at("award_one_at"))

WIDTH: Final = int64_constant(LAYOUT.width)
DECK: Final = int64_constant(layout.DECK)
KINDS: Final = int64_constant(3)
CREWS: Final = int64_constant(8)
MOST_SAILORS: Final = int64_constant(layout.MOST_SAILORS)
MOST_TRICKS: Final = int64_constant(layout.MOST_TRICKS)
FIRST_TRICK_CARD: Final = layout.CARDS.index("nudge")
SAILOR_VALUES: Final = int64_constant(layout.VALUES)

OPTION_STARTER: Final = int64_constant(OPTIONS.at("starter"))
OPTION_FIRST_TRICK: Final = int64_constant(OPTIONS.at("first_trick"))
OPTION_DECK: Final = int64_constant(OPTIONS.at("deck"))

CARD_KINDS: Final = int64_constant(len(layout.CARDS))
SEES_STEP: Final = int64_constant(FEATURES.at("step"))
SEES_ROLL: Final = int64_constant(FEATURES.at("roll"))
SEES_ONE_AT: Final = int64_constant(FEATURES.at("one_at"))
SEES_ROUND: Final = int64_constant(FEATURES.at("round"))
SEES_STARTER: Final = int64_constant(FEATURES.at("starter"))
SEES_SPENT: Final = int64_constant(FEATURES.at("spent"))
SEES_PLACED: Final = int64_constant(FEATURES.at("placed"))
SEES_TRICKS: Final = int64_constant(FEATURES.at("tricks"))
SEES_STRENGTH: Final = int64_constant(FEATURES.at("strength"))
SEES_ROW: Final = int64_constant(FEATURES.at("row"))
SEES_TO_COME: Final = int64_constant(FEATURES.at("to_come"))

_PAIRS: Final = [(low, high) for low in range(ROW + 1) for high in range(ROW + 2)]


def _bits(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def _nudges(die: int) -> set[int]:
    return {NUDGE + 2 * (die - 1) - 1 + up for up in (0, 1) if 1 <= die + 2 * up - 1 <= ROW}


TURNS: Final = np.array(
    [_bits({ROLL})] * 2 + [_bits({ROLL, SHANGHAI})] * (ROW - 3) + [_bits({SHANGHAI})] * 2, np.uint64
)
"""What may be done in a turn, by the own dice placed (S4, S5)."""
ENDS: Final = np.uint64(_bits({LEFT, LEFT + 1}))
PLACES: Final = np.array(
    [_bits({PLACE + low - 1, PLACE + high - 1}) if low else 0 for low, high in _PAIRS], np.uint64
)
"""Which dice may be placed, by ``8 × lower + higher`` (S6)."""
NUDGES: Final = np.array(
    [_bits(_nudges(low) | _nudges(high)) if low and high <= ROW else 0 for low, high in _PAIRS], np.uint64
)
"""What *nudge* may do (S8b)."""
FROM: Final = np.array([die for die in range(1, ROW + 1) for to in (die - 1, die + 1) if 1 <= to <= ROW], np.uint8)
TO: Final = np.array([to for die in range(1, ROW + 1) for to in (die - 1, die + 1) if 1 <= to <= ROW], np.uint8)
"""The die that is changed, and what it becomes, by the number of the nudge."""
BOTH_BIT: Final = np.uint64(1 << BOTH)
REROLL_BIT: Final = np.uint64(1 << REROLL)
NO_BITS: Final = np.uint64(0)
