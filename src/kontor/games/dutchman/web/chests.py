"""The treasure chests along the lower edge of the chart, with the stones of the six colours and the black counter."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kontor.game import Value
from kontor.games.dutchman import words as said
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, LAST_CHEST, Colour
from kontor.words import Words

CHEST: Final = 80
"""From one chest to the next, as wide as the chart in all."""
FIRST: Final = 84
"""Where stones stand if none stands upon another."""
STEP: Final = 34
"""From a stone to the one above."""


class Chest(Value, frozen=True):
    """A chest and its value; the first has none."""

    x: int
    value: int


class Stone(Value, frozen=True):
    """A stone on its chest."""

    colour: Colour
    letter: str
    means: str
    """What a share in the colour is worth now, in words."""
    x: int
    y: int


class Ruler(Value, frozen=True):
    """All chests with the stones in them."""

    chests: tuple[Chest, ...]
    stones: tuple[Stone, ...]
    counter: int
    """Where the counter is."""
    ground: int
    """Where the lowest stones stand: the more stand upon others, the deeper."""
    left: str


def ruler(words: Words, view: View) -> Ruler:
    """The chests as they stand."""
    return _ruler(words, view.stones, view.counter)


@lru_cache(maxsize=1024)
def _ruler(words: Words, standing: tuple[int, ...], counter: int) -> Ruler:
    """Stones on one chest stand two by two, one row upon the other."""
    chests = tuple(Chest(CHEST * place + CHEST // 2, value) for place, value in enumerate(CHESTS))
    tallest = max(standing.count(place) for place in standing)
    ground = FIRST + STEP * ((tallest + 1) // 2 - 1)
    stones = []
    for place, chest in enumerate(chests):
        here = [colour for at, colour in zip(standing, COLOURS, strict=True) if at == place]
        for number, colour in enumerate(here):
            row, side = divmod(number, 2)
            alone = len(here) - 2 * row == 1
            shift = 0 if alone else (-24, 24)[side]
            stones.append(
                Stone(
                    colour,
                    said.letter(words, colour),
                    _means(words, colour, chest.value),
                    chest.x + shift,
                    ground - STEP * row,
                )
            )
    left = LAST_CHEST - counter
    order = {colour: place for place, colour in enumerate(COLOURS)}
    return Ruler(
        chests=chests,
        stones=tuple(sorted(stones, key=lambda stone: order[stone.colour])),
        counter=chests[counter].x,
        ground=ground,
        left=words.count("{n} more ship to be met", "{n} more ships to be met", left)
        if left
        else words.say("The counter stands on the last chest."),
    )


def _means(words: Words, colour: Colour, worth: int) -> str:
    return words.say("a share in {colour} is worth {worth}", colour=said.colour(words, colour), worth=worth)
