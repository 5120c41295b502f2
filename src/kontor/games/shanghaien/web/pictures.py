"""What the pictures in the rules show: the real components, drawn by the board's own templates."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.components import TRICKS
from kontor.games.shanghaien.rules.state import Dice, Number, Place, Roll, Row, Shanghai
from kontor.games.shanghaien.web.board import context
from kontor.words import Words

NAMES: Final = ("Anna", "Bernd")

_SAILORS: Final = ("A1", "F2", "G3", "C3", "D4", "T1", "S2", "I3")
_ROW: Final = ("T2", "G4", "I4", "D2", "C3", "nudge")
_NEXT: Final = ("A1", "F3", "S2", "both", "I1", "T4")
_PLACED: Final = ((2, 2, 3, 6, 6), (3, 4, 5, 6, 6))
"""The worked example of S9: Anna's dice and Bernd's."""


def pictures(words: Words) -> dict[str, Any]:
    """The scenes of the pictures."""
    return {"cards": {"sailors": _SAILORS, "tricks": TRICKS}, "settled": context(words, NAMES, _example(), ())}


@cache
def _example() -> Any:
    """The table after the round of the example, as Anna sees it."""
    game = SHANGHAIEN
    state = game.play(game.start(Options(starter=0)), Row(_ROW))
    for turn in range(len(_PLACED[0]) * 2):
        die = _PLACED[turn % 2][turn // 2]
        for step in (Roll(), Dice(die, die), *([Number("left")] if not turn else []), Place(die)):
            state = game.play(state, step)
    return game.view(game.play(game.play(state, Shanghai()), Row(_NEXT)), 0)
