"""Refusals as pages show them: the sentence, and a link to the rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Refused:
    """A refusal, to be shown beside the form that was refused."""

    sentence: str
    rule: str = ""
    url: str = ""
    seconds: int = 0
    """Seconds after which a new try makes sense; 0 if unknown."""


def rule_url(game: str, rule: str) -> str:
    """Return the address of a rule of a game."""
    return f"/rules/{game}#{rule}"
