"""Names made up for people who play before they give one: an animal of the sea, and the port that it comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kontor.words import Words, mark

_ANIMALS: Final = (
    mark("Puffin"),
    mark("Albatross"),
    mark("Seagull"),
    mark("Cormorant"),
    mark("Pelican"),
    mark("Tern"),
    mark("Petrel"),
    mark("Gannet"),
    mark("Heron"),
    mark("Parrot"),
    mark("Penguin"),
    mark("Dolphin"),
    mark("Porpoise"),
    mark("Otter"),
    mark("Seal"),
    mark("Walrus"),
    mark("Narwhal"),
    mark("Whale"),
    mark("Octopus"),
    mark("Lobster"),
    mark("Crab"),
    mark("Seahorse"),
    mark("Starfish"),
    mark("Turtle"),
    mark("Herring"),
    mark("Mackerel"),
    mark("Flying Fish"),
    mark("Ship’s Cat"),
)
_PORTS: Final = (
    mark("Lisbon"),
    mark("Madeira"),
    mark("Cadiz"),
    mark("Genoa"),
    mark("Venice"),
    mark("Marseilles"),
    mark("Nantes"),
    mark("Bristol"),
    mark("Delft"),
    mark("Bremen"),
    mark("Lübeck"),
    mark("Bergen"),
    mark("Riga"),
    mark("Boston"),
    mark("Curaçao"),
    mark("Zanzibar"),
    mark("Goa"),
    mark("Ceylon"),
    mark("Malacca"),
    mark("Batavia"),
    mark("Java"),
    mark("Canton"),
    mark("Macao"),
    mark("Nagasaki"),
)
"""Ports and islands of 1729 whose names need no article, nor shorten the word before them, in any language."""


def made_up_name(words: Words, below: Callable[[int], int]) -> str:
    """Return a name in the reader's language; ``below(n)`` draws a number below n."""
    animal, port = words.say(_ANIMALS[below(len(_ANIMALS))]), words.say(_PORTS[below(len(_PORTS))])
    return words.say("{animal} of {port}", animal=animal, port=port)
