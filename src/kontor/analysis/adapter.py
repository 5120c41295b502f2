"""What a game brings to have its positions looked into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from kontor.game import Refusal, Value
from kontor.plugins import part, plugins
from kontor.words import Words


class BadPosition(Refusal):
    """What describes no position in which a game can stand."""


def impossible(rule: str) -> BadPosition:
    """Why a position cannot be: because of a rule."""
    return BadPosition(rule, "No game can stand like this.")


class Belief(Value, frozen=True):
    """What is believed of one thing, as ``text``; with a distribution also how likely there are ``first``, and one
    more, and so on, of it, each 0 to 1. ``short`` is what stands beside its bars."""

    text: str
    likely: tuple[float, ...] = ()
    first: int = 0
    short: str = ""


class BeliefTable(Value, frozen=True):
    """What a view leaves open, in rows of things believed; ``heads`` are those of the columns, ``rows`` have a name
    each. ``note`` says what is counted."""

    name: str
    title: str
    note: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Belief, ...]], ...]


def not_rewound(view: Any) -> None:
    """For a game whose every position can be written down."""


def as_it_is(view: Any) -> Any:
    """For a game whose views hold nothing that does not matter for what the moves are worth."""
    return view


def all_known(words: Words, names: Sequence[str], view: Any) -> list[BeliefTable]:
    """For a game in which nothing is hidden."""
    return []


def nothing_learned(view: Any) -> None:
    """For a judge who does not know how far off what it has learned is."""


@dataclass(frozen=True)
class AnalysisAdapter:
    """How a game's positions are written down and read: as a *setup*, a frozen struct without anything that follows
    from the rest of it."""

    setup: type[Any]
    """What a setup is. It is decoded strictly."""
    setup_of: Callable[[Any], Any | None]
    """The setup of a state; None for a state that is told by the moves since another."""
    state_of: Callable[[Any, Any], Any]
    """``state_of(setup, options)``. Raises BadPosition where no game can stand like that, and BadOptions."""
    rewound: Callable[[Any], tuple[Any, list[Any]] | None] = not_rewound
    """A state that can be written down, and the moves and outcomes that lead from there to a state with that view;
    None where they cannot be found. What is hidden from the view's seat is imagined. It is asked only about views
    from which no state can be imagined that can be written down."""
    essence: Callable[[Any], Any] = as_it_is
    """What of a view matters to whoever moves there: two views in which it is the same call for the same moves."""
    beliefs: Callable[[Words, Sequence[str], Any], list[BeliefTable]] = all_known
    """What the seat of a view can believe of what it does not see. It may take long, and is asked where it keeps
    nobody waiting."""
    learned_error: Callable[[Any], float | None] = nothing_learned
    """How far off, as a rule, the chances told of a view are where they were learned: a standard error, 0 to 1."""


def seat_names(words: Words, players: int) -> tuple[str, ...]:
    """What seats are called where nobody sits: an address tells nothing of people."""
    return tuple(words.say("Seat {number}", number=seat + 1) for seat in range(players))


def is_analysed(game: str) -> bool:
    """Whether there is a game with this name whose positions can be looked into."""
    plugin = plugins().get(game)
    return plugin is not None and bool(plugin.analysis)


@cache
def adapter_of(game: str) -> AnalysisAdapter:
    """How a game's positions are written down; only for one of which ``is_analysed`` says so."""
    return cast(
        "AnalysisAdapter", part(plugins()[game], "analysis", lambda loaded: isinstance(loaded, AnalysisAdapter))
    )
