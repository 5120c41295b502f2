"""In how many ways the hidden share cards can lie: counted exactly, and drawn, without trying deals one by one.

A deal gives every physical card a place: one of the open hands, or the unknown part of the Kontor pile. It *agrees*
if each hand has as many cards as it must, and of each colour at least and at most so many. The cards are dealt colour
by colour, and within a colour hand by hand: ``k`` of the ``r`` cards of that colour which are left can be chosen in
C(r, k) ways, and what is left after the last hand goes to the pile. So it is enough to know for each of these steps
how many cards each hand has already and how many of the colour are left: the numbers of ways to go on from there are
found from the last step to the first (dynamic programming), and give probabilities and draws. After a
check (H11a) the cards left for the pile are among those that it showed: no more than so many of each colour.

A hand may be likelier than others, by what is made of how its owner plays: each of its deals then counts for more
than one. Where none is, the numbers of ways are whole, held as floats: exact up to 2⁵³ ≈ 9 · 10¹⁵, which is more than
any seat of six has between rounds (3 · 10¹⁵); beyond that, for spectators, they are off by no more than rounding.
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
"""Numbers of ways. The first axes are the cards that each open hand has already, 0 to all of them; the last one, if
there is one more, is how many cards of a colour are left, 0 to all of them."""

_OF: Final[dict[Colour, tuple[tuple[Colour, ...], ...]]] = {
    colour: tuple((colour,) * count for count in range(len(COLOURS))) for colour in COLOURS
}
"""So many cards of a colour."""


Weights = tuple[tuple[float, ...], ...]
"""By colour and the number of its cards in a hand, 0 to 5 (H4): how many deals each such deal counts for. Those of
the colours are multiplied."""

EQUAL: Final[Weights] = ((1.0,) * len(COLOURS),) * len(COLOURS)
"""All deals are equally likely."""


class OpenHand(Value, frozen=True):
    """A hand that is not seen: how many cards it has, between which limits of each colour, and how likely."""

    cards: int
    least: Counts
    most: Counts
    weights: Weights = EQUAL


class Step:
    """Some cards of a colour go to a hand that takes ``cards`` in all: at least ``least``, at most ``most``.

    ``after`` are the numbers of ways to go on after this step. ``stride`` is how far apart in them, written out flat,
    a hand with one card more is, counted in rows of one colour. ``weights`` are the hand's for this colour.
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
        """How likely at most ``least``, ``least`` + 1 … cards go to the hand, up to the last number that is possible,
        which is left out. ``row`` is where the hands stand, ``left`` how many cards of the colour are left."""
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
        found = self.seen[row, left] = tuple(sum_so_far / total for sum_so_far in accumulate(ways[:-1]))
        return found


