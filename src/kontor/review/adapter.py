"""Interface by which a game's moves can be put into words and explained in a review."""

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
    """Functions with which a game describes its moves. All of them get views of the seat to move, never a state."""

    move: Callable[[Words, Names, Any, Any], str]
    """Function that describes a move in a few words: ``move(words, names, view, move)``."""
    plays_on: str
    """The computer player that plays imagined rounds to their end, for all seats: a fast one."""
    outlook: Callable[[Any, Sequence[tuple[Any, tuple[Any, ...]]]], Any]
    """Function that sums up how rounds go on.

    It is called as ``outlook(view before, [(last view, what happened until then), …])``.
    """
    outlook_type: type[Any]
    """The type of what ``outlook`` returns."""
    why: Callable[[Words, Names, Any, tuple[Any, Any], tuple[Any, Any]], list[str]]
    """Function that says in sentences why the best move was better.

    It is called as ``why(words, names, view, (move, outlook) played, (move, outlook) best)``.
    """
    drawn_evenly: Callable[[Any, int, Below], Sequence[Any]] | None = None
    """Function that draws a stratified sample of outcomes: ``drawn_evenly(view, number, below)``.

    It returns ``number`` outcomes of chance. It is for games with open information, where the outcomes are too many
    to list. Each outcome is as likely as chance makes it, but the sample represents all outcomes better than
    independent draws would. Without it the outcomes are drawn independently.
    """
    opponents: str = ""
    """The level at which the judge assumes the opponents to play; empty if the game does not say."""


@cache
def adapter_of(game: str) -> ReviewAdapter:
    """Return the review adapter of a game that has a judge."""
    return cast("ReviewAdapter", part(plugin_named(game), "review", lambda loaded: isinstance(loaded, ReviewAdapter)))
