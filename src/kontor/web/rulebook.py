"""The rules as players read them: in our own words, numbered as refusals cite them.

Each sentence is marked for the catalogues, and translated when the page is rendered. A book begins with the idea,
goes through a round in a few steps and plays examples. The details with their numbers follow, then the signs on the
cards, and how all this is done in the browser. The table's own templates draw the pictures from a scene: a position
of a game that was played by the rules.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A picture.

    ``template`` is one of the game's templates in ``pictures/``. Its ``scene`` is the one under that name in
    ``pictures`` of the game's adapter. ``shows`` describes the picture for people who can't see it.
    """

    template: str
    shows: str
    caption: str = ""
    scene: str = ""


@dataclass(frozen=True)
class Points:
    """A list of sentences, ``numbered`` where their order matters."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Callout:
    """A paragraph that stands out."""

    callout: str


@dataclass(frozen=True)
class Grid:
    """A small table. The first cell of a row is its head."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Body = tuple[str | Callout | Figure | Points | Grid, ...]
"""Paragraphs, and the items between them."""


@dataclass(frozen=True)
class Part:
    """A part of the book with a heading, linked to by ``name``. ``rules`` are the numbers of those it shows."""

    name: str
    title: str
    body: Body
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stage:
    """One step of a turn or a round."""

    title: str
    text: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A rule. ``example`` is an example of it.

    ``ruling`` is our own, where the old sources are silent or disagree. A rule may consist of it alone.
    """

    number: str
    text: str = ""
    ruling: str = ""
    example: str = ""


@dataclass(frozen=True)
class Chapter:
    """Rules under a heading."""

    title: str
    rules: tuple[Rule, ...]
    picture: Figure | None = None


@dataclass(frozen=True)
class Sign:
    """A sign on the table and its name. ``draws`` tells the game's template ``pictures/sign.html`` what to draw."""

    draws: str
    name: str
    text: str = ""


@dataclass(frozen=True)
class Signs:
    """Signs of one kind."""

    title: str
    signs: tuple[Sign, ...]
    text: str = ""


@dataclass(frozen=True)
class RuleBook:
    """The rules of a game. Parts that a book lacks are left out of the page.

    ``lead`` says in a few lines what the game is about. ``about`` says how to win, and what to know first.
    """

    title: str
    players: str
    lead: str
    chapters: tuple[Chapter, ...]
    about: Body = ()
    steps_title: str = ""
    steps: tuple[Stage, ...] = ()
    examples: tuple[Part, ...] = ()
    signs: tuple[Signs, ...] = ()
    here: tuple[Part, ...] = ()

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the numbers of all rules, in order."""
        return tuple(rule.number for chapter in self.chapters for rule in chapter.rules)
