"""Where in a row everything stands, and what kernels look up in tables."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.compiled import fixed
from kontor.batch.shanghaien import layout
from kontor.batch.shanghaien.layout import BOTH, FEATURES, LAYOUT, LEFT, NUDGE, OPTIONS, PLACE, REROLL, ROLL, SHANGHAI
from kontor.shanghaien.components import ROW

(
    DUE_STARTER, DUE_ROW, DUE_TURN, DUE_ROLL, DUE_REROLL, DUE_PLACE, DUE_BOTH, DUE_OVER,
) = map(fixed, range(len(layout.STEPS)))  # fmt: skip

STEP: Final = fixed(LAYOUT.at("step"))
TURN: Final = fixed(LAYOUT.at("turn"))
LOW: Final = fixed(LAYOUT.at("roll"))
HIGH: Final = fixed(LOW + 1)
SPENT: Final = fixed(LAYOUT.at("spent"))
ONE_AT: Final = fixed(LAYOUT.at("one_at"))
ROUND: Final = fixed(LAYOUT.at("round"))
STARTER: Final = fixed(LAYOUT.at("starter"))
CARDS: Final = fixed(LAYOUT.at("row"))
PLACED: Final = fixed(LAYOUT.at("placed"))
DICE: Final = fixed(LAYOUT.at("dice"))
TRICKS: Final = fixed(LAYOUT.at("tricks"))
NATIONS: Final = fixed(LAYOUT.at("nations"))
STRENGTH: Final = fixed(LAYOUT.at("strength"))
IN_PILE: Final = fixed(LAYOUT.at("left"))
PILE: Final = fixed(LAYOUT.at("pile"))
RECRUITS: Final = fixed(LAYOUT.at("recruits"))
SAILORS: Final = fixed(LAYOUT.at("sailors"))
LAID: Final = fixed(LAYOUT.at("laid"))
JOKERS: Final = fixed(LAYOUT.at("jokers"))
LEFT_GAME: Final = fixed(LAYOUT.at("left_game"))
GONE: Final = fixed(LAYOUT.at("gone"))
AWARD_CARD: Final = fixed(LAYOUT.at("award_card"))
AWARD_DICE: Final = fixed(LAYOUT.at("award_dice"))
AWARD_PIPS: Final = fixed(LAYOUT.at("award_pips"))
AWARD_TAKER: Final = fixed(LAYOUT.at("award_taker"))
AWARD_ONE_AT: Final = fixed(LAYOUT.at("award_one_at"))

WIDTH: Final = fixed(LAYOUT.width)
DECK: Final = fixed(layout.DECK)
KINDS: Final = fixed(3)
CREWS: Final = fixed(8)
MOST_SAILORS: Final = fixed(layout.MOST_SAILORS)
MOST_TRICKS: Final = fixed(layout.MOST_TRICKS)
FIRST_TRICK_CARD: Final = layout.CARDS.index("nudge")
SAILOR_VALUES: Final = fixed(layout.VALUES)

OPTION_STARTER: Final = fixed(OPTIONS.at("starter"))
OPTION_FIRST_TRICK: Final = fixed(OPTIONS.at("first_trick"))
OPTION_DECK: Final = fixed(OPTIONS.at("deck"))

CARD_KINDS: Final = fixed(len(layout.CARDS))
SEES_STEP: Final = fixed(FEATURES.at("step"))
SEES_ROLL: Final = fixed(FEATURES.at("roll"))
SEES_ONE_AT: Final = fixed(FEATURES.at("one_at"))
SEES_ROUND: Final = fixed(FEATURES.at("round"))
SEES_STARTER: Final = fixed(FEATURES.at("starter"))
SEES_SPENT: Final = fixed(FEATURES.at("spent"))
SEES_PLACED: Final = fixed(FEATURES.at("placed"))
SEES_TRICKS: Final = fixed(FEATURES.at("tricks"))
SEES_STRENGTH: Final = fixed(FEATURES.at("strength"))
SEES_ROW: Final = fixed(FEATURES.at("row"))
SEES_TO_COME: Final = fixed(FEATURES.at("to_come"))

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
