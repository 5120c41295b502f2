"""What a game brings to the browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal

from kontor.game import AnyGame, Below, Event, Refusal
from kontor.plugins import games, usable
from kontor.questions import Question
from kontor.web.forms import Form
from kontor.web.lessons import Lesson, Tip
from kontor.web.rulebook import RuleBook
from kontor.words import Words

Names = Sequence[str]
Seen = tuple[int, Event, Any, Any]
"""A step as one reader knows it: its number, the event, and the views before and after."""

NO_CHAIR: Final = "none"
"""Stands for a chair that is left out."""


@dataclass(frozen=True)
class Chair:
    """A row of the form for a new table: who sits there if nobody says otherwise (``"friend"``, ``"machine-casual"``
    or NO_CHAIR)."""

    number: int
    usual: str


def no_choices(words: Words) -> dict[str, Any]:
    """For a game whose form needs nothing else."""
    return {}


@dataclass(frozen=True)
class Opening:
    """What the form for a new table offers, and how its options are read. The game's own fields are in its template
    ``options.html``."""

    chairs: tuple[Chair, ...]
    """All but the first, on which sits whoever opens the table."""
    may_lack: bool
    """Whether a chair can be left out."""
    options: Callable[[Form, int], Any]
    """``options(form, players)``. Raises BadOptions."""
    choices: Callable[[Words], dict[str, Any]] = no_choices
    """What ``options.html`` needs beside the form."""


@dataclass(frozen=True)
class PositionForm:
    """What a form means: the ``options``, and the ``setup`` (see ``kontor.analysis``); and by whose ``eyes`` it was
    set up, where a seat does not see everything."""

    options: Any
    setup: Any
    eyes: int | None = None


def no_form_choices(words: Words, form: Mapping[str, str]) -> dict[str, Any]:
    """For a game whose form needs nothing else."""
    return {}


@dataclass(frozen=True)
class SettingUp:
    """The form in which a position is set up for the analysis board, which is the game's template ``setup.html``. It
    gets the ``form`` as it was sent, the names of the ``seats``, and the choices."""

    position: Callable[[Mapping[str, str]], PositionForm]
    """What a form means. Raises Refusal."""
    fields: Callable[[Any], dict[str, str]]
    """The fields that mean what a seat sees: they are asked for with its view."""
    choices: Callable[[Words, Mapping[str, str]], dict[str, Any]] = no_form_choices
    """What the template needs beside the form as it is."""
    seats: Callable[[Mapping[str, str]], int] | None = None
    """For how many seats a form is, where that is chosen in it."""


@dataclass(frozen=True)
class OutcomeForm:
    """How an outcome of chance is chosen on the analysis board where there are too many to list: piece by piece, in
    the game's template ``choose.html``. What was chosen so far is one text."""

    choices: Callable[[Words, Any, str], dict[str, Any] | None]
    """``choices(words, view, chosen)``: what the template needs; None where nothing can be chosen."""
    outcome: Callable[[Any, str, Below], Any]
    """``outcome(view, chosen, below)``: what was chosen, and what was not is drawn. Raises Refusal."""


def nothing_unusual(words: Words, names: Names, options: Any) -> list[str]:
    """For a game that is always played alike."""
    return []


def no_rules_now(view: Any) -> tuple[str, ...]:
    """For a game that is so short that nobody has to look its rules up."""
    return ()


def no_pictures(words: Words) -> dict[str, Any]:
    """For a book of rules without pictures."""
    return {}


def no_tale(words: Words, names: Names, seat: int | None, steps: Sequence[Sequence[Seen]]) -> None:
    """For a game that tells nothing more when it is over."""


@dataclass(frozen=True)
class Buttons:
    """For a game of few moves, which needs no more than a button for each: ``moves`` by the value of their button."""

    moves: Mapping[str, Any]

    def context(
        self, words: Words, names: Names, view: Any, moves: Sequence[Any], events: Sequence[Seen]
    ) -> dict[str, Any]:
        """The template reads the ``view`` itself, and gets the values of the ``buttons`` for the legal moves."""
        return {"view": view, "buttons": [value for value, move in self.moves.items() if move in moves]}

    def move_of(self, form: Mapping[str, str]) -> Any:
        """The move of the button that was pressed. Raises Refusal."""
        move = self.moves.get(form.get("move", ""))
        if move is None:
            raise Refusal("", "There is no such move.")
        return move


