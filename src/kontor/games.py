"""The games that Kontor knows, by name. A third game is added here, and in its own folder."""

from __future__ import annotations

from typing import Final

from kontor.game import AnyGame, BadOptions
from kontor.shanghaien import SHANGHAIEN

GAMES: Final[dict[str, AnyGame]] = {game.name: game for game in (SHANGHAIEN,)}


def game_named(name: str) -> AnyGame:
    """The game with this name. Raises BadOptions if there is none."""
    game = GAMES.get(name)
    if game is None:
        raise BadOptions("kontor.games", "There is no game “{name}” here, only {games}.", name=name, games=_listed())
    return game


def _listed() -> str:
    """``shanghaien``; ``shanghaien and dutchman``."""
    *others, last = GAMES
    return f"{', '.join(others)} and {last}" if others else last
