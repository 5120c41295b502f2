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
from kontor.games.dutchman.rules.state import Accept, Decline, Dice, Keep, Kontor, Move, Pass, Smith, Withhold

# ------------------------------------------------------------------------------------------- steps of moves

PLAIN: Final[tuple[Move, ...]] = (Kontor(), Smith(), Pass(), Withhold(), Accept(), Decline(), Keep())
"""Moves without parameters, by their numbers."""
SHOW: Final = len(PLAIN)
"""The first step of showing, by colour."""
PAIRS: Final[tuple[tuple[Colour, Colour], ...]] = tuple(combinations_with_replacement(COLOURS, EXCHANGED))
PUT: Final = SHOW + len(COLOURS)
"""The first step of putting back, by pair of colours, as in PAIRS."""
FIELDS: Final = SIZE * SIZE - 1
SAIL: Final = PUT + len(PAIRS)
"""The first step of sailing, by field, in the order of the chart."""
NAME: Final = SAIL + FIELDS
"""The first step of naming, by field."""
GOLD: Final = tuple(horseshoe for horseshoe in HORSESHOES if horseshoe > MOST_SILVER)
LAY: Final = NAME + FIELDS
"""The first step that begins a lay: 0 without gold, 1 with the 48, 2 with the 47 … 28 with the 21."""
SILVER: Final = (20, 10, 2, 1)
COUNT: Final = {kind: HORSESHOES.count(kind) for kind in SILVER}
FIRST_SILVER: Final = LAY + len(GOLD) + 1
SILVERS: Final = {
    kind: FIRST_SILVER + sum(COUNT[before] + 1 for before in SILVER[: SILVER.index(kind)]) for kind in SILVER
}
"""For each kind of silver, the first step that says how many are laid, from 0."""
TO: Final = SILVERS[1] + COUNT[1] + 1
"""The first step that begins a proposal, by field."""
DUCATS: Final = TO + FIELDS
"""The first step of ducats in a proposal: a tied player pays the most, … pays 1, 0, gets 1 …: see ``most_ducats``."""


def most_ducats(players: int) -> int:
    """Return an upper bound of the ducats in the game: all first cash, and the bank's payments for shares shown."""
    payments = sum(CHESTS[FIRST_CHEST + 1 : LAST_CHEST])
    return players * (CASH + payments)


# ---------------------------------------------------------------------------------------- steps of outcomes

ROLLS: Final[tuple[Dice, ...]] = tuple(outcome for outcome, _ in DICE.outcomes())
ROLL: Final = MOST_PLAYERS
"""The first step of a roll, after the starters."""
SHARE: Final = ROLL + len(ROLLS)
"""The first step of a share, by colour."""
KINDS: Final = tuple(dict.fromkeys(HORSESHOES))
HORSESHOE: Final = SHARE + len(COLOURS)
"""The first step of a horseshoe: 48, 47 … 21, 20, 10, 2, 1."""
OUTCOMES: Final = HORSESHOE + len(KINDS)
KIND: Final = {kind: HORSESHOE + place for place, kind in enumerate(KINDS)}
COLOUR: Final[dict[str, int]] = {colour: SHARE + place for place, colour in enumerate(COLOURS)}
