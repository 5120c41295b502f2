"""Components of Shanghaien (S1, S2).

A card is a short text: a sailor is the letter of a nation and a value (``"F3"`` is a French 3), a dirty trick is the
name of its dice trick. Cards that look alike are alike: the game never needs to tell one red 3 from the other.
"""

from __future__ import annotations

from typing import Final, Literal

from kontor.game import Value

Card = str
Nation = Literal["A", "F", "G", "C", "D", "T", "S", "I"]
Trick = Literal["nudge", "both", "reroll"]
End = Literal["left", "right"]

NATIONS: Final[tuple[Nation, ...]] = ("A", "F", "G", "C", "D", "T", "S", "I")
"""Americans, French, Germans, Chinese, Dutch, Turks, Spaniards, Italians."""

VALUES: Final = (1, 2, 3, 3, 4)
"""The sailors of one nation."""

TRICKS: Final[tuple[Trick, ...]] = ("nudge", "both", "reroll")

ROW: Final = 6
"""Cards in the tavern, numbers on a die, and dice of a player."""

ROUNDS: Final = 8
TRICK_CARDS: Final = 8
JOKER: Final = 2
"""Value of a joker (S2)."""

SAILORS: Final[tuple[Card, ...]] = tuple(f"{nation}{value}" for nation in NATIONS for value in VALUES)


class TrickCounts(Value, frozen=True, forbid_unknown_fields=True):
    """Number of trick cards, of eight, for each dice trick (S2)."""

    nudge: int = 3
    both: int = 2
    reroll: int = 3

    @property
    def cards(self) -> tuple[Card, ...]:
        """The trick cards, sorted."""
        return ("both",) * self.both + ("nudge",) * self.nudge + ("reroll",) * self.reroll


def is_sailor(card: Card) -> bool:
    """Return True if the card is a sailor, not a dirty trick."""
    return len(card) == 2


def nation_of(sailor: Card) -> Nation:
    """Return the nation of a sailor card."""
    return sailor[0]  # type: ignore[return-value]


def value_of(sailor: Card) -> int:
    """Return the value of a sailor card, 1 to 4."""
    return int(sailor[1])


def whole_deck(counts: TrickCounts) -> tuple[Card, ...]:
    """Return the 48 tavern cards, sorted."""
    return tuple(sorted((*SAILORS, *counts.cards)))
