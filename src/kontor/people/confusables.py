"""Comparison of names that look alike.

Names look alike if they have the same skeleton (Unicode Technical Standard 39). Case and spaces do not matter.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

from kontor.visible_text import is_variation_selector


def alike(name: str, other: str) -> bool:
    """Return True if somebody could mistake one name for the other."""
    return skeleton(name) == skeleton(other) or skeleton(name.casefold()) == skeleton(other.casefold())


def skeleton(name: str) -> str:
    """Return the skeleton of a name: equal for names that look alike, and not for display."""
    visible_characters = "".join(
        character for character in unicodedata.normalize("NFD", name) if not _leaves_no_trace(character)
    )
    return unicodedata.normalize("NFD", visible_characters.translate(_prototypes()))


def _leaves_no_trace(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) == "Cf" or is_variation_selector(character)


@cache
def _prototypes() -> dict[int, str]:
    """Return, for each character that looks like another or like several, those it looks like."""
    lines = files("kontor.people").joinpath("confusables.txt").read_text("utf-8").splitlines()
    rows = [[int(code, 16) for code in line.split()] for line in lines if not line.startswith("#")]
    return {code: "".join(map(chr, like)) for code, *like in rows}
