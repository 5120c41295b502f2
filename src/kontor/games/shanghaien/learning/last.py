"""The start of the last round of Shanghaien, exactly: the cards of its row are known, only their order is not (S3).

The chance to win is the mean over all orders, each solved to its end (S11, S12). Orders that differ only by cards
that count alike are solved once. Cards count alike if, wherever they go, exchanging them changes no result: both may
be worthless by now. Of the order with the 1 at the left, and with it at the right, one is the mirror image of the
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from math import sqrt
from random import Random
from typing import Final

import numpy as np

from kontor.games.shanghaien.learning.many import Lanes, Places, chances, opening
from kontor.games.shanghaien.players.backwards import Hand
from kontor.games.shanghaien.players.round import WAYS, Ends, hand_of, thoughts_of, ways_told_by
from kontor.games.shanghaien.rules.components import ROW

Order = tuple[int, ...]
"""The cards, by number, from left to right."""

ORDERS: Final = 720
LANES: Final = 32

_DIGITS: Final = np.arange(WAYS)[:, None] // 3 ** np.arange(ROW) % 3
_POWERS: Final = 3 ** np.arange(ROW)


class LastRound:
    """A last round before its row is laid, told from the side of who starts it."""

    def __init__(self, ends: Ends, turn: int) -> None:
        """``ends`` are those of the round if the cards lay in some order: by it they are numbered."""
        thoughts = [thoughts_of(ends, seat, ()) for seat in (0, 1)]
        self.turn = turn
        hands = [hand_of([ends.uses[seat][at] for at in thoughts[seat]]) for seat in (0, 1)]
        self.hands: tuple[Hand, Hand] = hands[turn], hands[1 - turn]
        worth = ends.worth[np.ix_(*thoughts)][:, :, 0]  # whoever ends it (S12)
        if turn:
            worth = 1 - worth.swapaxes(0, 1)[:, :, -_DIGITS % 3 @ _POWERS]
        self.worth: Lanes = np.ascontiguousarray(worth.transpose(2, 0, 1), dtype=np.float32)
        """[729, starter's uses, other's uses], by who gets which card: digit 1 is the starter."""

    @property
    def key(self) -> tuple[tuple[Hand, Hand], bytes]:
        """Rounds with the same are worth the same to who starts them."""
        return self.hands, self.worth.tobytes()

    @property
    def kinds(self) -> Order:
        """For each card, the first that counts alike."""
        alike = [*range(ROW)]
        for one, other in combinations(range(ROW), 2):
            if alike[other] == other and np.array_equal(self.worth, self.worth[_exchanged(one, other)]):
                alike[other] = alike[one]
        return tuple(alike)

    def value(self, number: int = ORDERS, random: Random | None = None) -> tuple[float, float, int]:
        """The chance of seat 0, its standard error, and how many rows were solved: all of them, or, if there are more
        than ``number`` orders, so many at random, each with its mirror image."""
        if self.worth.min() == self.worth.max():
            return self._told(float(self.worth.flat[0])), 0.0, 0
        rows = _rows(self.kinds)
        weights = np.array([1 + (row != row[::-1]) for row in rows], float)
        if 2 * len(rows) > number and random:
            drawn = random.sample(range(len(rows)), max(2, number // 2))
            missing = 1 - len(drawn) / len(rows)  # what is drawn is not put back
            rows, weights = [rows[at] for at in drawn], weights[drawn]
            found = self.of(rows)
            doubt = float(np.std(found, ddof=1)) * sqrt(missing / len(rows))
        else:
            found, doubt = self.of(rows), 0.0
        return self._told(float(np.average(found, weights=weights))), doubt, len(rows)

    def of(self, rows: Sequence[Order]) -> Lanes:
        """The chance of who starts with these rows, one end of which the 1 can be put at (S7)."""
        found = np.empty(len(rows), np.float32)
        step = LANES // 2
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            orders = [*some, *(row[::-1] for row in some)]
            first, second = (self._lanes(np.array([_by_card(order, ender) for order in orders])) for ender in (0, 1))
            placing, both = opening((first, second), self.hands)
            half = len(some)
            found[start : start + step] = chances(
                placing[..., :half],
                placing[..., half:],
                None if both is None else (both[..., :half], both[..., half:]),
                self.hands[0],
            )
        return found

    def _lanes(self, ways: Places) -> Lanes:
        return np.ascontiguousarray(np.moveaxis(self.worth[ways.T], 1, -1))

    def _told(self, chance: float) -> float:
        return 1 - chance if self.turn else chance


@cache
def _exchanged(one: int, other: int) -> Places:
    """The ways if two cards are exchanged."""
    order = [*range(ROW)]
    order[one], order[other] = other, one
    ways: Places = _DIGITS[:, order] @ _POWERS
    return ways


@cache
def _by_card(order: Order, ender: int) -> Places:
    """For each way, by number and told from the side of who ends the round, the way by card and told from the side of
    who starts, with the 1 at the left."""
    by_place: Places = _DIGITS @ _POWERS[list(order)]
    return by_place[ways_told_by(ender, "left")]


@cache
def _rows(kinds: Order) -> list[Order]:
    """The orders that differ in more than cards of one kind, one of each two mirror images."""
    found: dict[Order, Order] = {}
    for order in permutations(range(ROW)):
        seen = tuple(kinds[card] for card in order)
        found.setdefault(min(seen, seen[::-1]), order)
    return [*found.values()]
