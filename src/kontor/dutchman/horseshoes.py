"""Laying horseshoes and reading them (H6c, H7).

Horseshoes of one kind are alike. Wherever some lie together they are a tuple of numbers, the highest first.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from kontor.dutchman.components import MOST_SILVER, Horseshoes


def highest_first(horseshoes: Iterable[int]) -> Horseshoes:
    """Horseshoes in their order."""
    return tuple(sorted(horseshoes, reverse=True))


def together(some: Horseshoes, more: Horseshoes) -> Horseshoes:
    """Both, in order."""
    return highest_first(some + more)


def without(some: Horseshoes, fewer: Horseshoes) -> Horseshoes:
    """The first without the second. Raises ValueError if it is not all there."""
    left = list(some)
    for horseshoe in fewer:
        left.remove(horseshoe)
    return tuple(left)


def without_known(some: Horseshoes, fewer: Horseshoes) -> Horseshoes:
    """The first without whatever of the second is there."""
    left = list(some)
    for horseshoe in fewer:
        if horseshoe in left:
            left.remove(horseshoe)
    return tuple(left)


def reading(lay: Horseshoes, lucky: int) -> int:
    """H7: the best reading of a lay. Every horseshoe counts, silver is added or subtracted; a reading above the lucky
    number is worth 0.

    Tens and twenties, added or subtracted, make every twentieth number from minus to plus their sum (every fortieth
    if there is no ten among them); ones and twos make every second number (every fourth without a one). So the best
    is the highest coarse sum that the fine ones can bring down to the lucky number, and then the best fine sum.
    """
    gold = lay[0] if lay and lay[0] > MOST_SILVER else 0
    tens, ones = lay.count(10), lay.count(1)
    most_coarse = 10 * tens + 20 * lay.count(20)
    most_fine = ones + 2 * lay.count(2)
    room = lucky - gold
    coarse = _highest(most_coarse, 20 if tens else 40, room + most_fine)
    if coarse is None:
        return 0
    fine = _highest(most_fine, 2 if ones else 4, room - coarse)
    return max(0, gold + coarse + (fine or 0))


def _highest(most: int, step: int, limit: int) -> int | None:
    """The highest of −most, −most + step … most that is not above the limit."""
    if limit >= most:
        return most
    return None if limit < -most else limit - (limit + most) % step


def left_by(lay: Horseshoes, rack: Horseshoes) -> Horseshoes | None:
    """What a lay leaves in the rack; None if it cannot be laid (H6c): it needs at least one horseshoe, at most one of
    them golden, written with the highest first."""
    if not lay or (len(lay) > 1 and lay[1] > MOST_SILVER):
        return None
    left = list(rack)
    last = lay[0]
    for horseshoe in lay:
        if horseshoe > last or horseshoe not in left:
            return None
        left.remove(horseshoe)
        last = horseshoe
    return tuple(left)


class PossibleLays:
    """All different lays from a rack (H6c), numbered from 0.

    With many silver horseshoes there are hundreds of them; none is made before it is looked at.
    """

    __slots__ = ("_gold", "_radix", "rack", "total")

    def __init__(self, rack: Horseshoes) -> None:
        self.rack = rack
        twenties, tens, twos, ones = rack.count(20), rack.count(10), rack.count(2), rack.count(1)
        gold = len(rack) - twenties - tens - twos - ones
        self._gold = rack[:gold]
        self._radix = ones + 1, twos + 1, tens + 1, twenties + 1
        self.total = (gold + 1) * (twenties + 1) * (tens + 1) * (twos + 1) * (ones + 1) - 1

    def lay(self, number: int) -> Horseshoes:
        """The lay with a number from 0 to ``total`` − 1: digits say how many of each kind, and which golden one.

        Raises IndexError beyond the last.
        """
        most_ones, most_twos, most_tens, most_twenties = self._radix
        rest, ones = divmod(number + 1, most_ones)
        rest, twos = divmod(rest, most_twos)
        rest, tens = divmod(rest, most_tens)
        gold, twenties = divmod(rest, most_twenties)
        silver = _silver(twenties, tens, twos, ones)
        return (self._gold[gold - 1], *silver) if gold else silver


@cache
def _silver(twenties: int, tens: int, twos: int, ones: int) -> Horseshoes:
    """So many silver horseshoes of each kind."""
    return (20,) * twenties + (10,) * tens + (2,) * twos + (1,) * ones
