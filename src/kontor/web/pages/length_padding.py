"""Random padding against compression side channels (BREACH).

Compressed responses hold text of others beside the hidden cards of a hand. The more alike the two are, the shorter
the response. People who see the traffic, though not its contents, see that length. Some digits more or less hide it.
"""

from __future__ import annotations

import secrets
from typing import Final

MOST_DIGITS: Final = 96


def length_padding() -> str:
    """Return between none and MOST_DIGITS hexadecimal digits, two of which take a byte when compressed."""
    drawn = secrets.token_bytes(1 + MOST_DIGITS // 2)
    return drawn[1 : 1 + drawn[0] % (MOST_DIGITS // 2 + 1)].hex()
