"""The contents of the box of Der fliegende Holländer (H1, H2, H4)."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

from kontor.game import Value

Colour = Literal["blue", "yellow", "green", "orange", "red", "violet"]
COLOURS: Final[tuple[Colour, ...]] = ("blue", "yellow", "green", "orange", "red", "violet")
PLACE_OF: Final[dict[str, int]] = {colour: place for place, colour in enumerate(COLOURS)}
"""The index of a colour in everything that is counted by colour."""

CHESTS: Final = (0, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18)
"""The value of a share with its stone on each chest; the first has no number (H2)."""
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


SHIPS_OF_A_COLOUR: Final = 3


class Box(Value, frozen=True, cache_hash=True):
    """The contents of a box, and how much of it a game takes.

    There is one box to play with; a smaller one makes a game that can be solved (``MINI``).
    """

    colours: tuple[Colour, ...] = COLOURS
    ships: int = SHIPS_OF_A_COLOUR
    """Of each colour, on the chart (H3)."""
    shares: int | None = None
    """Of each colour; None: one fewer than players (H4)."""
    hand: int = SHARES
    horseshoes: Horseshoes = HORSESHOES
    rack: int = RACK
    middle: int | None = None
    """Horseshoes that begin in the middle; None: one for each player (H4)."""
    cash: int = CASH
    cards: int = CARDS
    few: int = FEW
    counter: int = FIRST_CHEST
    """The chest where the black counter begins: as many ships will be met as are left to the last chest (H13)."""
    tens: tuple[int, ...] = TENS
    ones: tuple[int, ...] = ONES


BOX: Final = Box()
"""The box of the game."""
MINI: Final = Box(
    colours=("blue", "yellow", "green"),
    ships=1,
    shares=1,
    hand=1,
    horseshoes=(26, 25, 24, 23, 22, 21),
    rack=2,
    middle=0,
    cards=0,
    few=1,
    counter=LAST_CHEST - 2,
    tens=(40,),
    ones=(9,),
)
"""A box for three: each has the only share of a colour and two golden horseshoes, and must lay one in both rounds.

All readings differ, so one player steers alone and rolls are never needed: every game has an end.
"""


@cache
def shares_in_play(players: int, box: Box = BOX) -> tuple[Colour, ...]:
    """Return the share cards for this number of players: of each colour one fewer than players (H4)."""
    of_each = players - 1 if box.shares is None else box.shares
    return tuple(colour for colour in box.colours for _ in range(of_each))
