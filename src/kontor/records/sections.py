"""Sections of the documentation that say what a record may hold. Refusals of records name them."""

from __future__ import annotations

from typing import Final

LINES: Final = "record.md#lines"
HEADER: Final = "record.md#header"
STEPS: Final = "record.md#steps"
ENDING: Final = "record.md#ending"
VERSIONS: Final = "record.md#versions"
UNFINISHED: Final = "record.md#unfinished-games"
COMMITMENT: Final = "fair-dice.md#the-commitment"
OUTCOMES: Final = "fair-dice.md#the-outcomes"
STRICT: Final = "fair-dice.md#strict-dice"
DUPLICATE: Final = "fair-dice.md#duplicate-dice"
TAKEN_BACK: Final = "fair-dice.md#moves-that-were-taken-back"
