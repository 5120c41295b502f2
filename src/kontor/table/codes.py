"""Codes that people type: groups of letters and digits that nobody mistakes for each other (Crockford's base 32).

Capitals or not, hyphens and spaces do not matter, nor does the width in which a Japanese keyboard writes; O is read
as 0, and I and L as 1.
"""

from __future__ import annotations

import secrets
import unicodedata
from typing import Final

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Each is five bits. I, L, O and U are missing."""

_READ_AS: Final = str.maketrans("ILO", "110")

RECOVERY: Final = 25
"""Letters of a recovery code: 125 bits. What so many random bits are kept as needs no slow hash: nobody tries them
all, however fast one is."""

DEVICE: Final = 8
"""Letters of a code for another device: 40 bits, for ten minutes. From one address eighty can be tried in that time:
not one of ten thousand million such attempts finds the one code that somebody is just typing. From however many, no
more than ``recovery.MOST_WRONG`` are tried on it."""

_LONGEST: Final = 100


def new_code(letters: int) -> str:
    """A code of so many letters, as it is shown."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(letters))
    group = 5 if letters % 5 == 0 else 4
    return "-".join(code[at : at + group] for at in range(0, letters, group))


def typed_code(text: str) -> str:
    """The letters alone of what somebody has typed."""
    plain = unicodedata.normalize("NFKC", text[:_LONGEST]).upper()
    return "".join(filter(str.isalnum, plain)).translate(_READ_AS)