@dataclass(frozen=True, kw_only=True)
class WebAdapter:
    """A game in the browser. Every function is given views, never a state."""

    game: AnyGame
    title: str
    meaning: str = ""
    """What the title means in the reader's language, if it is in another: marked."""
    authors: tuple[str, ...] = ()
    """Whose game it is; empty if nobody knows."""
    invitation: str
    """What one does in it, in a sentence for strangers: marked, as all sentences here."""
    summary: str
    """For how many it is, and how long it takes."""
    tone: Literal["wood", "sea"] = "wood"
    """The ground of its sign in the lobby; the sign itself is its template ``sign.svg``."""
    opening: Opening
    headline: Callable[[Words, Names, Any], str]
    """What matters now, in one line."""
    addressed: Callable[[Words, Names, Any], str] | None = None
    """The same, said to whoever sits on the seat that looks; without it they are told that it is their turn."""
    describe_event: Callable[[Words, Names, Any, Event, Any], list[str]]
    """What a step was: ``describe_event(words, names, view before, event, view after)``."""
    context: Callable[[Words, Names, Any, Sequence[Any], Sequence[Seen]], dict[str, Any]]
    """What its template ``board.html`` needs: ``context(words, names, view, moves, events since)``."""
    helpers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """What its templates call, by name, as in ``helpers("pig").dice(words, view)``: functions of plain values, and of
    the words in which to say something. A fragment then has but a part of the view as its input, and is told in
    sentences only when it is drawn."""
    move_of: Callable[[Mapping[str, str]], Any]
    """The move that a form means. Raises Refusal."""
    setting_up: SettingUp | None = None
    """Without it, positions come from games alone."""
    outcome_form: OutcomeForm | None = None
    """Without it, outcomes of chance that are too many to be listed can only be drawn."""
    book: RuleBook
    """The rules as players read them."""
    pictures: Callable[[Words], dict[str, Any]] = no_pictures
    """The scenes of the pictures in its rules, by name: what the templates in ``pictures/`` need. A game that has
    some also has ``pictures/defs.html``, with what they are all drawn from."""
    rules_now: Callable[[Any], tuple[str, ...]] = no_rules_now
    """The numbers of the rules that matter now, the first one most."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """Those rules in short, by number."""
    lesson: Lesson | None = None
    """Its tutorial."""
    tips: tuple[Tip, ...] = ()
    """What is explained at the first real table, the most important first."""
    question: Callable[[Words, Names, Any, Sequence[Any]], Question[Any]] | None = None
    """What somebody who types commands is asked: ``question(words, names, view, moves)``. Without it there is no
    field to type in."""
    looks: Mapping[str, Callable[[Words, Names, Any], list[str]]] = field(default_factory=dict)
    """What they can have read to them, by the word to be typed: lines of text."""
    unusual: Callable[[Words, Names, Any], list[str]] = nothing_unusual
    """The options that are not the usual ones: ``unusual(words, names of the seats, options)``."""
    afterwards: Callable[[Words, Names, int | None, Sequence[Sequence[Seen]]], Any] = no_tale
    """The ``tale`` of a game that is over: ``afterwards(words, names, seat, steps)``, with all steps by the eyes of
    each seat, for then nothing is hidden any more."""


@cache
def web_adapters() -> Mapping[str, WebAdapter]:
    """Of all games, by name."""
    games()  # first, so that what is wrong with rules is said of them
    return usable("web", _is_adapter)


def _is_adapter(loaded: Any) -> bool:
    return isinstance(loaded, WebAdapter) and all(
        isinstance(text, str) for text in (loaded.title, loaded.meaning, loaded.invitation, loaded.summary)
    )


def adapter_of(game: str) -> WebAdapter:
    """Of a game. Raises KeyError if there is none with this name."""
    return web_adapters()[game]
