"""The numbers of steps: those that make moves, and those that make outcomes of chance."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

from kontor.games.dutchman.rules.chance import DICE
from kontor.games.dutchman.rules.chart import SIZE
from kontor.games.dutchman.rules.components import (
    CASH,
    CHESTS,
    COLOURS,
    EXCHANGED,
    FIRST_CHEST,
    HORSESHOES,
    LAST_CHEST,
    MOST_PLAYERS,
    MOST_SILVER,
    Colour,
)
from kontor.games.dutchman.rules.state import (
    Accept,
    Decline,
    Dice,
    Keep,
    Kontor,
    Move,
    Pass,
    Smith,
    Withhold,
)

# ------------------------------------------------------------------------------------------- steps of moves

PLAIN: Final[tuple[Move, ...]] = (Kontor(), Smith(), Pass(), Withhold(), Accept(), Decline(), Keep())
"""Moves that need no more said, by their numbers."""
SHOW: Final = len(PLAIN)
"""By colour."""
PAIRS: Final[tuple[tuple[Colour, Colour], ...]] = tuple(combinations_with_replacement(COLOURS, EXCHANGED))
PUT: Final = SHOW + len(COLOURS)
"""By pair of colours, as in PAIRS."""
FIELDS: Final = SIZE * SIZE - 1
SAIL: Final = PUT + len(PAIRS)
"""By field, in the order of the chart."""
NAME: Final = SAIL + FIELDS
"""By field."""
GOLD: Final = tuple(horseshoe for horseshoe in HORSESHOES if horseshoe > MOST_SILVER)
LAY: Final = NAME + FIELDS
"""A lay begins: 0 without gold, 1 with the 48, 2 with the 47 … 28 with the 21."""
SILVER: Final = (20, 10, 2, 1)
COUNT: Final = {kind: HORSESHOES.count(kind) for kind in SILVER}
FIRST_SILVER: Final = LAY + len(GOLD) + 1
SILVERS: Final = {
    kind: FIRST_SILVER + sum(COUNT[before] + 1 for before in SILVER[: SILVER.index(kind)]) for kind in SILVER
}
"""So many of a kind of silver are laid: from 0."""
TO: Final = SILVERS[1] + COUNT[1] + 1
"""A proposal begins: by field."""
DUCATS: Final = TO + FIELDS
"""A tied player pays the most that can be, … pays 1, 0, gets 1 …: see ``most_ducats``."""


def most_ducats(players: int) -> int:
    """More ducats than this are never in the game: what all begin with, and what the bank can pay for shares shown.

    The Dutchman meets ten ships, and between two of them it lies at one island at most (H3). When it has met n, no
    stone is higher than n chests above the first.
    """
    shown = sum(CHESTS[FIRST_CHEST + 1 : LAST_CHEST])
    return players * (CASH + shown)


# ---------------------------------------------------------------------------------------- steps of outcomes

ROLLS: Final[tuple[Dice, ...]] = tuple(outcome for outcome, _ in DICE.outcomes())
ROLL: Final = MOST_PLAYERS
"""After the starters, by roll."""
SHARE: Final = ROLL + len(ROLLS)
"""A share of a colour."""
KINDS: Final = tuple(dict.fromkeys(HORSESHOES))
HORSESHOE: Final = SHARE + len(COLOURS)
"""A horseshoe: 48, 47 … 21, 20, 10, 2, 1."""
OUTCOMES: Final = HORSESHOE + len(KINDS)
KIND: Final = {kind: HORSESHOE + place for place, kind in enumerate(KINDS)}
COLOUR: Final[dict[str, int]] = {colour: SHARE + place for place, colour in enumerate(COLOURS)}
