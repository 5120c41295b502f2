"""The adapter that a game brings so that puzzles can be made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, cast

from kontor.plugins import part, plugin_named, plugins
from kontor.puzzles.values import Solved

PlayOut = Callable[[Any, Any, str], float]
"""``play_out(view, move, deal)`` returns the seat's chance to win at the end of the round. The strongest player
plays all seats on in an imagined deal whose seed is ``deal``."""


@dataclass(frozen=True)
class PuzzleAdapter:
    """Maker of puzzles from a game's decisions. Every function gets views of the seat that decides, never a state."""

    tables: Callable[[int], tuple[Any, tuple[str, ...]]]
    """Returns the options of the machine game with a number, and who plays."""
    ladder: tuple[str, ...]
    """Computer players of rising strength: a puzzle is hard if few of them find the best move."""
    screen: Callable[[Any, Sequence[Any], Random], tuple[Any, Any] | None]
    """``screen(view, moves, random)`` quickly returns the best and the second move at first sight; None if they
    are not clearly apart."""
    solve: Callable[[Any, Sequence[Any], Random], Solved]
    """Returns what every legal move is worth."""
    clear: Callable[[Solved], bool]
    """Returns True if the best move is good enough for a puzzle: plainly better than each other one."""
    holds: Callable[[Solved], bool]
    """Returns True if the best move is still better than each other one when the puzzle is solved again."""
    theme: Callable[[Any, Sequence[Any], Any, Any], str]
    """``theme(view, moves, best move, second)`` returns what a puzzle is about, one of ``themes``."""
    themes: Mapping[str, str]
    """Names of the themes, marked for translation; a name may reveal the answer."""
    asks: Mapping[str, str]
    """By theme, the key of the question that is asked, which reveals nothing."""
    questions: Mapping[str, str]
    """Questions by key, marked for translation."""
    play_out: PlayOut | None = None
    """Plays a puzzle out before it ships; None for a game whose puzzles are solved, not sampled."""


def has_puzzles(game: str) -> bool:
    """Return True if there are puzzles of a game."""
    return bool(plugin_named(game).puzzles)


def games_with_puzzles() -> list[str]:
    """Return the names of the games that have puzzles."""
    return [name for name in plugins() if has_puzzles(name)]


@cache
def adapter_of(game: str) -> PuzzleAdapter:
    """Return the puzzle adapter of a game that has one."""
    return cast(
        "PuzzleAdapter", part(plugin_named(game), "puzzles", lambda loaded: isinstance(loaded, PuzzleAdapter))
    )
