"""Refusals as pages show them: the sentence, and the way to the rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Refused:
    """A refusal, to be shown beside what was refused."""

    sentence: str
    rule: str = ""
    url: str = ""
    seconds: int = 0
    """After which it is worth trying again, where that is known."""


def rule_url(game: str, rule: str) -> str:
    """Where a rule of a game can be read."""
    return f"/rules/{game}#{rule}"
