"""Terminal adapters: what a game brings to be played at a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from kontor.game import AnyGame, BadOptions, Event
from kontor.plugins import games, plugin_named, usable
from kontor.questions import Question, asked_in
from kontor.terminal.prompt import Conversation
from kontor.terminal.screen import Picture
from kontor.words import Words

Names = Sequence[str]
Draw = Callable[[Words, Names, Any], Picture]
"""``draw(words, names, view)``."""


@dataclass(frozen=True)
class Setting:
    """An option of the game on the command line: ``--name``, a placeholder for its value, and its help."""

    name: str
    value: str
    help: str


@dataclass(frozen=True)
class ObservedStep:
    """A step as one watcher saw it: the views before and after, and the event between."""

    before: Any
    event: Event
    after: Any


def no_rules(words: Words, view: Any) -> list[tuple[str, str]]:
    """Return no rules, for a game that explains itself."""
    return []


@dataclass(frozen=True, kw_only=True)
class TerminalAdapter:
    """A game at a terminal. Every function that draws, describes or asks gets views, never a state."""

    game: AnyGame
    title: str
    usual: tuple[str, ...] = ("Anna", "Bernd")
    """Names of the seats, and so the number of players, by default."""
    secrets: bool = False
    """True if a seat knows anything that the others may not see."""
    settings: tuple[Setting, ...] = ()
    options: Callable[[Mapping[str, str], Names], Any]
    """Returns the game's options from the given settings and the names of the seats. Raises BadOptions."""
    unusual: Callable[[Words, Names, Any], list[str]]
    """Describes the options that differ from the usual ones: ``unusual(words, names, options)``."""
    headline: Callable[[Words, Names, Any], str]
    """Returns what matters now, in one line."""
    board: Draw
    """Draws the table as the view shows it, with what only the viewer sees."""
    hand: Draw | None = None
    """Draws only what the viewer alone has, in a line; None where nothing is hidden."""
    describe_event: Callable[[Words, Names, Any, Event, Any], list[str]]
    """Describes a step: ``describe_event(words, names, view before, event, view after)``."""
    rules: Callable[[Words, Any], list[tuple[str, str]]] = no_rules
    """Returns the rules that matter now, with their numbers, the most important one first."""
    looks: Mapping[str, Draw] = field(default_factory=dict)
    """Further drawings, by the word to type for them."""
    ask: Callable[[Conversation, Names, Any, Sequence[Any]], Any]
    """Returns a move chosen by the person at the keyboard; it may be one that the rules refuse."""
    report: Callable[[Words, Names, Sequence[ObservedStep]], Picture] | None = None
    """Draws how a round went, from its steps as a spectator saw them; None where rounds are too short for that."""
    ending: Draw | None = None
    """Draws how the totals come about when the game is over; None where the board shows it."""


Ask = Callable[[Conversation, Names, Any, Sequence[Any]], Any]


def asked_by(question: Callable[[Words, Names, Any, Sequence[Any]], Question[Any]]) -> Ask:
    """Return a function that asks for a move in one line."""

    def ask(talk: Conversation, names: Names, view: Any, moves: Sequence[Any]) -> Any:
        return talk.ask(asked_in(talk.words, lambda words: question(words, names, view, moves)))

    return ask


def whole_number(given: str, rule: str) -> int:
    """Return a whole number from the command line. Raises BadOptions."""
    try:
        return int(given)
    except ValueError:
        raise BadOptions(rule, "“{given}” is not a whole number.", given=given) from None


def seat_named(given: str, names: Names, rule: str) -> int:
    """Return a seat, given by its name or by its number from 1. Raises BadOptions."""
    for seat, name in enumerate(names):
        if given.casefold() == name.casefold() or given == str(seat + 1):
            return seat
    raise BadOptions(
        rule, "Nobody at the table is called {given}; there are {names}.", given=given, names=", ".join(names)
    )


@cache
def terminal_adapters() -> Mapping[str, TerminalAdapter]:
    """Return the adapters of all games, by name."""
    games()  # first, so that errors in rules are reported as such
    return usable("terminal", is_terminal_adapter)


RESERVED: Final = frozenset({
    "all", "data", "games", "help", "jobs", "json", "language", "mirrored", "players", "ray", "records", "resume",
    "salts", "save", "seat", "seed", "version",
})  # fmt: skip
"""Options of the program itself; a game's setting cannot have their names."""

_SETTING: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def is_terminal_adapter(loaded: Any) -> bool:
    """Return True for an adapter; raise ValueError for one whose settings cannot be options."""
    if not isinstance(loaded, TerminalAdapter) or not isinstance(loaded.title, str):
        return False
    names = [setting.name for setting in loaded.settings]
    for name in names:
        if not _SETTING.fullmatch(name):
            raise ValueError(f"a setting cannot be called “{name}”: use a-z, 0-9 and - inside")
        if name in RESERVED:
            raise ValueError(f"a setting cannot be called “{name}”: --{name} is an option of the program")
        if names.count(name) > 1:
            raise ValueError(f"two settings are called “{name}”")
    return all(isinstance(text, str) for setting in loaded.settings for text in (setting.value, setting.help))


def adapter_named(name: str) -> TerminalAdapter:
    """Return the adapter of a game. Raises BadOptions if there is none, or if it cannot be played at a terminal."""
    adapters = terminal_adapters()
    return adapters[plugin_named(name).name]
