"""Machine players. Each sees a view and the legal moves, never a state.

A player is a pure function: the same view, moves and random numbers give the same choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from kontor.game import BadOptions
from kontor.players import dutchman_greedy, shanghaien_greedy
from kontor.players.uniform import choose as uniform

Choose = Callable[[Any, Sequence[Any], Random], Any]
"""``choose(view, moves, random)`` gives one of the moves."""

PLAYERS: Final[dict[str, dict[str, Choose]]] = {
    "shanghaien": {"random": uniform, "greedy": shanghaien_greedy.choose},
    "dutchman": {"random": uniform, "greedy": dutchman_greedy.choose},
}
"""By game and name, the weakest first."""


def player_named(game: str, name: str) -> Choose:
    """A machine player of a game. Raises BadOptions."""
    known = PLAYERS[game]
    if name not in known:
        raise BadOptions("", "There is no machine player “{name}”: {known}.", name=name, known=", ".join(known))
    return known[name]
