"""Numbers of the steps of learners (``docs/steps.csv``): those of actions, then those of lays and of proposals."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman.batch.layout import FIELDS, GOLD, LAY, SILVER_COUNTS
from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.components import CASH, CHESTS, FIRST_CHEST, LAST_CHEST

FIRST_GOLD: Final = LAY
"""First step of a lay, by gold: 0 without, 1 with the 48 … 28 with the 21."""
FIRST_SILVER: Final = FIRST_GOLD + GOLD + 1
SILVER_FROM: Final = tuple(
    FIRST_SILVER + sum(count + 1 for count in SILVER_COUNTS[:kind]) for kind in range(len(SILVER_COUNTS))
)
"""For each kind of silver, the step that lays none of it; the next steps lay 1, 2 …."""
TO: Final = SILVER_FROM[-1] + SILVER_COUNTS[-1] + 1
"""First step of a proposal, by field."""
DUCATS: Final = TO + FIELDS
"""First of the steps that say what a tied player gets, from the most that can be paid to the most that can be got."""
MOST_DUCATS: Final = CASH + sum(CHESTS[FIRST_CHEST + 1 : LAST_CHEST])
"""Most ducats in the game for each player: cash, and what the bank pays for shares shown."""


def steps(options: Options) -> int:
    """Return the number of numbered steps."""
    return DUCATS + 2 * MOST_DUCATS * options.players + 1
