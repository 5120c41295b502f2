"""Lookup tables of the kernels: the numbers of the steps, and the possible moves as bits."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.compiled import int64_constant
from kontor.games.shanghaien.batch import layout
from kontor.games.shanghaien.batch.layout import BOTH, LEFT, NUDGE, PLACE, REROLL, ROLL, SHANGHAI
from kontor.games.shanghaien.rules.components import NATIONS, ROW, TRICKS
from kontor.games.shanghaien.rules.numbering import CARDS

(
    DUE_STARTER, DUE_ROW, DUE_TURN, DUE_ROLL, DUE_REROLL, DUE_PLACE, DUE_BOTH, DUE_OVER,
) = map(int64_constant, range(len(layout.STEPS)))  # fmt: skip

KINDS: Final = int64_constant(len(TRICKS))
CREWS: Final = int64_constant(len(NATIONS))
FIRST_TRICK_CARD: Final = CARDS.index("nudge")
SAILOR_VALUES: Final = int64_constant(layout.VALUES)

_PAIRS: Final = [(low, high) for low in range(ROW + 1) for high in range(ROW + 2)]


def _bits(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def _nudges(die: int) -> set[int]:
    return {NUDGE + 2 * (die - 1) - 1 + up for up in (0, 1) if 1 <= die + 2 * up - 1 <= ROW}


TURNS: Final = np.array(
    [_bits({ROLL})] * 2 + [_bits({ROLL, SHANGHAI})] * (ROW - 3) + [_bits({SHANGHAI})] * 2, np.uint64
)
"""Moves at the beginning of a turn, by the own dice placed (S4, S5)."""
ENDS: Final = np.uint64(_bits({LEFT, LEFT + 1}))
PLACES: Final = np.array(
    [_bits({PLACE + low - 1, PLACE + high - 1}) if low else 0 for low, high in _PAIRS], np.uint64
)
"""Dice that may be placed, by ``8 × lower + higher`` (S6)."""
NUDGES: Final = np.array(
    [_bits(_nudges(low) | _nudges(high)) if low and high <= ROW else 0 for low, high in _PAIRS], np.uint64
)
"""Moves with *nudge*, by the same index (S8b)."""
FROM: Final = np.array([die for die in range(1, ROW + 1) for to in (die - 1, die + 1) if 1 <= to <= ROW], np.uint8)
TO: Final = np.array([to for die in range(1, ROW + 1) for to in (die - 1, die + 1) if 1 <= to <= ROW], np.uint8)
"""The die that *nudge* changes, and its new number, by the number of the nudge."""
BOTH_BIT: Final = np.uint64(1 << BOTH)
REROLL_BIT: Final = np.uint64(1 << REROLL)
NO_BITS: Final = np.uint64(0)
