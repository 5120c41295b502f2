"""The game that strangers see: voyages and rolls of one played by four computer players."""

from __future__ import annotations

from typing import Final

from kontor.web.adapter import LivingGame, LivingStep

LIVING: Final = LivingGame(
    record="living.jsonl",
    steps=(
        LivingStep(75),
        LivingStep(75, 1),
        LivingStep(76),
        LivingStep(18, 2),
        LivingStep(18, 3),
        LivingStep(19),
        LivingStep(26, 2),
        LivingStep(27),
        LivingStep(29),
        LivingStep(41),
        LivingStep(42),
        LivingStep(55),
        LivingStep(56),
        LivingStep(64, 2),
        LivingStep(65),
        LivingStep(68),
    ),
)
"""It begins with a voyage that somebody pays for, as a player would tell of the game."""
