"""Agreeing on a destination (H9): a bounded sequence of small moves by the players who are equally near.

Each names a destination. If they differ there are circles. In each circle every player may make one proposal, and the
others accept or decline in turn. A proposal is a destination and what each of them pays or gets, in ducats.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from math import comb

from kontor.game import Value


class Proposal(Value, frozen=True):
    """A field ``to`` sail to, and for each tied player, in the order of play, the ducats got (or paid, below 0)."""

    by: int
    to: str
    ducats: tuple[int, ...]


class Bargain(Value, frozen=True):
    """The progress of the tied players towards an agreement; all of it is public."""

    tied: tuple[int, ...]
    """In the order of play."""
    named: tuple[str, ...] = ()
    """The destinations named so far, in that order."""
    circle: int = 1
    asked: int = 0
    """The number of players who have had their turn to propose in this circle."""
    proposal: Proposal | None = None
    accepted: tuple[int, ...] = ()

    @property
    def proposer(self) -> int:
        """Return the seat whose turn it is to propose, or whose proposal is on the table."""
        return self.tied[self.asked]

    @property
    def answering(self) -> tuple[int, ...]:
        """Return the seats still to answer the proposal: the others, clockwise from the proposer."""
        others = self.tied[self.asked + 1 :] + self.tied[: self.asked]
        return others[len(self.accepted) :]


class Payments:
    """All ways in which ducats can change hands among players with this cash, numbered.

    The cash of all afterwards is a division of the total. So there are as many ways as there are ways to put bars
    between the ducats; way number ``n`` is the n-th choice of bars.
    """

    __slots__ = ("_cash", "_total", "count")

    def __init__(self, cash: tuple[int, ...]) -> None:
        self._cash = cash
        self._total = sum(cash)
        self.count = comb(self._total + len(cash) - 1, len(cash) - 1)

    def ducats(self, number: int) -> tuple[int, ...]:
        """Return the ducats that each gets (or pays, below 0) by a way, numbered from 0 to ``count`` − 1."""
        left = self._total
        got = []
        for place, cash in enumerate(self._cash[:-1], 1):
            others = len(self._cash) - place
            fewer = partial(_with_fewer, left, others)
            ducats = bisect_right(range(1, left + 1), number, key=fewer)
            number -= fewer(ducats)
            left -= ducats
            got.append(ducats - cash)
        got.append(left - self._cash[-1])
        return tuple(got)

    def possible(self, ducats: tuple[int, ...]) -> bool:
        """Return True if the changes balance and nobody pays more than they have."""
        return (
            len(ducats) == len(self._cash)
            and all(type(change) is int for change in ducats)
            and sum(ducats) == 0
            and all(cash + change >= 0 for cash, change in zip(self._cash, ducats, strict=True))
        )


def _with_fewer(left: int, others: int, ducats: int) -> int:
    """Return the number of ways to divide what is left in which one player has fewer than ``ducats``.

    These are all ways, less those in which that many are put aside for the player first.
    """
    return comb(left + others, others) - comb(left - ducats + others, others)
