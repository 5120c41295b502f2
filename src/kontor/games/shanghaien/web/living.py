"""The game that strangers see: the second round of one played by two computer players."""

from __future__ import annotations

from typing import Final

from kontor.web.adapter import LivingGame, LivingStep

LIVING: Final = LivingGame(
    record="living.jsonl",
    steps=tuple(LivingStep(number) for number in (50, 51, 53, 54, 56, 57, 59, 60, 44, 45, 47, 48)),
)
"""Rolls and dice placed, from the middle of the round on: there is most to see."""
