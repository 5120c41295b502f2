"""Codes that people type: groups of letters and digits that are hard to confuse (Crockford's base 32).

Case, hyphens, spaces and the width of Japanese characters do not matter. O is read as 0, and I and L as 1.
"""

from __future__ import annotations

import secrets
import unicodedata
from typing import Final

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Each stands for five bits. I, L, O and U are missing."""

_READ_AS: Final = str.maketrans("ILO", "110")

RECOVERY: Final = 25
"""Letters of a recovery code: 125 bits.

So many random bits need no slow hash, as even a fast one leaves too many to try.
"""

HANDED_OVER: Final = 20
"""Letters of a code that the operator hands over: 100 bits."""

DEVICE: Final = 8
"""Letters of a code for another device: 40 bits, for ten minutes.

From one address eighty can be tried in that time. The chance to find the one code that somebody is just typing is
then less than one in ten thousand million. From all addresses together, at most ``recovery.MOST_WRONG`` are tried on
it.
"""

_LONGEST: Final = 100


def new_code(letters: int) -> str:
    """Return a new random code of so many letters, in groups as people see it."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(letters))
    group = 5 if letters % 5 == 0 else 4
    return "-".join(code[at : at + group] for at in range(0, letters, group))


def typed_code(text: str) -> str:
    """Return the letters and digits that somebody has typed, in the code's own alphabet."""
    plain = unicodedata.normalize("NFKC", text[:_LONGEST]).upper()
    return "".join(filter(str.isalnum, plain)).translate(_READ_AS)
