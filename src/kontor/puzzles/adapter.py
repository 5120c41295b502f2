"""What a game brings so that puzzles can be made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, cast

from kontor.plugins import part, plugin_named, plugins
from kontor.puzzles.values import Solved

PlayOut = Callable[[Any, Any, str], float]
"""``play_out(view, move, deal)``: the seat's chance to win at the end of the round, if the strongest player plays all
seats on in an imagined deal whose seed is ``deal``."""


@dataclass(frozen=True)
class PuzzleAdapter:
    """How a game's decisions become puzzles. Every function is given views of whoever decides, never a state."""

    tables: Callable[[int], tuple[Any, tuple[str, ...]]]
    """The options of the machine game with a number, and who plays."""
    ladder: tuple[str, ...]
    """Computer players of rising strength: how hard a puzzle is follows from who of them finds the best move."""
    screen: Callable[[Any, Sequence[Any], Random], tuple[Any, Any] | None]
    """``screen(view, moves, random)``: the best and the second move at first sight; None where they are not clearly
    apart. It is quick."""
    solve: Callable[[Any, Sequence[Any], Random], Solved]
    """What every legal move is worth."""
    clear: Callable[[Solved], bool]
    """Whether the best move is good enough for a puzzle: plainly better than each other one."""
    holds: Callable[[Solved], bool]
    """Whether it is still better than each other one, when it is solved again."""
    theme: Callable[[Any, Sequence[Any], Any, Any], str]
    """What a puzzle is about, one of ``themes``: ``theme(view, moves, best move, second)``."""
    themes: Mapping[str, str]
    """Each with what it is called, marked for translation; that may tell the answer."""
    asks: Mapping[str, str]
    """By theme, the key of the question that is asked, which tells nothing."""
    questions: Mapping[str, str]
    """By key, marked for translation."""
    play_out: PlayOut | None = None
    """How a puzzle is played out before it ships; None for a game whose puzzles are solved."""


def has_puzzles(game: str) -> bool:
    """Whether there are puzzles of a game."""
    return bool(plugin_named(game).puzzles)


def games_with_puzzles() -> list[str]:
    """The games of which there are puzzles, by name."""
    return [name for name in plugins() if has_puzzles(name)]


@cache
def adapter_of(game: str) -> PuzzleAdapter:
    """How a game's puzzles are made; only for one that has some."""
    return cast(
        "PuzzleAdapter", part(plugin_named(game), "puzzles", lambda loaded: isinstance(loaded, PuzzleAdapter))
    )
