"""Lookup tables and constants of kernels: the numbers of what is due, and the components of the game."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.compiled import int64_constant
from kontor.games.dutchman.batch import layout, steps
from kontor.games.dutchman.batch.layout import NONE
from kontor.games.dutchman.rules import components

(
    DUE_STARTER, DUE_DEAL, DUE_LUCKY, DUE_ACTION, DUE_PUT, DUE_SHARE, DUE_SAIL, DUE_NAME, DUE_PROPOSE,
    DUE_ANSWER, DUE_AGAIN, DUE_ROLLING, DUE_SHOW, DUE_SHUFFLE, DUE_OVER,
) = map(int64_constant, range(len(layout.STEPS)))  # fmt: skip
DID_KONTOR, DID_SMITH, DID_LAY, DID_PASS = map(int64_constant, range(len(layout.ACTIONS)))

COLOURS: Final = int64_constant(len(components.COLOURS))
SILVERS: Final = int64_constant(len(layout.SILVERS))
SILVERS_FROM: Final = np.array(steps.SILVER_FROM, np.int32)
GOLD: Final = int64_constant(layout.GOLD)
FIELDS: Final = int64_constant(layout.FIELDS)
BOX: Final = int64_constant(len(components.HORSESHOES))

DECIDING: Final = np.array(
    [layout.DECIDING.index(step) if step in layout.DECIDING else NONE for step in layout.STEPS], np.int32
)
"""The place of each step among those in which a seat is to move."""
DUES: Final = int64_constant(len(layout.STEPS))
DEEDS: Final = int64_constant(len(layout.ACTIONS))
CHESTS: Final = np.array(components.CHESTS, np.int32)
TENS: Final = np.array(components.TENS, np.int32)
ONES: Final = np.array(components.ONES, np.int32)
HORSESHOES: Final = np.array(components.HORSESHOES, np.int32)
KINDS: Final = np.array(
    [layout.kind_of(horseshoe) if horseshoe in components.HORSESHOES else NONE for horseshoe in range(256)], np.int32
)
"""The kind of a horseshoe by its number: 0 to 3 silver, then gold; NONE where there is no such horseshoe."""
SILVER_NUMBERS: Final = np.array(layout.SILVERS, np.int32)
PAIR_ONE: Final = np.array([one for one, _ in layout.PAIRS], np.int32)
PAIR_OTHER: Final = np.array([other for _, other in layout.PAIRS], np.int32)
PAIRS: Final = int64_constant(len(layout.PAIRS))
DIE_SIDES: Final = int64_constant(len(components.TENS))
