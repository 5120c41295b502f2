"""The treasure chests along the lower edge of the chart, with the stones of the six colours and the black counter."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, LAST_CHEST, Colour
from kontor.games.dutchman.rules.state import Counts
from kontor.words import Words

_CHEST: Final = 80
"""Distance from one chest to the next; together they are as wide as the chart."""
_GROUND: Final = 112
"""Height of the middle of the lowest stones."""
_ROW: Final = 36
"""Distance from a stone to the one above."""
_BESIDE: Final = 20
"""Distance from the middle of a chest to either of two stones side by side."""
_CROWDED: Final = 6
"""Number of stones on one chest that leave no place for the counter among them."""
_STEPS_ASIDE: Final = (11, 46)
"""The steps of these stones to the left, and of the counter to the right. No stone is ever ahead of the counter."""


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


def standing(stones: Counts, counter: int) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Return the positions of the stones, and that of the counter.

    Those on one chest stand two by two, one row upon the other; the counter is the last.
    """
    pieces = [*stones, counter]
    is_crowded = stones.count(counter) >= _CROWDED
    if is_crowded:
        pieces.pop()
    places = []
    for number, chest in enumerate(pieces):
        row, side = divmod(pieces[:number].count(chest), 2)
        shift = 0 if pieces.count(chest) == 2 * row + 1 else _BESIDE if side else -_BESIDE
        places.append((across(chest) + shift - is_crowded * _STEPS_ASIDE[0], _GROUND - _ROW * row))
    if is_crowded:
        return places, (across(counter) + _STEPS_ASIDE[1], _GROUND)
    return places[:-1], places[-1]


def ships_left(counter: int) -> int:
    """Return how many ships are met until the end (H13)."""
    return LAST_CHEST - counter


def ships_to_come(words: Words, counter: int) -> str:
    """Return in words how far it is to the end (H13)."""
    left = LAST_CHEST - counter
    if not left:
        return words.say("The black marker is on the last chest.")
    return words.count("{n} ship until the end", "{n} ships until the end", left)
