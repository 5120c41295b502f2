"""The treasure chests along the lower edge of the chart, with the stones of the six colours and the black counter."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, LAST_CHEST, Colour
from kontor.games.dutchman.rules.state import Counts
from kontor.words import Words

_CHEST: Final = 80
"""Distance from one chest to the next; together they are as wide as the chart."""
_GROUND: Final = 110
"""Height of the lowest stones, as deep as two rows need."""
_TWO_ROWS: Final = 30
"""Distance from a stone to the one above; of three rows, half of it."""
_BESIDE: Final = 24
"""Distance from the middle of a chest to either of two stones side by side."""


def across(chest: int) -> int:
    """Return the position of the middle of a chest."""
    return _CHEST * chest + _CHEST // 2


def chests() -> list[tuple[int, int]]:
    """Return the position and the value of each chest; the first has no value."""
    return [(across(place), value) for place, value in enumerate(CHESTS)]


def worths(stones: Counts) -> list[tuple[Colour, int]]:
    """Return the present value of a share in each colour (H2)."""
    return [(colour, CHESTS[stone]) for colour, stone in zip(COLOURS, stones, strict=True)]


def describe_stone(words: Words, colour: Colour, worth: int) -> str:
    """Return the meaning of a stone in words."""
    return words.say("a share in {colour} is worth {worth}", colour=phrases.colour(words, colour), worth=worth)


def ground() -> int:
    """Return the height of the lowest stones, which does not depend on their number."""
    return _GROUND


def standing(stones: Counts) -> list[tuple[int, int]]:
    """Return the position of each stone: those on one chest two by two, one row upon the other."""
    places = []
    for number, chest in enumerate(stones):
        many = stones.count(chest)
        row, side = divmod(stones[:number].count(chest), 2)
        shift = 0 if many == 2 * row + 1 else _BESIDE if side else -_BESIDE
        step = _TWO_ROWS if many <= 4 else _TWO_ROWS // 2
        places.append((across(chest) + shift, _GROUND - step * row))
    return places


def ships_to_come(words: Words, counter: int) -> str:
    """Return in words how far it is to the end (H13)."""
    left = LAST_CHEST - counter
    if not left:
        return words.say("The black marker is on the last chest.")
    return words.count("{n} ship until the end", "{n} ships until the end", left)
