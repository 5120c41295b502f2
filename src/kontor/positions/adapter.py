"""What a game brings so that its decisions can be judged for a file."""

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
"""Random numbers for one purpose in one position, the same whenever they are asked for."""


@dataclass(frozen=True)
class PositionsAdapter:
    """How a game's decisions are judged. Every function is given views of whoever decides, never a state."""

    tables: Sequence[tuple[Any, tuple[str, ...]]]
    """The options of a machine game, and who plays it: one after the other, then from the first again. Their number
    has no factor in common with one of players, so that everybody comes to sit on every seat."""
    of_a_game: int
    """From one game so many decisions are taken at most, of different rounds."""
    judge: str
    """Who judges and with what effort, in English: it stands in the file."""
    shortlist: Callable[[Any, Sequence[Any], Luck], Sequence[Any]]
    """``shortlist(view, moves, luck)``: all legal moves, or those worth a thought where there are too many to be
    judged; fewer than two where there is nothing to judge."""
    value: Callable[[Any, Sequence[Any], Luck], Judgement]
    """``value(view, moves, luck)``: what these moves are worth. Both values of a move are the same whatever other
    moves are judged."""


def has_positions(game: str) -> bool:
    """Whether positions of a game can be judged for a file."""
    return bool(plugin_named(game).positions)


@cache
def adapter_of(game: str) -> PositionsAdapter:
    """How a game's positions are judged. Raises BadOptions if they are not."""
    plugin = plugin_named(game)
    if not plugin.positions:
        raise BadOptions("", "Positions of {game} cannot be judged.", game=game)
    return cast("PositionsAdapter", part(plugin, "positions", lambda loaded: isinstance(loaded, PositionsAdapter)))
