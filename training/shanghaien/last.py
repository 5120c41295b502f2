"""The start of the last round of Shanghaien, exactly: the cards of its row are known, only their order is not (S3).

The chance to win is the mean over all orders, each solved to its end (S11, S12). Orders that differ only by cards
that count alike are solved once. Cards count alike if, in every deal, exchanging them changes no result: both may be
worthless by now. The orders with the 1 at the left and at the right are mirror images.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from math import sqrt
from random import Random
from typing import Final

import numpy as np

from kontor.games.shanghaien.players.backwards import Hand
from kontor.games.shanghaien.players.round import WAYS, Ends, hand_of, thoughts_of, ways_told_by
from kontor.games.shanghaien.rules.components import ROW
from training.shanghaien.many import Lanes, Places, chances, opening

Order = tuple[int, ...]
"""The cards, by number, from left to right."""

ORDERS: Final = 720
LANES: Final = 32

_DIGITS: Final = np.arange(WAYS)[:, None] // 3 ** np.arange(ROW) % 3
_POWERS: Final = 3 ** np.arange(ROW)


class LastRound:
    """A last round before its row is laid, from the side of the seat that starts it."""

    def __init__(self, ends: Ends, turn: int) -> None:
        """Prepare the values; ``ends`` are those of the round with the cards in some order, which numbers them."""
        thoughts = [thoughts_of(ends, seat, ()) for seat in (0, 1)]
        self.turn = turn
        hands = [hand_of([ends.uses[seat][at] for at in thoughts[seat]]) for seat in (0, 1)]
        self.hands: tuple[Hand, Hand] = hands[turn], hands[1 - turn]
        worth = ends.worth[np.ix_(*thoughts)][:, :, 0]  # the same for both enders (S12)
        if turn:
            worth = 1 - worth.swapaxes(0, 1)[:, :, -_DIGITS % 3 @ _POWERS]
        self.worth: Lanes = np.ascontiguousarray(worth.transpose(2, 0, 1), dtype=np.float32)
        """Values [729, starter's uses, other's uses], by the taker of each card: digit 1 is the starter."""

    @property
    def key(self) -> tuple[tuple[Hand, Hand], bytes]:
        """Return a key: rounds with the same key have the same value to their starter."""
        return self.hands, self.worth.tobytes()

    @property
    def kinds(self) -> Order:
        """Return for each card the first that counts alike."""
        alike = [*range(ROW)]
        for one, other in combinations(range(ROW), 2):
            if alike[other] == other and np.array_equal(self.worth, self.worth[_exchange_cards(one, other)]):
                alike[other] = alike[one]
        return tuple(alike)

    def value(self, number: int = ORDERS, random: Random | None = None) -> tuple[float, float, int]:
        """Return the chance of seat 0, its standard error, and the number of rows solved.

        All rows are solved, or, if there are more than ``number`` orders, that many at random, each with its mirror
        image.
        """
        if self.worth.min() == self.worth.max():
            return self._chance_of_seat_0(float(self.worth.flat[0])), 0.0, 0
        rows = _rows(self.kinds)
        weights = np.array([1 + (row != row[::-1]) for row in rows], float)
        if 2 * len(rows) > number and random:
            drawn = random.sample(range(len(rows)), max(2, number // 2))
            missing = 1 - len(drawn) / len(rows)  # drawn without replacement
            rows, weights = [rows[at] for at in drawn], weights[drawn]
            chances = self.of(rows)
            doubt = float(np.std(chances, ddof=1)) * sqrt(missing / len(rows))
        else:
            chances, doubt = self.of(rows), 0.0
        return self._chance_of_seat_0(float(np.average(chances, weights=weights))), doubt, len(rows)

    def of(self, rows: Sequence[Order]) -> Lanes:
        """Return the starter's chance with each of these rows; the 1 can be put at either end (S7)."""
        values = np.empty(len(rows), np.float32)
        step = LANES // 2
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            orders = [*some, *(row[::-1] for row in some)]
            first, second = (self._lanes(np.array([_by_card(order, ender) for order in orders])) for ender in (0, 1))
            placing, both = opening((first, second), self.hands)
            half = len(some)
            values[start : start + step] = chances(
                placing[..., :half],
                placing[..., half:],
                None if both is None else (both[..., :half], both[..., half:]),
                self.hands[0],
            )
        return values

    def _lanes(self, ways: Places) -> Lanes:
        return np.ascontiguousarray(np.moveaxis(self.worth[ways.T], 1, -1))

    def _chance_of_seat_0(self, chance: float) -> float:
        return 1 - chance if self.turn else chance


@cache
def _exchange_cards(one: int, other: int) -> Places:
    """Return the ways with two cards exchanged."""
    order = [*range(ROW)]
    order[one], order[other] = other, one
    ways: Places = _DIGITS[:, order] @ _POWERS
    return ways


@cache
def _by_card(order: Order, ender: int) -> Places:
    """Return the way by card for each way by number, with the 1 at the left.

    Ways by number are seen from the side of the seat that ends the round, ways by card from that of the starter.
    """
    by_place: Places = _DIGITS @ _POWERS[list(order)]
    return by_place[ways_told_by(ender, "left")]


@cache
def _rows(kinds: Order) -> list[Order]:
    """Return the orders that differ in more than cards of one kind, one of each two mirror images."""
    orders: dict[Order, Order] = {}
    for order in permutations(range(ROW)):
        seen = tuple(kinds[card] for card in order)
        orders.setdefault(min(seen, seen[::-1]), order)
    return [*orders.values()]
