"""The games that Kontor knows, by name. A third game is added here, and in its own folder."""

from __future__ import annotations

from typing import Final

from kontor.dutchman import DUTCHMAN
from kontor.game import AnyGame, BadOptions
from kontor.shanghaien import SHANGHAIEN

GAMES: Final[dict[str, AnyGame]] = {game.name: game for game in (SHANGHAIEN, DUTCHMAN)}


def game_named(name: str) -> AnyGame:
    """The game with this name. Raises BadOptions if there is none."""
    game = GAMES.get(name)
    if game is None:
        raise BadOptions(
            "", "There is no game “{name}”. Those there are: {games}.", name=name, games=", ".join(GAMES)
        )
    return game
