"""Deals of the hidden share cards: counted exactly, and drawn, without trying single deals.

A deal gives every physical card a place: one of the open hands, or the unknown part of the Kontor pile. It *agrees*
if each hand has its number of cards, and of each colour a number within its limits.

The cards are dealt colour by colour, and within a colour hand by hand. ``k`` of the ``r`` cards of that colour which
are left can be chosen in C(r, k) ways. The cards left after the last hand go to the pile. So each of these steps
depends only on how many cards each hand has already, and how many of the colour are left. The numbers of ways to go
on from there are computed from the last step to the first (dynamic programming); they give probabilities and draws.
After a check (H11a) the cards left for the pile are among those that it showed: so their number is limited for each
colour.

A hand may be likelier than others, by the way in which its owner plays: each of its deals then has a larger weight.
With equal weights, the numbers of ways are whole, held as floats: exact up to 2⁵³ ≈ 9 · 10¹⁵. That is more than any
seat of six has between rounds (3 · 10¹⁵). Larger numbers, for spectators, have only errors of rounding.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property, lru_cache
from itertools import accumulate
from math import comb
from random import Random
from types import EllipsisType
from typing import Final

import numpy as np
import numpy.typing as npt

from kontor.game import Value
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import Counts

Ways = npt.NDArray[np.float64]
"""Numbers of ways. The first axes are the cards that each open hand has already, 0 to all of them. A further last
axis is how many cards of a colour are left, 0 to all of them."""

_OF: Final[dict[Colour, tuple[tuple[Colour, ...], ...]]] = {
    colour: tuple((colour,) * count for count in range(len(COLOURS))) for colour in COLOURS
}
"""Tuples of 0, 1, 2 … cards of a colour."""


Weights = tuple[tuple[float, ...], ...]
"""Weights of deals, by colour and the number of its cards in a hand, 0 to 5 (H4). The weights of the colours are
multiplied."""

EQUAL: Final[Weights] = ((1.0,) * len(COLOURS),) * len(COLOURS)
"""Weights that make all deals equally likely."""


class OpenHand(Value, frozen=True):
    """A hidden hand: its number of cards, the limits of each colour, and its weights."""

    cards: int
    least: Counts
    most: Counts
    weights: Weights = EQUAL


class Step:
    """A step of a deal: at least ``least`` and at most ``most`` cards of a colour go to a hand of ``cards`` in all.

    ``after`` are the numbers of ways to go on after this step. ``stride`` is the distance in the flat ``after``
    between a hand and one with one card more, counted in rows of one colour. ``weights`` are the hand's for this
    colour.
    """

    __slots__ = ("after", "cards", "hand", "least", "most", "seen", "stride", "weights")

    def __init__(self, number: int, hand: OpenHand, place: int, most: int, stride: int, after: Ways) -> None:
        self.hand = number
        self.cards = hand.cards
        self.least = hand.least[place]
        self.most = most
        self.weights = hand.weights[place]
        self.stride = stride
        self.after = after
        self.seen: dict[tuple[int, int], tuple[float, ...]] = {}

    def bounds(self, row: int, left: int) -> tuple[float, ...]:
        """Return the probabilities that at most ``least``, ``least`` + 1 … cards go to the hand.

        The last possible number is left out. ``row`` is the place of the hands in the flat ``after``, ``left`` how
        many cards of the colour are left.
        """
        width = self.after.shape[-1]
        flat = self.after.reshape(-1)
        room = self.cards - row // self.stride % (self.cards + 1)
        ways = [
            self.weights[count] * comb(left, count) * float(flat[(row + count * self.stride) * width + left - count])
            for count in range(self.least, min(self.most, left, room) + 1)
        ]
        while not ways[-1]:
            ways.pop()
        total = sum(ways)
        bounds = self.seen[row, left] = tuple(sum_so_far / total for sum_so_far in accumulate(ways[:-1]))
        return bounds


class ShareDeals:
    """All deals of ``hidden`` cards by colour to open hands that agree with what is known of the hands.

    The remaining cards go to the pile, of each colour at most ``most_in_pile``. There must be such a deal. ``ways``
    is the number of deals: cards of one colour count as different, their order in the pile does not count.
    """

    def __init__(self, hands: tuple[OpenHand, ...], hidden: Counts, most_in_pile: Counts) -> None:
        self.hands = hands
        self.hidden = hidden
        self._most_in_pile = most_in_pile
        self._choices = np.array([[comb(left, k) for left in range(max(hidden) + 1)] for k in range(max(hidden) + 1)])
        self._full = tuple([hand.cards + 1 for hand in hands])
        steps, self.ways = self._backward()
        self.steps = tuple(reversed(steps))

    def _backward(self) -> tuple[list[tuple[Step, ...]], float]:
        """Return the steps of each colour, from the last colour to the first, and the number of all deals."""
        by_colour = []
        done = np.zeros(self._full)
        done[(-1,) * len(self.hands)] = 1
        for place in reversed(range(len(COLOURS))):
            width = self.hidden[place] + 1
            after = np.repeat(done[..., np.newaxis], width, axis=-1)
            after[..., self._most_in_pile[place] + 1 :] = 0
            steps: list[Step] = []
            stride = 1
            for number, hand in reversed([*enumerate(self.hands)]):
                least = hand.least[place]
                most = min(hand.most[place], hand.cards, width - 1)
                before = np.zeros_like(after)
                for count in range(least, most + 1):
                    source, target = self._moves(number, count, width)
                    before[source] += self._weigh_cards(hand.weights[place], count, width) * after[target]
                steps.append(Step(number, hand, place, most, stride, after))
                stride *= hand.cards + 1
                after = before
            done = after[..., width - 1]
            by_colour.append(tuple(reversed(steps)))
        return by_colour, float(done[(0,) * len(self.hands)])

    def _weigh_cards(self, weights: tuple[float, ...], count: int, width: int) -> Ways:
        """Return the weight of ``count`` cards of a colour in a hand, by how many of the cards are left.

        ``width`` − 1 is the number of cards of the colour; at least ``count`` are left.
        """
        return np.asarray(weights[count] * self._choices[count, count:width])

    def _moves(self, hand: int, count: int, width: int) -> tuple[_Index, _Index]:
        """Return the parts of such an array before and after ``count`` of ``width`` − 1 cards go to a hand."""
        every = (slice(None),)
        earlier, later = every * hand, every * (len(self.hands) - hand - 1)
        return (
            (..., *earlier, slice(0, self._full[hand] - count), *later, slice(count, width)),
            (..., *earlier, slice(count, None), *later, slice(0, width - count)),
        )

    # ---- drawing

    def draw(self, random: Random) -> tuple[list[tuple[Colour, ...]], list[Colour]]:
        """Draw one of the deals, by their weights.

        Returns the hands, in the order of the colours, and the cards left for the pile, in no order.
        """
        hands: list[tuple[Colour, ...]] = [()] * len(self.hands)
        pile: list[Colour] = []
        row = 0
        number = random.random
        for colour, left, steps in zip(COLOURS, self.hidden, self.steps, strict=True):
            cards = _OF[colour]
            for step in steps:
                bounds = step.seen.get((row, left))
                if bounds is None:
                    bounds = step.bounds(row, left)
                count = step.least + bisect_right(bounds, number()) if bounds else step.least
                if count:
                    hands[step.hand] += cards[count]
                    left -= count
                    row += count * step.stride
            pile += cards[left]
        return hands, pile

    # ---- probabilities

    @property
    def counts(self) -> tuple[tuple[tuple[float, ...], ...], ...]:
        """Return the probabilities of 0, 1, 2 … cards of a colour, by open hand and place of the colour."""
        return self._likely[0]

    @property
    def in_pile(self) -> tuple[float, ...]:
        """Return the expected number of cards of each colour in the unknown part of the pile."""
        return self._likely[1]

    @cached_property
    def _likely(self) -> tuple[tuple[tuple[tuple[float, ...], ...], ...], tuple[float, ...]]:
        """Return ``counts`` and ``in_pile``, computed in one pass from the first colour to the last."""
        counts = [[[0.0] * (hand.cards + 1) for _ in COLOURS] for hand in self.hands]
        in_pile = []
        so_far = np.zeros(self._full)
        so_far[(0,) * len(self.hands)] = 1
        for place, steps in enumerate(self.steps):
            width = self.hidden[place] + 1
            before = self._with_all_left(so_far, width)
            for step in steps:
                after = np.zeros_like(before)
                for count in range(step.least, step.most + 1):
                    source, target = self._moves(step.hand, count, width)
                    moved = self._weigh_cards(step.weights, count, width) * before[source]
                    after[target] += moved
                    counts[step.hand][place][count] = float((moved * step.after[target]).sum()) / self.ways
                before = after
            ends = steps[-1].after if steps else np.ones(width)
            in_pile.append(float((before * ends * np.arange(width)).sum()) / self.ways)
            before[..., self._most_in_pile[place] + 1 :] = 0
            so_far = before.sum(axis=-1)
        return tuple(tuple(map(tuple, by_colour)) for by_colour in counts), tuple(in_pile)

    def _with_all_left(self, so_far: Ways, width: int) -> Ways:
        """Return the array for the beginning of a colour, when all of its ``width`` − 1 cards are left."""
        before = np.zeros((*so_far.shape, width))
        before[..., -1] = so_far
        return before


_Index = tuple[slice | EllipsisType, ...]


@lru_cache(maxsize=64)
def share_deals(hands: tuple[OpenHand, ...], hidden: Counts) -> ShareDeals:
    """Return the deals for what is known of the open hands; cached, since it often stays the same between views."""
    return ShareDeals(hands, hidden, hidden)


@lru_cache(maxsize=4)
def checked_deals(hands: tuple[OpenHand, ...], hidden: Counts, most_in_pile: Counts) -> ShareDeals:
    """Return the deals after a check (H11a).

    They can be ten times as large, so few are cached.
    """
    return ShareDeals(hands, hidden, most_in_pile)
