"""Laying horseshoes and reading them (H6c, H7).

Horseshoes of one kind are alike. Moves, outcomes and views write those that lie together as a tuple of numbers, the
highest first (``Horseshoes``). To compute with such a tuple every number in it must be read, so the state keeps
something quicker. A *heap* is one number in which a few bits for each kind count it. Heaps are put together by adding
them, and a part is taken away by subtracting it.

Racks and lays keep gold and silver apart, as H6c does: one golden horseshoe is chosen or none, silver is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final

from kontor.game import Value
from kontor.games.dutchman.rules.components import HORSESHOES, MOST_SILVER, Horseshoes


def highest_first(horseshoes: Iterable[int]) -> Horseshoes:
    """Return horseshoes in their order, the highest first."""
    return tuple(sorted(horseshoes, reverse=True))


def together(some: Horseshoes, more: Horseshoes) -> Horseshoes:
    """Return both together, in order."""
    return highest_first(some + more)


def without(some: Horseshoes, fewer: Horseshoes) -> Horseshoes:
    """Return the first without the second. Raises ValueError if some of the second is missing from the first."""
    left = list(some)
    for horseshoe in fewer:
        left.remove(horseshoe)
    return tuple(left)


# ------------------------------------------------------------------------------------------------ heaps

Heap = int


def _one_of_each() -> Iterator[tuple[int, Heap]]:
    bits = 0
    for kind, count in sorted(Counter(HORSESHOES).items()):
        yield kind, 1 << bits
        bits += count.bit_length()


ONE: Final[dict[int, Heap]] = dict(_one_of_each())
"""A heap of one horseshoe, by its number: 1, 2, 10, 20, and then the golden ones, with a bit for each."""
SILVER: Final[Heap] = ONE[MOST_SILVER + 1] - 1
"""The bits that count silver."""
FINE: Final[Heap] = ONE[10] - 1
"""The bits that count ones and twos."""
_GOLD_FROM: Final = SILVER.bit_length()
_COARSE_FROM: Final = FINE.bit_length()
_FIRST_BITS: Final = sum(ONE.values())


class Grain(Value, frozen=True):
    """The coarse silver of a heap (twenties and tens), or the fine silver (twos and ones).

    ``choices`` are all choices of it, from none to all; the number of a choice has a digit for each kind. Added or
    subtracted it makes all numbers from −``most`` to ``most`` in steps of ``step``.
    """

    choices: tuple[Horseshoes, ...]
    most: int
    step: int


def _grains(big: int, small: int) -> Iterator[tuple[int, Grain]]:
    """Yield every possible amount of two kinds of silver, by its bits; the steps are twice the smallest piece."""
    for bigs in range(HORSESHOES.count(big) + 1):
        for smalls in range(HORSESHOES.count(small) + 1):
            choices = tuple((big,) * b + (small,) * s for b in range(bigs + 1) for s in range(smalls + 1))
            step = 2 * (small if smalls else big)
            yield bigs * (ONE[big] // ONE[small]) + smalls, Grain(choices, bigs * big + smalls * small, step)


_COARSE: Final = dict(_grains(20, 10))
_FINE: Final = dict(_grains(2, 1))


class Silver(Value, frozen=True):
    """The silver of a rack or a lay."""

    heap: Heap
    horseshoes: Horseshoes
    choices: int
    """The number of ways to choose some of it, or none."""
    coarse: Grain
    fine: Grain


def _every_silver() -> Iterator[Silver]:
    for high, coarse in _COARSE.items():
        for low, fine in _FINE.items():
            horseshoes = coarse.choices[-1] + fine.choices[-1]
            choices = len(coarse.choices) * len(fine.choices)
            yield Silver(high << _COARSE_FROM | low, horseshoes, choices, coarse, fine)


SILVER_OF: Final[dict[Heap, Silver]] = {silver.heap: silver for silver in _every_silver()}
"""All heaps of silver that there can be, 3,136 in all."""
_WRITTEN_AS: Final[dict[Horseshoes, Silver]] = {silver.horseshoes: silver for silver in SILVER_OF.values()}
NO_SILVER: Final = SILVER_OF[0]


def heap_of(horseshoes: Iterable[int]) -> Heap:
    """Return horseshoes of the box as a heap."""
    return sum(map(ONE.__getitem__, horseshoes))


@lru_cache(maxsize=256)
def written(heap: Heap) -> Horseshoes:
    """Return the horseshoes of a heap, the highest first."""
    return golden(heap) + SILVER_OF[heap & SILVER].horseshoes


def golden(heap: Heap) -> Horseshoes:
    """Return the golden horseshoes of a heap, the highest first."""
    shoes = []
    bits = heap >> _GOLD_FROM
    while bits:
        highest = bits.bit_length()
        shoes.append(MOST_SILVER + highest)
        bits -= 1 << (highest - 1)
    return tuple(shoes)


def how_many(heap: Heap) -> int:
    """Return the number of horseshoes in a heap."""
    return (heap >> _GOLD_FROM).bit_count() + len(SILVER_OF[heap & SILVER].horseshoes)


def split(horseshoes: Horseshoes) -> tuple[Horseshoes, Silver]:
    """Return the golden and the silver ones of some horseshoes."""
    golden = 0
    for horseshoe in horseshoes:
        if horseshoe <= MOST_SILVER:
            break
        golden += 1
    return horseshoes[:golden], _WRITTEN_AS[horseshoes[golden:]]


def without_known(heap: Heap, laid: Heap) -> Heap:
    """Return a heap without those of the other that are in it."""
    gold = heap & ~laid & ~SILVER
    coarse = _less(heap >> _COARSE_FROM & FINE, laid >> _COARSE_FROM & FINE)
    return gold + (coarse << _COARSE_FROM) + _less(heap & FINE, laid & FINE)


@cache
def _less(some: Heap, fewer: Heap) -> Heap:
    """Return fine silver without those of the other that are in it; shifted down, coarse silver works the same."""
    left = Counter(SILVER_OF[some].horseshoes) - Counter(SILVER_OF[fewer].horseshoes)
    return heap_of(left.elements())


# ------------------------------------------------------------------------------------------------- lays


class Laid(Value, frozen=True):
    """A lay in its parts: its golden horseshoe, or 0; its silver; and the heap of all of it."""

    horseshoes: Horseshoes
    gold: int
    silver: Silver
    heap: Heap


@lru_cache(maxsize=1 << 14)
def laid(lay: Horseshoes) -> Laid | None:
    """Return a lay in its parts. None if there can be no such lay (H6c).

    It needs at least one horseshoe of the box, at most one of them golden, written with the highest first.
    """
    gold = lay[0] if lay and lay[0] > MOST_SILVER else 0
    silver = _WRITTEN_AS.get(lay[1:] if gold else lay)
    if silver is None or (gold and gold not in ONE) or not lay:
        return None
    return Laid(lay, gold, silver, ONE[gold] + silver.heap if gold else silver.heap)


def can_lay(lay: Horseshoes, gold: Horseshoes, silver: Silver) -> bool:
    """Return True if a lay can be made from a rack (H6c)."""
    put = laid(lay)
    if put is None or (put.gold and put.gold not in gold):
        return False
    # The silver is there if subtracting it borrows from no other kind.
    had, taken = silver.heap, put.silver.heap
    left = had - taken
    return left >= 0 and not (had ^ taken ^ left) & _FIRST_BITS


def number_of_lays(gold: Horseshoes, silver: Silver) -> int:
    """Return the number of different lays (H6c)."""
    return (len(gold) + 1) * silver.choices - 1


def lay_number(number: int, gold: Horseshoes, silver: Silver) -> Horseshoes:
    """Return the lay with a number from 0. Raises IndexError beyond the last."""
    number += 1
    coarse, fine = silver.coarse.choices, silver.fine.choices
    lay = coarse[number // len(fine) % len(coarse)] + fine[number % len(fine)]
    chosen = number // silver.choices
    return (gold[chosen - 1], *lay) if chosen else lay


# --------------------------------------------------------------------------------------------- readings


def reading(lay: Horseshoes, lucky: int) -> int:
    """Return the best reading of a lay (H7).

    Every horseshoe counts, silver is added or subtracted; a reading above the lucky number is worth 0.
    """
    put = laid(lay)
    return best_reading(put, lucky) if put else 0


def best_reading(lay: Laid, lucky: int) -> int:
    """Return the best reading of a lay in its parts (H7).

    Tens and twenties, added or subtracted, make every twentieth number from minus to plus their sum (every fortieth
    if there is no ten among them). Ones and twos make every second number (every fourth without a one). So the best
    is the highest coarse sum that the fine ones can bring down to the lucky number, and then the best fine sum.
    """
    coarse, fine = lay.silver.coarse, lay.silver.fine
    room = lucky - lay.gold
    limit = room + fine.most
    if limit < -coarse.most:
        return 0
    best = coarse.most if limit >= coarse.most else limit - (limit + coarse.most) % coarse.step
    limit = room - best
    best += fine.most if limit >= fine.most else limit - (limit + fine.most) % fine.step
    best += lay.gold
    return best if best > 0 else 0
