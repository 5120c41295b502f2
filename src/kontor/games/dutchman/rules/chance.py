"""Chance in Der fliegende Holländer: who starts, the deal, dice, sharing among smiths, shuffling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import chain
from math import factorial, prod
from typing import Any, Final

from kontor.game import Below, Chance, Die, shuffled
from kontor.games.dutchman.rules.components import BOX, ONES, PLACE_OF, TENS, Box, Colour, Horseshoes, shares_in_play
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.state import Deal, Dice, Outcome, Share, Shuffle, Starter, State

DICE: Final = Die([Dice(tens, ones) for tens in TENS for ones in ONES])


@cache
def starting(players: int) -> Die[Starter]:
    """Return the chance of a starter: any seat, equally likely (H5)."""
    return Die([Starter(seat) for seat in range(players)])


def in_order(shares: Iterable[Colour]) -> tuple[Colour, ...]:
    """Return shares in the order of the colours."""
    return tuple(sorted(shares, key=PLACE_OF.__getitem__))


@cache
def hand_of(shares: tuple[Colour, ...]) -> tuple[Colour, ...]:
    """Return a few shares in the order of the colours, cached."""
    return in_order(shares)


def _arrangements(things: Iterable[Any]) -> int:
    """Return the number of distinct orders of the things; equal things are interchangeable."""
    counts = Counter(things)
    return factorial(counts.total()) // prod(factorial(count) for count in counts.values())


def _are_in_order(*heaps: Horseshoes) -> bool:
    """Return True if each heap of horseshoes is written with the highest first."""
    return tuple(map(highest_first, heaps)) == heaps


class Dealing:
    """Chance of the deal: the shares and the horseshoes are shuffled separately, and dealt (H4)."""

    __slots__ = ("_box", "_middle", "_players", "_shares", "_sorted")

    def __init__(self, players: int, box: Box = BOX) -> None:
        self._players = players
        self._box = box
        self._middle = players if box.middle is None else box.middle
        self._shares = shares_in_play(players, box)
        self._sorted = sorted(self._shares)

    def draw(self, below: Below) -> Deal:
        """Shuffle the shares (in the order of the colours), then the horseshoes (highest first), and deal them.

        Three shares go to each seat, the rest is the pile. Nine horseshoes go to each seat, then one a player to the
        middle; the rest is out.
        """
        shares = shuffled(self._shares, below)
        horseshoes = shuffled(self._box.horseshoes, below)
        hand, rack = self._box.hand, self._box.rack
        dealt = rack * self._players
        seats = range(self._players)
        return Deal(
            hands=tuple([hand_of(tuple(shares[hand * seat : hand * (seat + 1)])) for seat in seats]),
            pile=tuple(shares[hand * self._players :]),
            racks=tuple([highest_first(horseshoes[rack * seat : rack * (seat + 1)]) for seat in seats]),
            middle=highest_first(horseshoes[dealt : dealt + self._middle]),
            out=highest_first(horseshoes[dealt + self._middle :]),
        )

    def probability(self, outcome: object) -> Fraction:
        """Return the probability of a deal: all orders of the shares, and of the horseshoes, are equally likely."""
        if not isinstance(outcome, Deal) or outcome not in self:
            return Fraction(0)
        shares = Fraction(prod(_arrangements(hand) for hand in outcome.hands), _arrangements(self._shares))
        heaps = (*outcome.racks, outcome.middle, outcome.out)
        return shares * Fraction(prod(_arrangements(heap) for heap in heaps), _arrangements(self._box.horseshoes))

    def outcomes(self) -> None:
        """Return None: there are too many to list."""
        return

    def __contains__(self, outcome: object) -> bool:
        if not isinstance(outcome, Deal):
            return False
        hands, racks = outcome.hands, outcome.racks
        return (
            [*map(len, hands)] == [self._box.hand] * self._players
            and [*map(len, racks)] == [self._box.rack] * self._players
            and len(outcome.middle) == self._middle
            and sorted(chain(*hands, outcome.pile)) == self._sorted
            and highest_first(chain(*racks, outcome.middle, outcome.out)) == self._box.horseshoes
            and tuple(map(hand_of, hands)) == hands
            and _are_in_order(*racks, outcome.middle, outcome.out)
        )


class Sharing:
    """Chance of sharing the middle: smiths get equal parts, unseen; what cannot be shared stays (H6b)."""

    __slots__ = ("_each", "_middle", "_smiths")

    def __init__(self, middle: tuple[int, ...], smiths: int) -> None:
        self._middle = middle
        self._smiths = smiths
        self._each = len(middle) // smiths

    def draw(self, below: Below) -> Share:
        """Shuffle the middle (highest first) and cut it into parts, in the order of play; the rest stays."""
        order = shuffled(self._middle, below)
        each = self._each
        parts = [highest_first(order[each * place : each * (place + 1)]) for place in range(self._smiths)]
        return Share(tuple(parts), highest_first(order[each * self._smiths :]))

    def probability(self, outcome: object) -> Fraction:
        """Return the probability of a share: all orders of the middle are equally likely."""
        if not isinstance(outcome, Share) or outcome not in self:
            return Fraction(0)
        heaps = (*outcome.parts, outcome.left)
        return Fraction(prod(_arrangements(heap) for heap in heaps), _arrangements(self._middle))

    def outcomes(self) -> None:
        """Return None: there are too many to list."""
        return

    def __contains__(self, outcome: object) -> bool:
        if not isinstance(outcome, Share):
            return False
        heaps = (*outcome.parts, outcome.left)
        return (
            [*map(len, outcome.parts)] == [self._each] * self._smiths
            and highest_first(chain(*heaps)) == self._middle
            and _are_in_order(*heaps)
        )


class Shuffling:
    """Chance of shuffling the Kontor pile (H11, H11a)."""

    __slots__ = ("_pile",)

    def __init__(self, pile: tuple[Colour, ...]) -> None:
        self._pile = in_order(pile)

    def draw(self, below: Below) -> Shuffle:
        """Shuffle the pile, beginning from the order of the colours."""
        return Shuffle(tuple(shuffled(self._pile, below)))

    def probability(self, outcome: object) -> Fraction:
        """Return the probability of a pile: all orders are equally likely."""
        return Fraction(1, _arrangements(self._pile)) if outcome in self else Fraction(0)

    def outcomes(self) -> None:
        """Return None: there are too many to list."""
        return

    def __contains__(self, outcome: object) -> bool:
        return isinstance(outcome, Shuffle) and sorted(outcome.pile) == sorted(self._pile)


@cache
def dealing(players: int, box: Box = BOX) -> Dealing:
    """Return the chance of the deal for this number of players."""
    return Dealing(players, box)


@cache
def dice_of(box: Box) -> Die[Dice]:
    """Return the chance of a box's two dice."""
    return DICE if box == BOX else Die([Dice(tens, ones) for tens in box.tens for ones in box.ones])


def chance(state: State) -> Chance[Outcome]:
    """Return the chance that is due in a state whose mover is CHANCE."""
    if state.step in ("lucky", "rolling"):
        return DICE if state.options.box is BOX else dice_of(state.options.box)
    if state.step == "share":
        return Sharing(state.middle, len(state.smiths))
    if state.step in ("shuffle", "reshuffle"):
        return Shuffling(state.pile)
    options = state.options
    return starting(options.players) if state.step == "starter" else dealing(options.players, options.box)


def occasion(state: State) -> tuple[str | int, ...]:
    """Return the occasion of an outcome: step and round, and in rolling for it the seat that rolls as well."""
    if state.step == "rolling":
        return state.step, state.round, state.queue[0]
    return state.step, state.round
