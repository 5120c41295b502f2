"""A game's tutorial: a scripted game in which the learner makes the moves that matter, and what is told of them. Each
sentence is marked for the catalogues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class LessonStep:
    """A page of the tutorial. ``before`` is what happens by itself until then: outcomes, moves of others, and those
    of the learner's from which nothing new is to be learned."""

    title: str
    text: str
    before: tuple[Any, ...] = ()
    to_the_end: bool = False
    """Whether after ``before`` the game goes on by itself until it is over."""
    ask: str = ""
    """What the learner is to do; empty where there is only something to be looked at."""
    move: Any = None
    """What counts as done."""
    other: str = ""
    """Why this one now: said of any other legal move."""
    done: str = ""
    """Said once it is done."""
    lit: tuple[str, ...] = ()
    """The ids of what the step is about, or of what is pressed for the move."""
    there: str = "board"
    """The id of what a phone is scrolled to by “To the table”."""


@dataclass(frozen=True)
class Lesson:
    """The tutorial of a game: the learner has the first seat. ``others`` are the names of the other seats."""

    options: Any
    others: tuple[str, ...]
    steps: tuple[LessonStep, ...]
    goes_on: Callable[[Any], Any]
    """The move in a state, where the game goes on by itself."""
    seed: int
    """Of chance, there."""


@dataclass(frozen=True)
class Tip:
    """What is explained at a real table when it is possible for the first time. ``name`` is kept in the browser of
    whoever has read it."""

    name: str
    when: Callable[[Any], bool]
    """Whether a view is such a moment; its reader is to move."""
    text: str
