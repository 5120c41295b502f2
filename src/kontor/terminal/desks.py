"""The games that can be played at a terminal. A third game is added here, and in files of its own."""

from __future__ import annotations

from typing import Final

from kontor.games import game_named
from kontor.terminal.desk import Desk
from kontor.terminal.dutchman_asking import DUTCHMAN_DESK
from kontor.terminal.shanghaien_asking import SHANGHAIEN_DESK

DESKS: Final[dict[str, Desk]] = {desk.game.name: desk for desk in (SHANGHAIEN_DESK, DUTCHMAN_DESK)}


def desk_named(name: str) -> Desk:
    """The desk of a game. Raises BadOptions if there is no such game."""
    return DESKS[game_named(name).name]
