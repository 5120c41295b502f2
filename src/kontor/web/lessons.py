"""The tutorial of a game: a scripted game with explanations, in which the learner makes the moves that matter.

Each sentence is marked for the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class LessonStep:
    """A page of the tutorial.

    ``before`` holds the actions that happen by themselves until then: outcomes, moves of others, and moves of the
    learner that teach nothing new.
    """

    title: str
    text: str
    before: tuple[Any, ...] = ()
    to_the_end: bool = False
    """True if after ``before`` the game goes on by itself until it is over."""
    ask: str = ""
    """The task for the learner; empty if there is only something to look at."""
    move: Any = None
    """The move that fulfils the task."""
    other: str = ""
    """The reason for this move, shown after any other legal move."""
    done: str = ""
    """The sentence shown once the move is made."""
    lit: tuple[str, ...] = ()
    """The ids of the elements that the step is about, or that are pressed for the move."""
    there: str = "board"
    """The id of the element to which “To the table” scrolls on a phone."""


@dataclass(frozen=True)
class Lesson:
    """The tutorial of a game: the learner has the first seat. ``others`` are the names of the other seats."""

    options: Any
    others: tuple[str, ...]
    steps: tuple[LessonStep, ...]
    goes_on: Callable[[Any], Any]
    """Returns the move in a state, where the game goes on by itself."""
    seed: int
    """The seed of chance while the game goes on by itself."""


@dataclass(frozen=True)
class Tip:
    """An explanation at a real table of something that is possible for the first time.

    The browser of a person who has read it stores its ``name``.
    """

    name: str
    when: Callable[[Any], bool]
    """Returns True if a view is such a moment; its reader is to move."""
    text: str
