"""Layout of a game of Shanghaien as a row of bytes, and the numbers of its moves.

Cards and nations are numbers: nations in the order of ``NATIONS``; a card is ``4 × nation + value − 1`` for a sailor,
32, 33 and 34 for a *nudge*, a *both* and a *reroll* card.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.fields import Field, Layout
from kontor.games.shanghaien.rules.components import NATIONS, ROUNDS, ROW, TRICK_CARDS, TRICKS
from kontor.games.shanghaien.rules.numbering import CARDS
from kontor.games.shanghaien.rules.numbering import MOVES as MOVES  # docs/batch.md names it here
from kontor.games.shanghaien.rules.state import Step

NONE: Final = 255
"""The number for no card, no seat, no pips."""

STEPS: Final[tuple[Step, ...]] = ("starter", "row", "turn", "roll", "reroll", "place", "both", "over")
"""The steps by their numbers."""

VALUES: Final = 4

DECK: Final = 48
MOST_SAILORS: Final = 40
MOST_TRICKS: Final = TRICK_CARDS + 1
MOST_GONE: Final = DECK + 2
"""All cards and the two of the variant (S3a)."""

LAYOUT: Final = Layout(np.uint8, (
    Field("step", (), len(STEPS) - 1, "what is due, by its number in STEPS"),
    Field("turn", (), 1, "whose turn it is, also while chance rolls for them"),
    Field("roll", (2,), 6, "the two dice rolled, the lower first; 0 before a roll"),
    Field("spent", (2,), 1, "whose captain stands at the row, by seat"),
    Field("one_at", (), 2, "the end that is 1: 0 not yet said, 1 left, 2 right"),
    Field("round", (), ROUNDS, "from 1"),
    Field("starter", (), 1, "of this round; NONE before the lot is cast"),
    Field("row", (ROW,), 34, "the cards of the tavern from left to right; NONE before they are laid"),
    Field("placed", (2, ROW), 6, "dice on the numbers 1 to 6, by seat"),
    Field("dice", (2,), 6, "dice placed in all, by seat"),
    Field("tricks", (2, len(TRICKS)), 9, "unused trick cards of each kind, by seat"),
    Field("nations", (2,), 255, "a bit for each nation of which a crew has a sailor card"),
    Field("strength", (2, len(NATIONS)), 31, "sums of sailors and jokers, by seat and nation"),
    Field("left", (), DECK, "cards still to come"),
    Field("pile", (DECK,), 34, "the cards still to come are the first of these, in no order that means anything"),
    Field("recruits", (2,), MOST_SAILORS, "sailor cards won, by seat"),
    Field("sailors", (2, MOST_SAILORS), 31, "the sailor cards in the order won; only the first are set"),
    Field("laid", (2,), MOST_TRICKS, "jokers laid, by seat"),
    Field("jokers", (2, MOST_TRICKS), 23, "jokers in the order laid: 8 × kind of trick + nation"),
    Field("left_game", (), MOST_GONE, "cards that left the game"),
    Field("gone", (MOST_GONE,), 34, "the cards that left the game, in order; only the first are set"),
    Field("award_card", (ROW,), 34, "the row of the last round by number; NONE in the first round"),
    Field("award_dice", (ROW, 2), 6, "the dice of each seat on it"),
    Field("award_pips", (ROW, 2), 36, "the pips of each seat beside it; NONE where the dice decided"),
    Field("award_taker", (ROW,), 1, "who got the card; NONE if it left the game"),
    Field("award_one_at", (), 2, "which end of that row was 1, as in one_at"),
))  # fmt: skip

# ------------------------------------------------------------------------------------------------------- moves

ROLL: Final = 0
SHANGHAI: Final = 1
LEFT: Final = 2
RIGHT: Final = 3
PLACE: Final = 4
"""The first of six actions: place a 1; the other numbers follow."""
JOKER: Final = PLACE + ROW
"""The first of the joker actions: by kind of trick, and within it by nation."""
NUDGE: Final = JOKER + len(TRICKS) * len(NATIONS)
"""The first of the nudge actions: 1 to 2, 2 to 1, 2 to 3, 3 to 2 … 6 to 5."""
BOTH: Final = NUDGE + 2 * (ROW - 1)
REROLL: Final = BOTH + 1

# ------------------------------------------------------------------------------------------------ observations

FEATURES: Final = Layout(np.float32, (
    Field("step", (3,), 1, "1 for what is due: a turn, to place a die, to say the end before both are placed"),
    Field("roll", (ROW,), 2, "how many of the two dice rolled show each number"),
    Field("one_at", (3,), 1, "1 for the end that is 1: not yet said, left, right"),
    Field("round", (), ROUNDS, "from 1"),
    Field("starter", (), 1, "1 if the seat to move started this round"),
    Field("spent", (2,), 1, "1 if a trick was used in this round: own, other"),
    Field("placed", (2, ROW), 6, "dice placed on each number: own, other"),
    Field("tricks", (2, len(TRICKS)), 9, "unused trick cards of each kind: own, other"),
    Field("strength", (2, len(NATIONS)), 31, "sums of sailors and jokers of each nation: own, other"),
    Field("row", (ROW, len(CARDS)), 1, "1 for the card that lies at each place, from left to right"),
    Field("to_come", (len(CARDS),), 8, "how many of each card are still to come"),
))  # fmt: skip
"""The observation of the seat to move.

Nothing in Shanghaien is hidden, and nothing that matters for the future is left out: two games that look the same to
the seat to move have the same future.
"""
