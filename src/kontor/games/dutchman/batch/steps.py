"""The numbers of the steps of learners (``docs/steps.csv``): the first are those of actions, then come the steps of
lays and of proposals."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman.batch.layout import FIELDS, GOLD, LAY, SILVER_COUNTS
from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.components import CASH, CHESTS, FIRST_CHEST, LAST_CHEST

FIRST_GOLD: Final = LAY
"""A lay begins: 0 without gold, 1 with the 48 … 28 with the 21."""
FIRST_SILVER: Final = FIRST_GOLD + GOLD + 1
SILVER_FROM: Final = tuple(
    FIRST_SILVER + sum(count + 1 for count in SILVER_COUNTS[:kind]) for kind in range(len(SILVER_COUNTS))
)
"""So many of a kind of silver are laid: from 0."""
TO: Final = SILVER_FROM[-1] + SILVER_COUNTS[-1] + 1
"""A proposal begins: by field."""
DUCATS: Final = TO + FIELDS
"""A tied player pays the most that can be … gets the most."""
MOST_DUCATS: Final = CASH + sum(CHESTS[FIRST_CHEST + 1 : LAST_CHEST])
"""There are never more ducats in the game for each player: cash, and what the bank pays for shares shown."""


def steps(options: Options) -> int:
    """How many numbers of steps there are."""
    return DUCATS + 2 * MOST_DUCATS * options.players + 1
