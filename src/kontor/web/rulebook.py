"""The rules as players read them: in our own words, numbered as refusals cite them. Each sentence is marked for the
catalogues, and said in the reader's language when the page is made."""

from __future__ import annotations

from dataclasses import dataclass


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
    """Rules under a heading. ``picture`` names one of the game's templates in ``pictures/``."""

    title: str
    rules: tuple[Rule, ...]
    picture: str = ""


@dataclass(frozen=True)
class RuleBook:
    """The rules of a game. ``lead`` says in a few lines what it is about."""

    title: str
    players: str
    lead: str
    chapters: tuple[Chapter, ...]

    @property
    def numbers(self) -> tuple[str, ...]:
        """Of all rules, in order."""
        return tuple(rule.number for chapter in self.chapters for rule in chapter.rules)
