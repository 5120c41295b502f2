"""The part of a plug-in that lets a game's positions be analysed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from kontor.game import Refusal, Value
from kontor.plugins import part, plugins
from kontor.words import Words


class BadPosition(Refusal):
    """A description of a position that no game can reach."""


def impossible(rule: str) -> BadPosition:
    """Return the refusal of a position that breaks a rule."""
    return BadPosition(rule, "No game can stand like this.")


class Belief(Value, frozen=True):
    """A belief about one hidden thing, as ``text``, or as a distribution too.

    ``likely`` holds the probabilities (0 to 1) of ``first``, ``first`` + 1 and so on. ``short`` is the label beside
    the bars.
    """

    text: str
    likely: tuple[float, ...] = ()
    first: int = 0
    short: str = ""


class BeliefTable(Value, frozen=True):
    """Beliefs about the hidden things of a view, as a table.

    ``heads`` are the column headings; each of ``rows`` has a name and its beliefs. ``note`` says what is counted.
    """

    name: str
    title: str
    note: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Belief, ...]], ...]


def not_rewound(view: Any) -> None:
    """Return None, for a game whose every position can be written down."""


def as_it_is(view: Any) -> Any:
    """Return the view, for a game in which every field of a view affects what the moves are worth."""
    return view


def all_known(words: Words, names: Sequence[str], view: Any) -> list[BeliefTable]:
    """Return no tables, for a game in which nothing is hidden."""
    return []


def nothing_learned(view: Any) -> None:
    """Return None, for a judge that does not know its own error."""


@dataclass(frozen=True)
class AnalysisAdapter:
    """A game's way to write positions down and read them back.

    A written position is a *setup*: a frozen struct without any field that follows from the others.
    """

    setup: type[Any]
    """The type of a setup; it is decoded strictly."""
    setup_of: Callable[[Any], Any | None]
    """The setup of a state; None for a state that is described by the moves since an earlier one."""
    state_of: Callable[[Any, Any], Any]
    """``state_of(setup, options)``: the state of a setup. Raises BadPosition where no game can reach it, and
    BadOptions."""
    rewound: Callable[[Any], tuple[Any, list[Any]] | None] = not_rewound
    """A state that can be written down, and the moves and outcomes from it to a state with that view. It is None
    where there is no such path. Hidden things are imagined for the view's seat. It is called only for views of which
    no imagined state can be written down."""
    essence: Callable[[Any], Any] = as_it_is
    """The fields of a view that matter for its move: two views with the same essence have the same moves, worth the
    same."""
    beliefs: Callable[[Words, Sequence[str], Any], list[BeliefTable]] = all_known
    """Beliefs of the seat of a view about hidden things. It may be slow: it runs in the thinkers, not in a
    request."""
    learned_error: Callable[[Any], float | None] = nothing_learned
    """The standard error (0 to 1) of the learned chances of winning in a view; None where it is unknown."""


def seat_names(words: Words, players: int) -> tuple[str, ...]:
    """Return placeholder names for the seats: an address contains no names of people."""
    return tuple(words.say("Seat {number}", number=seat + 1) for seat in range(players))


def is_analysed(game: str) -> bool:
    """Return True if there is a game with this name whose positions can be analysed."""
    plugin = plugins().get(game)
    return plugin is not None and bool(plugin.analysis)


@cache
def adapter_of(game: str) -> AnalysisAdapter:
    """Return the analysis adapter of a game for which ``is_analysed`` is true."""
    return cast(
        "AnalysisAdapter", part(plugins()[game], "analysis", lambda loaded: isinstance(loaded, AnalysisAdapter))
    )
