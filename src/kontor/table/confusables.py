"""Which names look alike: those with the same skeleton (Unicode Technical Standard 39), in capitals or not, however
many spaces are between their words."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

from kontor.visible_text import is_variation_selector


def alike(one: str, other: str) -> bool:
    """Whether somebody could take one name for the other."""
    return skeleton(one) == skeleton(other) or skeleton(one.casefold()) == skeleton(other.casefold())


def skeleton(name: str) -> str:
    """What a name is like to the eye. It is made to be compared, and shown to nobody."""
    seen = "".join(character for character in unicodedata.normalize("NFD", name) if not _leaves_no_trace(character))
    return unicodedata.normalize("NFD", seen.translate(_prototypes()))


def _leaves_no_trace(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) == "Cf" or is_variation_selector(character)


@cache
def _prototypes() -> dict[int, str]:
    """For each character that looks like another, or like several, what it looks like."""
    lines = files("kontor.table").joinpath("confusables.txt").read_text("utf-8").splitlines()
    rows = [[int(code, 16) for code in line.split()] for line in lines if not line.startswith("#")]
    return {code: "".join(map(chr, like)) for code, *like in rows}
