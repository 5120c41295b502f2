"""The computer players that people meet: five levels, the same for every game. Others are for programs."""

from __future__ import annotations

from functools import cache
from typing import Final

from kontor.players import players_of
from kontor.words import Words, mark

LEVELS: Final[dict[str, str]] = {
    "casual": mark("casual: plays by what is visible; beginners can win"),
    "keen": mark("keen: knows the game, but does not weigh every move"),
    "steady": mark("steady: weighs every move and makes few mistakes"),
    "strong": mark("strong: often thinks ahead"),
    "expert": mark("expert: thinks ahead and forgives nothing"),
}
"""The weakest first, and what they are like."""

_NAMES: Final[dict[str, str]] = {
    "casual": mark("casual"),
    "keen": mark("keen"),
    "steady": mark("steady"),
    "strong": mark("strong"),
    "expert": mark("expert"),
}

MACHINE_SIGN: Final = "⚙"
"""Stands before the name of a computer player wherever it is shown; no person's name can hold it."""

MACHINE_SIGNS: Final = frozenset((MACHINE_SIGN, "\u26ed", "\u26ee", "\u26ef"))
"""With the other gear wheels of Unicode, which look like it."""


def marked(name: str) -> str:
    """The name of a computer player as it is shown among others."""
    return f"{MACHINE_SIGN}\u00a0{name}"


@cache
def levels(game: str) -> tuple[str, ...]:
    """The levels at which a game is played, the weakest first; of a game without levels its strongest player."""
    return tuple(name for name in LEVELS if name in players_of(game)) or players_of(game)[-1:]


def usual(game: str) -> str:
    """Who plays where nobody says otherwise. It is the weakest: whoever sits down for the first time should be able
    to win, and who finds it too weak has seen where the others stand."""
    return levels(game)[0]


def likeness(words: Words, player: str) -> str:
    """What a level is like; the mere name of a computer player that is none."""
    return words.say(LEVELS[player]) if player in LEVELS else player


def level_name(words: Words, player: str) -> str:
    """What a computer player is called; one that is no level keeps the name by which programs ask for it."""
    return words.say(_NAMES[player]) if player in _NAMES else player


def seat_name(words: Words, name: str, player: str) -> str:
    """The name of a computer player's seat. One that was given no name is called by its level, and a number if there
    are several: ``expert 2``."""
    called, _, number = name.partition(" ")
    if called != player or called not in _NAMES:
        return name
    level = level_name(words, player)
    return words.say("{level} {number}", level=level, number=number) if number else level
