"""How other work leaves room for moves while people play: Python's interpreter runs one thread at a time."""

from __future__ import annotations

from typing import Final

MOVED_LATELY: Final = 0.5
"""Seconds after a move during which other work leaves room for the next."""

RESTS: Final = 2.0
"""How many times as long as it has worked other work then rests."""
