"""The games by their names, as the environments offer them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kontor.environments.dutchman import DutchmanEncoder
from kontor.environments.encoders import ActionEncoder
from kontor.environments.shanghaien import ShanghaienEncoder
from kontor.games import game_named

_ENCODERS: Final[dict[str, Callable[[Any], ActionEncoder]]] = {
    "shanghaien": ShanghaienEncoder,
    "dutchman": DutchmanEncoder,
}


def encoder_of(name: str, options: Any = None) -> ActionEncoder:
    """A game by numbered steps, with the usual options if none are given. Raises BadOptions."""
    game = game_named(name)
    return _ENCODERS[name](game.options() if options is None else options)
