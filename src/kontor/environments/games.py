"""The games by their names, as the environments offer them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kontor.environments.dutchman import DutchmanForm
from kontor.environments.forms import Form
from kontor.environments.shanghaien import ShanghaienForm
from kontor.games import game_named

_FORMS: Final[dict[str, Callable[[Any], Form]]] = {"shanghaien": ShanghaienForm, "dutchman": DutchmanForm}


def form_of(name: str, options: Any = None) -> Form:
    """A game by numbered steps, with the usual options if none are given. Raises BadOptions."""
    game = game_named(name)
    return _FORMS[name](game.options() if options is None else options)
