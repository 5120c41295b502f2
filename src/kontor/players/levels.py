"""The computer players offered to people: five levels, the same for every game. Other players are for programs."""

from __future__ import annotations

from functools import cache
from typing import Final

from kontor.players import players_of
from kontor.words import Words, mark

LEVELS: Final[dict[str, str]] = {
    "casual": mark("casual: for a first game"),
    "keen": mark("keen: knows the game"),
    "steady": mark("steady: makes few mistakes"),
    "strong": mark("strong: thinks ahead"),
    "expert": mark("expert: forgives nothing"),
}
"""Descriptions of the levels, the weakest first."""

_NAMES: Final[dict[str, str]] = {
    "casual": mark("casual"),
    "keen": mark("keen"),
    "steady": mark("steady"),
    "strong": mark("strong"),
    "expert": mark("expert"),
}

MACHINE_SIGN: Final = "⚙"
"""Precedes the name of a computer player wherever it is shown; no person's name can contain it."""

MACHINE_SIGNS: Final = frozenset((MACHINE_SIGN, "\u26ed", "\u26ee", "\u26ef"))
"""The sign, and the other gear wheels of Unicode, which look like it."""


def marked(name: str) -> str:
    """Return the name of a computer player with the sign that distinguishes it from people."""
    return f"{MACHINE_SIGN}\u00a0{name}"


@cache
def levels(game: str) -> tuple[str, ...]:
    """Return a game's levels, the weakest first; its strongest player alone if it has no levels."""
    return tuple(name for name in LEVELS if name in players_of(game)) or players_of(game)[-1:]


def usual(game: str) -> str:
    """Return the default level of a game, the weakest.

    A person who plays for the first time should be able to win, and sees the stronger levels in the same list.
    """
    return levels(game)[0]


def likeness(words: Words, player: str) -> str:
    """Return the description of a level; the bare name of a computer player that is not a level."""
    return words.say(LEVELS[player]) if player in LEVELS else player


def level_name(words: Words, player: str) -> str:
    """Return a level's name in the reader's language; the name that programs use for any other player."""
    return words.say(_NAMES[player]) if player in _NAMES else player


def seat_name(words: Words, name: str, player: str) -> str:
    """Return the name to show for a computer player's seat.

    A seat without a name of its own is called by its level, with a number if there are several: ``expert 2``.
    """
    called, _, number = name.partition(" ")
    if called != player or called not in _NAMES:
        return name
    level = level_name(words, player)
    return words.say("{level} {number}", level=level, number=number) if number else level
