"""Digits of random number that nobody reads.

Compressed answers hold what others said beside what a hand holds. The more alike the two are the shorter they get,
and whoever sees the line, though not what goes through it, sees that. Some digits more or less cover it.
"""

from __future__ import annotations

import secrets
from typing import Final

MOST_DIGITS: Final = 96


def length_padding() -> str:
    """Hexadecimal digits: none up to MOST_DIGITS, of which two take a byte when they are compressed."""
    drawn = secrets.token_bytes(1 + MOST_DIGITS // 2)
    return drawn[1 : 1 + drawn[0] % (MOST_DIGITS // 2 + 1)].hex()
