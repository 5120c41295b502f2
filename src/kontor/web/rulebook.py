"""The rules as players read them: in our own words, numbered as refusals cite them. Each sentence is marked for the
catalogues, and said in the reader's language when the page is made.

A book begins with the idea, goes through a round in a few steps and plays examples; then come the details with their
numbers, the signs on the cards, and how all this is done in the browser. Pictures are drawn by the table's own
templates from a scene, which is a position of a game that was played by the rules.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A picture. ``template`` is one of the game's templates in ``pictures/``; it gets as ``scene`` what the game's
    adapter has under that name in ``pictures``. ``shows`` says the same to whoever cannot see it."""

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
    """A paragraph that nobody should miss."""

    callout: str


@dataclass(frozen=True)
class Grid:
    """A small table. The first cell of a row is its head."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Body = tuple[str | Callout | Figure | Points | Grid, ...]
"""Paragraphs, and what stands between them."""


@dataclass(frozen=True)
class Part:
    """Something told under a heading of its own, which is linked to by ``name``. ``rules`` are the numbers of those
    that it shows."""

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
    """A rule. ``ruling`` is ours, where the old sources are silent or disagree; it may be all there is of a rule.
    ``example`` is one."""

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
    """Something on the table and what it is called. ``draws`` tells the game's template ``pictures/sign.html`` what
    to draw."""

    draws: str
    name: str
    text: str = ""


@dataclass(frozen=True)
class Signs:
    """Signs of a kind."""

    title: str
    signs: tuple[Sign, ...]
    text: str = ""


@dataclass(frozen=True)
class RuleBook:
    """The rules of a game. ``lead`` says in a few lines what it is about; ``about`` how one wins, and what to know
    before anything else. What a book lacks is left out of the page."""

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
        """Of all rules, in order."""
        return tuple(rule.number for chapter in self.chapters for rule in chapter.rules)