class ShareDeals:
    """All deals of ``hidden`` cards by colour to some open hands that agree with what is known of these; whatever is
    left goes to the pile, of each colour at most ``most_in_pile`` cards. There must be such a deal. ``ways`` is how
    many there are: the cards of one colour are told apart, their order in the pile is not."""

    def __init__(self, hands: tuple[OpenHand, ...], hidden: Counts, most_in_pile: Counts) -> None:
        self.hands = hands
        self.hidden = hidden
        self._most_in_pile = most_in_pile
        self._choices = np.array([[comb(left, k) for left in range(max(hidden) + 1)] for k in range(max(hidden) + 1)])
        self._full = tuple([hand.cards + 1 for hand in hands])
        steps, self.ways = self._backward()
        self.steps = tuple(reversed(steps))

    def _backward(self) -> tuple[list[tuple[Step, ...]], float]:
        """The steps of each colour, from the last colour to the first, and the number of all deals."""
        found = []
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
                    here, there = self._moves(number, count, width)
                    before[here] += self._chosen(hand.weights[place], count, width) * after[there]
                steps.append(Step(number, hand, place, most, stride, after))
                stride *= hand.cards + 1
                after = before
            done = after[..., width - 1]
            found.append(tuple(reversed(steps)))
        return found, float(done[(0,) * len(self.hands)])

    def _chosen(self, weights: tuple[float, ...], count: int, width: int) -> Ways:
        """What so many of a colour's cards in a hand count for, by how many of ``width`` − 1 cards are left: so many
        at least."""
        return np.asarray(weights[count] * self._choices[count, count:width])

    def _moves(self, hand: int, count: int, width: int) -> tuple[_Index, _Index]:
        """From where, and to where, such an array moves if so many of ``width`` − 1 cards go to a hand."""
        every = (slice(None),)
        earlier, later = every * hand, every * (len(self.hands) - hand - 1)
        return (
            (..., *earlier, slice(0, self._full[hand] - count), *later, slice(count, width)),
            (..., *earlier, slice(count, None), *later, slice(0, width - count)),
        )

    # ---- drawing

    def draw(self, random: Random) -> tuple[list[tuple[Colour, ...]], list[Colour]]:
        """One of the deals, by their weights: the hands, in the order of the colours, and the cards left for the
        pile, in no order."""
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
        """By open hand and place of the colour: how likely 0, 1, 2 … of its cards are of that colour."""
        return self._likely[0]

    @property
    def in_pile(self) -> tuple[float, ...]:
        """How many cards of each colour are to be expected in the unknown part of the pile."""
        return self._likely[1]

    @cached_property
    def _likely(self) -> tuple[tuple[tuple[tuple[float, ...], ...], ...], tuple[float, ...]]:
        """Both from one way through the deals, from the first colour to the last."""
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
                    here, there = self._moves(step.hand, count, width)
                    moved = self._chosen(step.weights, count, width) * before[here]
                    after[there] += moved
                    counts[step.hand][place][count] = float((moved * step.after[there]).sum()) / self.ways
                before = after
            ends = steps[-1].after if steps else np.ones(width)
            in_pile.append(float((before * ends * np.arange(width)).sum()) / self.ways)
            before[..., self._most_in_pile[place] + 1 :] = 0
            so_far = before.sum(axis=-1)
        return tuple(tuple(map(tuple, by_colour)) for by_colour in counts), tuple(in_pile)

    @cached_property
    def pairs_in_pile(self) -> tuple[tuple[float, ...], ...]:
        """How many ordered pairs of two different cards of the unknown part of the pile are to be expected, by the
        colours of the first and the second."""
        found = np.zeros((len(COLOURS), len(COLOURS)))
        # The deals so far, and for each colour already dealt the same, each times its cards in the pile.
        so_far = np.zeros((1, *self._full))
        so_far[(0, *(0,) * len(self.hands))] = 1
        for place, steps in enumerate(self.steps):
            width = self.hidden[place] + 1
            stack = self._with_all_left(so_far, width)
            for step in steps:
                after = np.zeros_like(stack)
                for count in range(step.least, step.most + 1):
                    here, there = self._moves(step.hand, count, width)
                    after[there] += self._chosen(step.weights, count, width) * stack[here]
                stack = after
            left = np.arange(width)
            ends = steps[-1].after if steps else np.ones(width)
            weighed = (stack * left * ends).reshape(len(stack), -1).sum(axis=-1)
            found[place, :place] = found[:place, place] = weighed[1:]
            found[place, place] = (stack[0] * left * (left - 1) * ends).sum()
            stack[..., self._most_in_pile[place] + 1 :] = 0
            so_far = np.concatenate([stack.sum(axis=-1), (stack[:1] * left).sum(axis=-1)])
        return tuple(tuple(float(ways) / self.ways for ways in row) for row in found)

    def _with_all_left(self, so_far: Ways, width: int) -> Ways:
        """The beginning of a colour: all of its ``width`` − 1 cards are left."""
        before = np.zeros((*so_far.shape, width))
        before[..., -1] = so_far
        return before


_Index = tuple[slice | EllipsisType, ...]


@lru_cache(maxsize=64)
def share_deals(hands: tuple[OpenHand, ...], hidden: Counts) -> ShareDeals:
    """The deals for what is known of the open hands; what stays the same from view to view is not counted again."""
    return ShareDeals(hands, hidden, hidden)


@lru_cache(maxsize=4)
def checked_deals(hands: tuple[OpenHand, ...], hidden: Counts, most_in_pile: Counts) -> ShareDeals:
    """The same after a check (H11a). They can be ten times as large, so few are kept."""
    return ShareDeals(hands, hidden, most_in_pile)
