"""Laying horseshoes and reading them (H6c, H7).

Horseshoes of one kind are alike. Wherever some lie together they are a tuple of numbers, the highest first.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

from kontor.dutchman.components import MOST_SILVER, Horseshoes


def together(some: Horseshoes, more: Horseshoes) -> Horseshoes:
    """Both, in order."""
    return tuple(sorted(some + more, reverse=True)) if some and more else some or more


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
    number is worth 0."""
    gold = lay[0] if lay and lay[0] > MOST_SILVER else 0
    sums = _sums(lay[1:] if gold else lay)
    at = bisect_right(sums, lucky - gold)
    return max(0, gold + sums[at - 1]) if at else 0


@cache
def _sums(silver: Horseshoes) -> tuple[int, ...]:
    """Every sum that silver horseshoes make, each added or subtracted; sorted."""
    sums = {0}
    for horseshoe in silver:
        sums = {total + sign for total in sums for sign in (horseshoe, -horseshoe)}
    return tuple(sorted(sums))


class PossibleLays:
    """All different lays from a rack (H6c), numbered: at least one horseshoe, at most one of them golden.

    With many silver horseshoes there are hundreds of lays; none is made before it is looked at.
    """

    __slots__ = ("_gold", "_ones", "_tens", "_twenties", "_twos", "count")

    def __init__(self, rack: Horseshoes) -> None:
        self._twenties = rack.count(20)
        self._tens = rack.count(10)
        self._twos = rack.count(2)
        self._ones = rack.count(1)
        gold = len(rack) - self._twenties - self._tens - self._twos - self._ones
        self._gold = rack[:gold]
        silver = (self._twenties + 1) * (self._tens + 1) * (self._twos + 1) * (self._ones + 1)
        self.count = (gold + 1) * silver - 1

    def lay(self, number: int) -> Horseshoes:
        """The lay with a number from 0 to ``count`` − 1."""
        rest, ones = divmod(number + 1, self._ones + 1)
        rest, twos = divmod(rest, self._twos + 1)
        rest, tens = divmod(rest, self._tens + 1)
        gold, twenties = divmod(rest, self._twenties + 1)
        silver = (20,) * twenties + (10,) * tens + (2,) * twos + (1,) * ones
        return (self._gold[gold - 1], *silver) if gold else silver

    def number(self, lay: Horseshoes) -> int | None:
        """The number of a lay; None if it is not possible."""
        gold = 0
        silver = lay
        if lay and lay[0] > MOST_SILVER:
            if lay[0] not in self._gold:
                return None
            gold = self._gold.index(lay[0]) + 1
            silver = lay[1:]
        twenties, tens, twos, ones = silver.count(20), silver.count(10), silver.count(2), silver.count(1)
        if silver != (20,) * twenties + (10,) * tens + (2,) * twos + (1,) * ones:
            return None
        if twenties > self._twenties or tens > self._tens or twos > self._twos or ones > self._ones:
            return None
        number = gold * (self._twenties + 1) + twenties
        number = (number * (self._tens + 1) + tens) * (self._twos + 1) + twos
        number = number * (self._ones + 1) + ones - 1
        return None if number < 0 else number
