"""The adapter that a game brings for the browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal

from kontor.game import AnyGame, Below, Event, Refusal
from kontor.plugins import games, usable
from kontor.questions import Question
from kontor.web.ahead import AheadPart
from kontor.web.forms import Form
from kontor.web.lessons import Lesson, Tip
from kontor.web.rulebook import RuleBook
from kontor.words import Words

Names = Sequence[str]
Seen = tuple[int, Event, Any, Any]
"""A step as one reader knows it: its number, the event, and the views before and after."""

NO_CHAIR: Final = "none"
"""The value for a chair that is left out."""


@dataclass(frozen=True)
class Chair:
    """A row of the form for a new table.

    ``usual`` is the default occupant: ``"friend"``, ``"machine-casual"`` or NO_CHAIR.
    """

    number: int
    usual: str


def no_fields(options: Any) -> dict[str, str]:
    """Return no fields, for a game whose form then begins with its usual options."""
    return {}


def no_choices(words: Words) -> dict[str, Any]:
    """Return no choices, for a game whose form needs none."""
    return {}


@dataclass(frozen=True)
class Opening:
    """The choices of the form for a new table, and how its options are read.

    The game's own fields are in its template ``options.html``.
    """

    chairs: tuple[Chair, ...]
    """All chairs but the first, which belongs to the person who opens the table."""
    may_lack: bool
    """True if a chair can be left out."""
    options: Callable[[Form, int], Any]
    """``options(form, players)``. Raises BadOptions."""
    choices: Callable[[Words], dict[str, Any]] = no_choices
    """Context of ``options.html`` beside the form."""
    fields: Callable[[Any], dict[str, str]] = no_fields
    """``fields(options)``: the fields of the form that mean these options, to propose a table like another."""


@dataclass(frozen=True)
class PositionForm:
    """The meaning of a form: the ``options``, and the ``setup`` (see ``kontor.analysis``).

    ``eyes`` is the seat from whose view the position was set up, if a seat does not see everything.
    """

    options: Any
    setup: Any
    eyes: int | None = None


def no_form_choices(words: Words, form: Mapping[str, str]) -> dict[str, Any]:
    """Return no choices, for a game whose form needs none."""
    return {}


@dataclass(frozen=True)
class SettingUp:
    """The form in which a position is set up for the analysis board: the game's template ``setup.html``.

    The template gets the ``form`` as it was sent, the names of the ``seats``, and the choices.
    """

    position: Callable[[Mapping[str, str]], PositionForm]
    """The position that a form describes. Raises Refusal."""
    fields: Callable[[Any], dict[str, str]]
    """The form fields that describe what a seat sees, computed from its view."""
    choices: Callable[[Words, Mapping[str, str]], dict[str, Any]] = no_form_choices
    """Context of the template beside the form as it is."""
    seats: Callable[[Mapping[str, str]], int] | None = None
    """The number of seats of a form, if it can be chosen there."""


@dataclass(frozen=True)
class OutcomeForm:
    """The choice of an outcome of chance on the analysis board, if there are too many outcomes to list.

    It is chosen piece by piece, in the game's template ``choose.html``. The pieces chosen so far are one text.
    """

    choices: Callable[[Words, Any, str], dict[str, Any] | None]
    """``choices(words, view, chosen)``: the template's context; None if nothing can be chosen."""
    outcome: Callable[[Any, str, Below], Any]
    """``outcome(view, chosen, below)``: the outcome with the pieces chosen; the others are drawn. Raises Refusal."""


@dataclass(frozen=True)
class LivingStep:
    """A step of a recorded game that is shown, by its number from 1, with one of the sentences about it."""

    number: int
    sentence: int = 0


@dataclass(frozen=True)
class LivingGame:
    """A recorded game that ships with the game: strangers see some of its steps, one after the other.

    They are drawn by the game's template ``living.html``, which gets the context of its board, and styled by
    ``<game>-living.css``.
    """

    record: str
    """The name of the record in the package's folder ``web``."""
    steps: tuple[LivingStep, ...]


def nothing_unusual(words: Words, names: Names, options: Any) -> list[str]:
    """Return no lines, for a game that is always played with the same options."""
    return []


def no_rules_now(view: Any) -> tuple[str, ...]:
    """Return no rule numbers, for a game so short that its rules need no looking up."""
    return ()


def no_pictures(words: Words) -> dict[str, Any]:
    """Return no scenes, for rules without pictures."""
    return {}


def no_tale(words: Words, names: Names, seat: int | None, steps: Sequence[Sequence[Seen]]) -> None:
    """Return None, for a game that tells nothing more when it is over."""


def retell_nothing(words: Words, names: Names, view: Any, latest: Callable[[], Sequence[Seen]]) -> str:
    """Return an empty text, for a game whose headline never tells what has just happened."""
    return ""


