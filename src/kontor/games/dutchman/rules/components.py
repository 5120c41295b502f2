"""What is in the box of Der fliegende Holländer (H1, H2, H4)."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

Colour = Literal["blue", "yellow", "green", "orange", "red", "violet"]
COLOURS: Final[tuple[Colour, ...]] = ("blue", "yellow", "green", "orange", "red", "violet")
PLACE_OF: Final[dict[str, int]] = {colour: place for place, colour in enumerate(COLOURS)}
"""Where a colour stands in everything that is counted by colour."""

CHESTS: Final = (0, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18)
"""What a share is worth with its stone on each chest; the first has no number (H2)."""
FIRST_CHEST: Final = 1
LAST_CHEST: Final = len(CHESTS) - 1

Horseshoes = tuple[int, ...]
"""Horseshoes by their numbers, the highest first: gold is above 20, silver 20, 10, 2 or 1."""
MOST_SILVER: Final = 20
HORSESHOES: Final[Horseshoes] = (*range(48, 20, -1), *(20,) * 3, *(10,) * 13, *(2,) * 3, *(1,) * 13)

TENS: Final = (20, 20, 30, 30, 40, 40)
ONES: Final = (1, 3, 5, 5, 7, 9)

FEWEST_PLAYERS: Final = 3
MOST_PLAYERS: Final = 6
CASH: Final = 25
SHARES: Final = 3
EXCHANGED: Final = 2
"""Shares drawn and put back with a Kontor card (H6a)."""
CARDS: Final = 3
"""Kontor cards, and Smith cards, of each player."""
RACK: Final = 9
FEW: Final = 5
"""With fewer horseshoes than this a player may pass (H6d)."""


@cache
def shares_in_play(players: int) -> tuple[Colour, ...]:
    """The share cards for so many players: of each colour one fewer than players (H4)."""
    return tuple(colour for colour in COLOURS for _ in range(players - 1))
