"""Moves given ahead: what a game brings so that people can decide before it is their turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kontor.game import Value
from kontor.words import Words


class AheadChoice(Value, frozen=True):
    """The use of moves given ahead at one moment.

    ``move`` is to be played now; None if there is none. ``left`` are the moves that can still be played later.
    ``missed``: it is the seat's turn, and a move given for this decision does not fit. Then none of them is played.
    """

    move: Any = None
    left: tuple[Any, ...] = ()
    missed: bool = False


@dataclass(frozen=True)
class AheadPart:
    """Moves given ahead in one game. Every function is given the view of the seat, never a state.

    The form for them is the game's template ``ahead.html``, which gets the ``form`` as it was sent, and the choices.
    """

    kind: Any
    """The union of the types of moves given ahead; they are structs with ``tag_field="ahead"``."""
    choices: Callable[[Words, Any], dict[str, Any] | None]
    """``choices(words, view)``: the context of the template; None if nothing can be given ahead now."""
    given: Callable[[Mapping[str, str], Any], tuple[Any, ...]]
    """``given(form, view)``: the moves that a form means. Raises Refusal."""
    check: Callable[[Any, Sequence[Any]], None]
    """``check(view, given)`` raises Refusal unless these moves can be given ahead together now."""
    choose: Callable[[Any, Sequence[Any], tuple[Any, ...]], AheadChoice]
    """``choose(view, moves, given)``: which of them is to be played; ``moves`` are the legal ones, empty while it is
    not the seat's turn. A move given for a decision that has passed is left out."""
    describe: Callable[[Words, Any, Sequence[Any]], list[str]]
    """``describe(words, view, given)``: a sentence for each of them."""