@dataclass(frozen=True)
class Buttons:
    """The form of a game with few moves, which needs only a button for each; ``moves`` are keyed by button value."""

    moves: Mapping[str, Any]

    def context(
        self, words: Words, names: Names, view: Any, moves: Sequence[Any], events: Sequence[Seen]
    ) -> dict[str, Any]:
        """Return the ``view`` for the template to read, and the values of the ``buttons`` for the legal moves."""
        return {"view": view, "buttons": [value for value, move in self.moves.items() if move in moves]}

    def move_of(self, form: Mapping[str, str]) -> Any:
        """Return the move of the button that was pressed. Raises Refusal."""
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
    """The meaning of the title in the reader's language, if it is in another: marked."""
    authors: tuple[str, ...] = ()
    """The authors of the game; empty if they are unknown."""
    invitation: str
    """Description of the game in a sentence for strangers: marked, as all sentences here."""
    summary: str
    """The number of players, and how long a game takes."""
    tone: Literal["wood", "sea"] = "wood"
    """The background of its sign in the lobby; the sign itself is its template ``sign.svg``."""
    opening: Opening
    headline: Callable[[Words, Names, Any], str]
    """The most important thing now, in one line."""
    addressed: Callable[[Words, Names, Any], str] | None = None
    """The same, addressed to the person of the seat that looks; without it they are told that it is their turn."""
    retell: Callable[[Words, Names, Any, Callable[[], Sequence[Seen]]], str] = retell_nothing
    """An event that just happened and must be known first: ``retell(words, names, view, the last steps)``.

    It is the headline, addressed like the one above, unless it is empty.
    """
    describe_event: Callable[[Words, Names, Any, Event, Any], list[str]]
    """Sentences about a step: ``describe_event(words, names, view before, event, view after)``."""
    context: Callable[[Words, Names, Any, Sequence[Any], Sequence[Seen]], dict[str, Any]]
    """Variables of its template ``board.html``: ``context(words, names, view, moves, events since)``.

    They cannot replace those that every board has (``Board``).
    """
    helpers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """Functions that its templates call, by name, as in ``helpers("pig").dice(words, view)``.

    They take plain values, and the words in which to say something. So the input of a fragment is only a part of the
    view, and sentences are made only when it is drawn.
    """
    move_of: Callable[[Mapping[str, str]], Any]
    """The move that a form describes. Raises Refusal."""
    setting_up: SettingUp | None = None
    """The form for setting up positions; without it, positions come from games only."""
    outcome_form: OutcomeForm | None = None
    """The form for an outcome of chance; without it, outcomes too many to list can only be drawn."""
    book: RuleBook
    """The rules as players read them."""
    pictures: Callable[[Words], dict[str, Any]] = no_pictures
    """The scenes of the pictures in its rules, by name: the context of the templates in ``pictures/``.

    A game with pictures also has ``pictures/defs.html``, which holds the parts shared by all of them.
    """
    rules_now: Callable[[Any], tuple[str, ...]] = no_rules_now
    """The numbers of the rules that matter now, the most important first."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """Those rules in short, by number."""
    lesson: Lesson | None = None
    """The game's tutorial."""
    tips: tuple[Tip, ...] = ()
    """Explanations at the first real table, the most important first."""
    question: Callable[[Words, Names, Any, Sequence[Any]], Question[Any]] | None = None
    """The question to somebody who types commands: ``question(words, names, view, moves)``.

    Without it there is no field to type in.
    """
    living: LivingGame | None = None
    """A recorded game for strangers to look at; without one they see the game's sign."""
    places_confirmation: bool = False
    """True if its template has a place, marked by ``data-confirm``, for the question whether a move is to be made."""
    asks_itself: tuple[type, ...] = ()
    """The types of moves about which its own page asks once more, so that nobody is asked twice."""
    ahead: AheadPart | None = None
    """The moves that people can give before it is their turn; without it there are none."""
    looks: Mapping[str, Callable[[Words, Names, Any], list[str]]] = field(default_factory=dict)
    """Lines of text that they can have read out, by the word to be typed."""
    unusual: Callable[[Words, Names, Any], list[str]] = nothing_unusual
    """The options that differ from the usual ones: ``unusual(words, names of the seats, options)``."""
    afterwards: Callable[[Words, Names, int | None, Sequence[Sequence[Seen]]], Any] = no_tale
    """The ``tale`` of a game that is over: ``afterwards(words, names, seat, steps)``.

    It gets all steps as each seat saw them, for then nothing is hidden any more.
    """


@cache
def web_adapters() -> Mapping[str, WebAdapter]:
    """Return the adapters of all games, by name."""
    games()  # first, so that errors in rules are reported as such
    return usable("web", _is_adapter)


def _is_adapter(loaded: Any) -> bool:
    return isinstance(loaded, WebAdapter) and all(
        isinstance(text, str) for text in (loaded.title, loaded.meaning, loaded.invitation, loaded.summary)
    )


def adapter_of(game: str) -> WebAdapter:
    """Return the adapter of a game. Raises KeyError if there is none with this name."""
    return web_adapters()[game]
