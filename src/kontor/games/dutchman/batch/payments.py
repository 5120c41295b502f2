"""The ways in which tied players can divide their cash, and their numbers (H9).

The order is that of ``kontor.games.dutchman.rules.bargain.Payments``.
"""

from __future__ import annotations

from kontor.batch.arrays import Rows, Words
from kontor.batch.compiled import as_int64, njit_inline, random_below
from kontor.games.dutchman.batch.places import CASH_OF, DUCATS, TIE, TIED


@njit_inline
def ways_to_pay(rows: Rows, game: int) -> int:
    """In how many ways the tied players can divide their cash (H9)."""
    total = as_int64(0)
    others = as_int64(rows[game, TIE]) - 1
    for place in range(others + 1):
        total += rows[game, CASH_OF + rows[game, TIED + place]]
    return _divisions(total, others)


@njit_inline
def _divisions(total: int, others: int) -> int:
    """In how many ways ducats can be divided among somebody and so many others."""
    ways = as_int64(1)
    for other in range(1, others + 1):
        ways = ways * (total + other) // other
    return ways


@njit_inline
def write_way(rows: Rows, game: int, way: int) -> None:
    """The ducats of the way to pay with a number: of what is left, each in turn has as few as the number allows."""
    tie = as_int64(rows[game, TIE])
    left = 0
    for place in range(tie):
        left += rows[game, CASH_OF + rows[game, TIED + place]]
    for place in range(tie - 1):
        others = tie - 1 - place
        ways = _divisions(left, others)
        # The most ducats for which fewer ways come before than the number says.
        low = 0
        high = left
        while low < high:
            middle = (low + high + 1) // 2
            if ways - _divisions(left - middle, others) <= way:
                low = middle
            else:
                high = middle - 1
        way -= ways - _divisions(left - low, others)
        left -= low
        rows[game, DUCATS + place] = low - rows[game, CASH_OF + rows[game, TIED + place]]
    rows[game, DUCATS + tie - 1] = left - rows[game, CASH_OF + rows[game, TIED + tie - 1]]


@njit_inline
def divide_at_random(rows: Rows, game: int, luck: Words) -> None:
    """All ways to divide the cash of the tied players are equally likely: bars are put between the ducats, each in a
    place of its own, and what lies between two bars is a player's."""
    tie = as_int64(rows[game, TIE])
    total = 0
    for place in range(tie):
        total += rows[game, CASH_OF + rows[game, TIED + place]]
    for bar in range(tie - 1):
        # The places taken before, in order; the new one is counted among those that are free.
        free = random_below(luck, game, total + tie - 1 - bar)
        at = 0
        while at < bar and rows[game, DUCATS + at] <= free:
            free += 1
            at += 1
        for after in range(bar - at):
            rows[game, DUCATS + bar - after] = rows[game, DUCATS + bar - after - 1]
        rows[game, DUCATS + at] = free
    before = -1
    for place in range(tie):
        bar = rows[game, DUCATS + place] if place < tie - 1 else total + tie - 1
        rows[game, DUCATS + place] = bar - before - 1 - rows[game, CASH_OF + rows[game, TIED + place]]
        before = bar
