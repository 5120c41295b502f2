"""What the pictures in the rules show: the real components, drawn by the boards' own templates."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

from kontor.dutchman import DUTCHMAN
from kontor.dutchman import Options as DutchmanOptions
from kontor.game import CHANCE
from kontor.shanghaien import SHANGHAIEN
from kontor.shanghaien import Options as ShanghaienOptions
from kontor.shanghaien.components import TRICKS, nation_of, value_of
from kontor.shanghaien.state import Dice, Number, Place, Roll, Row, Shanghai
from kontor.web.games import dutchman, shanghaien
from kontor.web.games.dutchman_people import Shoe
from kontor.words import Words

NAMES: Final = ("Anna", "Bernd")

_SAILORS: Final = ("A1", "F2", "G3", "C3", "D4", "T1", "S2", "I3")
_ROW: Final = ("T2", "G4", "I4", "D2", "C3", "nudge")
_NEXT: Final = ("A1", "F3", "S2", "both", "I1", "T4")
_PLACED: Final = ((2, 2, 3, 6, 6), (3, 4, 5, 6, 6))
"""The worked example of S9: Anna's dice and Bernd's."""


def picture(words: Words, game: str) -> dict[str, Any]:
    """What the templates in ``rules/pictures/`` need, for all pictures of a game."""
    return _PICTURES[game](words)


def _tavern(words: Words) -> dict[str, Any]:
    context = shanghaien.context(words, NAMES, _example(), (), ())
    sailors = [shanghaien.Face("", nation=nation_of(card), value=value_of(card)) for card in _SAILORS]
    tricks = [shanghaien.Face("", trick=trick) for trick in TRICKS]
    return {**context, "sailors": sailors, "tricks": tricks}


@cache
def _example() -> Any:
    """The table after the round of the example, as Anna sees it."""
    game = SHANGHAIEN
    state = game.play(game.start(ShanghaienOptions(starter=0)), Row(_ROW))
    for turn in range(len(_PLACED[0]) * 2):
        die = _PLACED[turn % 2][turn // 2]
        for step in (Roll(), Dice(die, die), *([Number("left")] if not turn else []), Place(die)):
            state = game.play(state, step)
    return game.view(game.play(game.play(state, Shanghai()), Row(_NEXT)), 0)


def _chartroom(words: Words) -> dict[str, Any]:
    context = dutchman.context(words, ("Anna", "Bernd", "Carla"), _first_round(), (), ())
    return {**context, "shoes": (Shoe(45, True, ""), Shoe(2, False, ""))}


@cache
def _first_round() -> Any:
    """The chart at the start of a game, as a spectator sees it."""
    game, random = DUTCHMAN, Random(1729)
    state = game.start(DutchmanOptions(players=3))
    while state.mover == CHANCE:
        state = game.play(state, game.chance(state).draw(random.randrange))
    return game.view(state, None)


_PICTURES: Final[dict[str, Callable[[Words], dict[str, Any]]]] = {"shanghaien": _tavern, "dutchman": _chartroom}
