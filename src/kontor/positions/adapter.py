"""Adapter by which the decisions of a game are judged for a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, cast

from kontor.game import BadOptions
from kontor.plugins import part, plugin_named
from kontor.positions.values import Judgement

Luck = Callable[[str], Random]
"""Returns random numbers for one purpose in one position, the same at every call."""


@dataclass(frozen=True)
class PositionsAdapter:
    """Judge of a game's decisions. Every function gets views of the seat that decides, never a state."""

    tables: Sequence[tuple[Any, tuple[str, ...]]]
    """The options of a machine game, and who plays it. Games use the entries in turn, then begin again. Their
    number has no factor in common with the number of players, so that every player comes to sit on every seat."""
    of_a_game: int
    """The most decisions taken from one game, each of a different round."""
    judge: str
    """Judge and its effort, in English; it is written into the file."""
    shortlist: Callable[[Any, Sequence[Any], Luck], Sequence[Any]]
    """``shortlist(view, moves, luck)`` returns all legal moves, or the promising ones where there are too many to
    judge. It returns fewer than two where there is nothing to judge."""
    value: Callable[[Any, Sequence[Any], Luck], Judgement]
    """``value(view, moves, luck)`` returns what these moves are worth. Both values of a move are independent of
    the other moves judged."""


@cache
def adapter_of(game: str) -> PositionsAdapter:
    """Return the adapter that judges a game's positions. Raises BadOptions if there is none."""
    plugin = plugin_named(game)
    if not plugin.positions:
        raise BadOptions("", "Positions of {game} cannot be judged.", game=game)
    return cast("PositionsAdapter", part(plugin, "positions", lambda loaded: isinstance(loaded, PositionsAdapter)))
