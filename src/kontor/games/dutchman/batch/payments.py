"""The ways in which tied players can divide their cash, and their numbers (H9).

The order is that of ``kontor.games.dutchman.rules.bargain.Payments``.
"""

from __future__ import annotations

from kontor.batch.arrays import GameRow, LuckRow
from kontor.batch.compiled import as_int64, njit_inline, random_below


@njit_inline
def ways_to_pay(game: GameRow) -> int:
    """Return the number of ways in which the tied players can divide their cash (H9)."""
    total = as_int64(0)
    others = as_int64(game.tie) - 1
    for place in range(others + 1):
        total += game.cash[game.tied[place]]
    return _divisions(total, others)


@njit_inline
def _divisions(total: int, others: int) -> int:
    """Return the number of ways to divide ducats among one player and so many others."""
    ways = as_int64(1)
    for other in range(1, others + 1):
        ways = ways * (total + other) // other
    return ways


@njit_inline
def write_way(game: GameRow, way: int) -> None:
    """Write the ducats of the way to pay with a number.

    Each player in turn gets as few of the remaining ducats as the number allows.
    """
    tie = as_int64(game.tie)
    left = 0
    for place in range(tie):
        left += game.cash[game.tied[place]]
    for place in range(tie - 1):
        others = tie - 1 - place
        ways = _divisions(left, others)
        # Find the most ducats with at most ``way`` ways before them.
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
        game.ducats[place] = low - game.cash[game.tied[place]]
    game.ducats[tie - 1] = left - game.cash[game.tied[tie - 1]]


@njit_inline
def divide_at_random(game: GameRow, luck: LuckRow) -> None:
    """Divide the cash of the tied players at random, all ways equally likely.

    Bars are put between the ducats, each in a place of its own; a player gets the ducats between two bars.
    """
    tie = as_int64(game.tie)
    total = 0
    for place in range(tie):
        total += game.cash[game.tied[place]]
    for bar in range(tie - 1):
        # Places taken before are sorted; the new place is counted among the free ones.
        free = random_below(luck, total + tie - 1 - bar)
        at = 0
        while at < bar and game.ducats[at] <= free:
            free += 1
            at += 1
        for after in range(bar - at):
            game.ducats[bar - after] = game.ducats[bar - after - 1]
        game.ducats[at] = free
    before = -1
    for place in range(tie):
        bar = game.ducats[place] if place < tie - 1 else total + tie - 1
        game.ducats[place] = bar - before - 1 - game.cash[game.tied[place]]
        before = bar
