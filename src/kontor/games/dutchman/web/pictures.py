"""What the pictures in the rules show: the real components, drawn by the board's own templates."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, Final

from kontor.game import CHANCE
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.web.board import context
from kontor.words import Words

NAMES: Final = ("Anna", "Bernd", "Carla")


def pictures(words: Words) -> dict[str, Any]:
    """The scenes of the pictures."""
    return {"start": context(words, NAMES, _first_round(), ())}


@cache
def _first_round() -> Any:
    """The chart at the start of a game, as a spectator sees it."""
    game, random = DUTCHMAN, Random(1729)
    state = game.start(Options(players=3))
    while state.mover == CHANCE:
        state = game.play(state, game.chance(state).draw(random.randrange))
    return game.view(state, None)
