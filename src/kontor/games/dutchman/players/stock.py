"""Value of horseshoes for the lucky numbers to come, for many heaps at once (H7)."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.games.dutchman.players.encoding import Floats, Numbers
from kontor.games.dutchman.rules.components import MOST_SILVER, ONES, TENS
from kontor.games.dutchman.rules.horseshoes import ONE


def _count(heaps: Numbers, kind: int, following: int) -> Numbers:
    """Return the number of horseshoes of a kind of silver in each heap.

    ``following`` is the kind whose bits come next.
    """
    return heaps // ONE[kind] % (ONE[following] // ONE[kind])


LOWEST_GOLD: Final = MOST_SILVER + 1
_GOLD_FROM: Final = ONE[LOWEST_GOLD].bit_length() - 1
_LUCKY: Final = {tens + ones for tens in TENS for ones in ONES}
ONCE: Final = sum(1 << lucky for lucky in _LUCKY)
TWICE: Final = sum(1 << lucky for lucky in _LUCKY if ONES.count(lucky % 10) == 2)
"""ONCE holds the lucky numbers as bits, TWICE those that are twice as likely as the others (H1)."""
FACES: Final = ONCE.bit_count() + TWICE.bit_count()
HIGHEST_BIT: Final = 62


class Stock:
    """Contents and values of heaps of horseshoes, in arrays of any one shape.

    The contents are the numbers of golden, fine silver and coarse silver ones. ``exact`` is the probability that the
    lucky number is hit, ``near`` that it is hit or missed by one or two (H7): by a single golden horseshoe, or with
    up to one piece of silver of each kind (``…_with_silver``).
    """

    def __init__(self, heaps: Numbers) -> None:
        ones, twos = _count(heaps, 1, 2), _count(heaps, 2, 10)
        tens, twenties = _count(heaps, 10, 20), _count(heaps, 20, LOWEST_GOLD)
        golden = heaps >> _GOLD_FROM
        self.gold = np.bitwise_count(golden)
        self.fine = ones + twos
        self.coarse = tens + twenties
        self.all = self.gold + self.fine + self.coarse
        reached = golden << LOWEST_GOLD
        self.exact = _likely(reached)
        self.near = _likely(_nearly(reached))
        # The highest silver comes first, so that no sum falls below 0 that could still become a lucky number.
        reached = reached | 1
        for kind, counts in ((20, twenties), (10, tens), (2, twos), (1, ones)):
            more = (reached & (1 << HIGHEST_BIT - kind + 1) - 1) << kind
            reached = reached | np.where(counts > 0, more | reached >> kind, 0)
        self.exact_with_silver = _likely(reached)
        self.near_with_silver = _likely(_nearly(reached))


def _nearly(reached: Numbers) -> Numbers:
    return reached | reached << 1 | reached << 2


def _likely(reached: Numbers) -> Floats:
    """Return the probability that the lucky number is among the numbers reached."""
    counted = np.bitwise_count(reached & ONCE) + np.bitwise_count(reached & TWICE)
    return np.asarray(counted / FACES, dtype=np.float32)
