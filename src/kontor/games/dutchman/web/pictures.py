"""Pictures of the rules: positions of the sample game, drawn by the board's own templates."""

from __future__ import annotations

from typing import Any, Final

from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.state import Accept, Sail, Show
from kontor.games.dutchman.web.board import context
from kontor.games.dutchman.web.hand import destinations, in_play
from kontor.games.dutchman.web.sample_game import ANNA, CARLA, DORA, EMIL, NAMES, Moment, sample_game
from kontor.words import Words

SCENES: Final[dict[str, tuple[int, str, type | None, int | None, dict[str, str]]]] = {
    "start": (1, "lucky", None, None, {}),
    "own": (1, "lucky", None, ANNA, {}),
    "chart-31": (7, "action", None, None, {}),
    "exchange": (7, "put", None, ANNA, {"put": "blue blue"}),
    "laying": (7, "action", None, DORA, {"shoe": "20 10"}),
    "chosen": (7, "share", None, None, {}),
    "revealed": (7, "name", None, None, {}),
    "named": (7, "propose", None, None, {}),
    "again": (7, "sail", None, None, {}),
    "steering": (7, "sail", None, EMIL, {"to": "blue 3"}),
    "ship": (8, "lucky", Sail, None, {}),
    "proposing": (8, "propose", None, CARLA, {"to": "orange 3", "ducats1": "6"}),
    "proposed": (8, "answer", None, DORA, {}),
    "agreed": (9, "lucky", Accept, None, {}),
    "showing": (9, "show", None, CARLA, {"colour": "red"}),
    "island": (10, "lucky", Show, None, {}),
    "bankrupt": (10, "shuffle", Sail, None, {}),
    "end": (12, "over", Sail, None, {}),
}
"""Scenes by name: the round, the step, the move before, the viewing seat, and what it has chosen by then.

A scene is the first position that fits; with a choice, the first in which it is also that seat's turn.
"""


def pictures(words: Words) -> dict[str, Any]:
    """Return the scenes of the pictures."""
    return {name: _scene(words, name) for name in SCENES}


def moment(name: str) -> Moment:
    """Return the position of a scene."""
    number, step, after, seat, chosen = SCENES[name]
    return next(
        each
        for each in sample_game()
        if (each.state.round, each.state.step) == (number, step)
        and (after is None or isinstance(each.steps[-1][1], after))
        and (not chosen or each.state.mover == seat)
    )


def _scene(words: Words, name: str) -> dict[str, Any]:
    seat, chosen = SCENES[name][3:]
    scene = moment(name)
    view = DUTCHMAN.view(scene.state, seat)
    moves = DUTCHMAN.moves(scene.state) if seat is not None and scene.state.mover == seat else ()
    choosing = view.step in ("sail", "name", "propose") and moves
    return {
        **context(words, NAMES, view, moves, scene.seen(seat)),
        "me": in_play(view),
        "sent": chosen,
        "chosen": tuple(map(int, chosen.get("shoe", "").split())),
        "destinations": destinations(view) if choosing else (),
    }
