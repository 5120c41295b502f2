"""What a game brings to be reviewed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from kontor.game import Below
from kontor.plugins import part, plugin_named
from kontor.words import Words

Names = Sequence[str]


@dataclass(frozen=True)
class ReviewAdapter:
    """How a game speaks of its moves. Every function is given views of whoever decides, never a state."""

    move: Callable[[Words, Names, Any, Any], str]
    """A move in a few words: ``move(words, names, view, move)``."""
    plays_on: str
    """The computer player by whom imagined rounds are played on, for all seats: one that is quick."""
    outlook: Callable[[Any, Sequence[tuple[Any, tuple[Any, ...]]]], Any]
    """How rounds go on: ``outlook(view before, [(last view, what happened until then), …])``."""
    outlook_type: type[Any]
    """Of what ``outlook`` gives."""
    why: Callable[[Words, Names, Any, tuple[Any, Any], tuple[Any, Any]], list[str]]
    """Why the best move was better, in sentences: ``why(words, names, view, (move, outlook) played, (move, outlook)
    best)``."""
    drawn_evenly: Callable[[Any, int, Below], Sequence[Any]] | None = None
    """``drawn_evenly(view, number, below)``: so many outcomes of chance, where there are too many to list.
    Each is as likely as chance makes it, but together they are more alike all outcomes than if each were drawn for
    itself. For a game in which all lies open; without it each is."""
    opponents: str = ""
    """The level at which the judge takes the others to play; empty where a game does not say."""


@cache
def adapter_of(game: str) -> ReviewAdapter:
    """How a game is reviewed; only for one that has a judge."""
    return cast("ReviewAdapter", part(plugin_named(game), "review", lambda loaded: isinstance(loaded, ReviewAdapter)))
