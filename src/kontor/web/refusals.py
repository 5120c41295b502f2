"""Refusals as pages show them: the sentence, and the way to the rule."""

from __future__ import annotations

from dataclasses import dataclass

from kontor.game import Refusal
from kontor.table import Conflict
from kontor.words import Words


@dataclass(frozen=True)
class Refused:
    """A refusal, to be shown beside the board."""

    sentence: str
    rule: str
    url: str
    stale: bool = False


def rule_url(game: str, rule: str) -> str:
    """Where a rule of a game can be read."""
    return f"/rules/{game}#{rule}"


def refused(words: Words, game: str, refusal: Refusal) -> Refused:
    """A refusal in the visitor's words, with the way to its rule."""
    sentence = words.reason(refusal)
    known = refusal.rule[:1].isalpha() and refusal.rule[1:2].isdigit()
    url = rule_url(game, refusal.rule) if known else ""
    return Refused(sentence, refusal.rule if known else "", url, isinstance(refusal, Conflict))
