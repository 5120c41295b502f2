"""The tutorial of a game as pages: each is a step of a scripted game, whose state follows from the step's number.

Nothing of it is stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Final

from kontor.game import CHANCE, OVER, AnyGame, Value
from kontor.tables.pages.log_text import log_lines
from kontor.tables.pages.position import BoardPosition, PositionPage, show_position
from kontor.tables.pages.table_page import file_of, seen_of
from kontor.tables.values import VisibleStep
from kontor.web.adapter import adapter_of
from kontor.web.lessons import Lesson, LessonStep
from kontor.web.pages.refused import Refused
from kontor.web.pages.render import Pages
from kontor.web.pages.visitor import Visitor
from kontor.words import Words, mark

LEARNER: Final = mark("Anna")
"""The name of a visitor without a name at the table of the tutorial."""

SEAT: Final = 0

_LOOK: Final = mark("Look at what stands out, then go on.")

_MOST_TOLD: Final = 5
"""Maximum number of lines about what has happened by itself; if rounds went by quickly, the last ones."""

_NEVER: Final = datetime(1729, 1, 1, tzinfo=UTC)
"""The time of all steps of the scripted game."""


class Moment(Value, frozen=True):
    """The state of the scripted game at a step: the ``states`` so far, and the ``actions`` between them.

    The actions from ``new`` on have happened since the step before was done.
    """

    states: tuple[Any, ...]
    actions: tuple[Any, ...]
    new: int

    @property
    def state(self) -> Any:
        """Return the present state."""
        return self.states[-1]


def lesson_of(game: str) -> Lesson:
    """Return the tutorial of a game. Raises KeyError if there is none."""
    lesson = adapter_of(game).lesson
    if lesson is None:
        raise KeyError(game)
    return lesson


@lru_cache(maxsize=256)
def moment_of(game: str, number: int) -> Moment:
    """Return the moment of a tutorial at the step with a number, from 1. Raises KeyError if there is none."""
    lesson, rules = lesson_of(game), adapter_of(game).game
    if not 1 <= number <= len(lesson.steps):
        raise KeyError(number)
    step = lesson.steps[number - 1]
    states, actions = [rules.start(lesson.options)], []
    if number > 1:
        before, last = moment_of(game, number - 1), lesson.steps[number - 2]
        states, actions = list(before.states), list(before.actions)
        if last.move is not None:
            actions.append(last.move)
            states.append(rules.play(states[-1], last.move))
    new = len(actions)
    for action in step.before:
        actions.append(action)
        states.append(rules.play(states[-1], action))
    if step.to_the_end:
        _go_on(rules, lesson, states, actions)
    return Moment(tuple(states), tuple(actions), new)


def _go_on(rules: AnyGame, lesson: Lesson, states: list[Any], actions: list[Any]) -> None:
    below = Random(lesson.seed).randrange
    while states[-1].mover != OVER:
        state = states[-1]
        action = rules.chance(state).draw(below) if state.mover == CHANCE else lesson.goes_on(state)
        actions.append(action)
        states.append(rules.play(state, action))


def answer_to(game: str, number: int, move: Any) -> str:
    """Return what is said about a move at a step: empty for the move asked for, else why it is not this one.

    Raises Refusal for a move that the rules refuse.
    """
    step = lesson_of(game).steps[number - 1]
    if step.move is not None and move == step.move:
        return ""
    adapter_of(game).game.play(moment_of(game, number).state, move)
    return step.other


def events(game: str, moment: Moment, seat: int) -> list[VisibleStep]:
    """Return all steps so far, as a seat may know them."""
    rules = adapter_of(game).game
    views = [rules.view(state, seat) for state in moment.states]
    return [
        VisibleStep(
            at + 1,
            _NEVER,
            rules.event(moment.states[at], action, moment.states[at + 1], seat),
            views[at],
            views[at + 1],
        )
        for at, action in enumerate(moment.actions)
    ]


class LessonPage(PositionPage, frozen=True, kw_only=True):
    """The context of a step of a tutorial."""

    template: ClassVar = "learn/lesson.html"

    step: LessonStep
    place: int
    """The number of the step, from 1."""
    steps: int
    """The number of all steps."""
    happened: Sequence[str]
    """Sentences about what has happened by itself."""
    done: str
    """A sentence about the move that led here; empty if none did."""
    learner: str
    """The name by which the learner is called."""
    commitment: str
    """The commitment to the dice of a first real game; empty but for the last step of a person with a name."""
    next: str
    """The address to which a visitor returns who gives their name."""
    learn_css: str
    """The game's own styles for its tutorial; empty if it has none."""


@dataclass(frozen=True)
class LessonRequest:
    """A request for a step of a tutorial: its number, and the form that was just refused."""

    game: str
    number: int
    sent: Mapping[str, str] = field(default_factory=dict)
    refused: Refused | None = None


def lesson_page(pages: Pages, visitor: Visitor, request: LessonRequest, commitment: str) -> LessonPage:
    """Return the context of a step."""
    game, number, words = request.game, request.number, visitor.words
    adapter, lesson = adapter_of(game), lesson_of(game)
    step, moment = lesson.steps[number - 1], moment_of(game, number)
    names = (visitor.person.name if visitor.person else words.say(LEARNER), *lesson.others)
    steps = events(game, moment, SEAT)
    view = adapter.game.view(moment.state, SEAT)
    over = view.mover == OVER
    position = BoardPosition(
        game=game,
        names=names,
        view=view,
        moves=adapter.game.moves(moment.state) if step.move is not None else (),
        steps=steps,
        address=f"/learn/{game}/{number}",
        headline=words.say(step.ask or _LOOK) if not over else "",
        sent=request.sent,
        refused=request.refused,
    )
    last = lesson.steps[number - 2] if number > 1 else None
    new = () if over else steps[moment.new :]
    return LessonPage(
        position=show_position(pages, visitor, position, _tale(words, game, names, moment) if over else None),
        step=step,
        place=number,
        steps=len(lesson.steps),
        happened=[line.text for line in log_lines(words, adapter, names, new) if not line.head][-_MOST_TOLD:],
        done=words.say(last.done) if last and last.done else "",
        learner=names[SEAT],
        commitment=commitment,
        next=f"/learn/{game}/{number}",
        learn_css=file_of(pages, f"{game}-learn.css"),
    )


def _tale(words: Words, game: str, names: Sequence[str], moment: Moment) -> Any:
    seen = [seen_of(events(game, moment, seat)) for seat in range(len(names))]
    return adapter_of(game).afterwards(words, names, SEAT, seen)


def highlight_step(html: str, step: LessonStep) -> str:
    """Return the page with marks on the elements that the step is about.

    The board, which is rendered as at any table, knows nothing of the step.
    """
    if not step.lit:
        return html
    ids = "|".join(map(re.escape, step.lit))
    return re.sub(f' id="({ids})"', r' id="\1" data-asked', html)
