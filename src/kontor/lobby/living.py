"""Recorded games on the first page: their steps as pictures with a sentence each, drawn once for each language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Final

from markupsafe import Markup

from kontor import records
from kontor.game import AnyGame
from kontor.plugins import plugins
from kontor.records import Record
from kontor.web.adapter import LivingStep, WebAdapter, adapter_of
from kontor.web.pages.render import Pages
from kontor.web.pages.template_context import GamePart, TemplateContext
from kontor.web.pages.visitor import Visitor

_IDS: Final = "living"
"""The beginning of all ids in the pictures."""


class Scene(GamePart, frozen=True, kw_only=True):
    """The context of a game's ``living.html``: that of its board, as a spectator sees it."""

    game: str

    @property
    def template_name(self) -> str:
        """Return the name of the game's template."""
        return f"{self.game}/living.html"


class Frame(TemplateContext, frozen=True, kw_only=True):
    """The context of one step: the picture, and the sentence about it."""

    template: ClassVar = "lobby/frame.html"

    game: str
    next: str
    """The address of the next frame. It names what the frame depends on, so browsers can keep it."""
    picture: Markup
    sentence: str


@dataclass(frozen=True)
class _ViewedStep:
    """A step that is shown, with its views."""

    step: LivingStep
    views: tuple[Any, Any]
    event: Any


class LivingGames:
    """A cache of the frames of all recorded games, by language: drawing one takes milliseconds."""

    def __init__(self) -> None:
        self._frames: dict[tuple[str, int, str], Frame] = {}

    def count(self, game: str) -> int:
        """Return the number of frames of a game; 0 for a game without a recorded one."""
        living = adapter_of(game).living
        return len(living.steps) if living else 0

    def frame(self, pages: Pages, visitor: Visitor, game: str, number: int) -> Frame:
        """Return a frame of a game, counted from 0. Raises IndexError."""
        key = (game, number, visitor.language)
        if key not in self._frames:
            self._frames[key] = _draw(pages, visitor, adapter_of(game), number)
        return self._frames[key]


def _draw(pages: Pages, visitor: Visitor, adapter: WebAdapter, number: int) -> Frame:
    words, names = visitor.words, _record(adapter.game.name).header.seats
    steps = _viewed_steps(adapter.game.name)
    viewed = steps[number]
    before, after = viewed.views
    seen = (viewed.step.number, viewed.event, before, after)
    scene = Scene(game=adapter.game.name, own=adapter.context(words, names, after, (), (seen,)))
    sentences = adapter.describe_event(words, names, before, viewed.event, after)
    return Frame(
        game=adapter.game.name,
        next=f"/living/{adapter.game.name}/{(number + 1) % len(steps)}?in={visitor.language}&{pages.assets.digest}",
        picture=pages.figure(f"{_IDS}-{adapter.game.name}", visitor, scene),
        sentence=sentences[viewed.step.sentence],
    )


@cache
def _record(game: str) -> Record:
    living = adapter_of(game).living
    assert living
    return records.decode(files(f"{plugins()[game].package}.web").joinpath(living.record).read_bytes())


@cache
def _viewed_steps(game: str) -> tuple[_ViewedStep, ...]:
    """Return the steps to show, in the order in which the game names them."""
    adapter = adapter_of(game)
    assert adapter.living
    record, game_rules = _record(game), adapter.game
    states = tuple(records.replay(record))
    return tuple(_spectated(game_rules, record, states, step) for step in adapter.living.steps)


def _spectated(game: AnyGame, record: Record, states: tuple[Any, ...], step: LivingStep) -> _ViewedStep:
    """Return a step as a spectator knows it."""
    before, after = states[step.number - 1 : step.number + 1]
    event = game.event(before, record.steps[step.number - 1].action, after, None)
    return _ViewedStep(step, (game.view(before, None), game.view(after, None)), event)
