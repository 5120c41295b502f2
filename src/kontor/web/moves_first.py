"""Room for moves that other work leaves while people play: Python's interpreter runs one thread at a time."""

from __future__ import annotations

from typing import Final

MOVED_LATELY: Final = 0.5
"""Seconds after a move during which other work leaves room for the next."""

RESTS: Final = 2.0
"""Factor by which other work then rests longer than it has worked."""
