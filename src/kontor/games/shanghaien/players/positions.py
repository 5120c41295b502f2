"""The positions of a round of Shanghaien as tables: the numbers of dice that each seat has placed on each number.

All is seen from the side of the seat to act: *own* dice and the *other's*. A position is two multisets of numbers;
with six dice each there are some hundred thousand. Most of them no longer differ in anything that matters: the cards
would be dealt out alike, now and after any dice. So positions are gathered into *classes*, from the last dice
backwards, as a finite automaton is minimised. Two positions with the same numbers of dice belong to one class on two
conditions: *shanghai* deals out the cards alike, and each die, or pair of dice, leads to the same class. Of the
123,110 positions of a round without tricks 19,446 are left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kontor.games.shanghaien.rules.components import ROW
from kontor.games.shanghaien.rules.state import Numbers

Index = NDArray[np.intp]

PAIRS: Final[tuple[tuple[int, int], ...]] = tuple(combinations_with_replacement(range(ROW), 2))
"""The 21 pairs of two dice, as places (0 to 5) of their numbers."""

APART: Final = range(-2, 2)
"""Numbers of dice by which the seat to act can be ahead.

It is level if it started the round, else one behind; each seat's use of *both* shifts this by one.
"""


def can_roll(own: int, dice: int) -> bool:
    """Return True if two dice are left in the supply (S4)."""
    return own <= dice - 2


def can_shanghai(own: int, dice: int) -> bool:
    """Return True if two own dice are placed (S4), or rolling is impossible (S5).

    With two dice in all, S4 gives way.
    """
    return own >= 2 or not can_roll(own, dice)


# ------------------------------------------------------------------------------------------------------ multisets

_DIGIT: Final[Index] = (ROW + 1) ** np.arange(ROW)
"""Factors of a multiset's code: the sum of the dice on each number times these."""


@cache
def multisets(size: int) -> Index:
    """Return every multiset of this many numbers: intp[count, 6], how many dice lie on each number."""
    chosen = combinations_with_replacement(range(ROW), size)
    return np.array([[numbers.count(at) for at in range(ROW)] for numbers in chosen], np.intp)


@cache
def _places(size: int) -> Index:
    """Return, by code, the place of a multiset among those of this size."""
    places = np.full((ROW + 1) ** ROW, -1, np.intp)
    codes = multisets(size) @ _DIGIT
    places[codes] = np.arange(len(codes))
    return places


def _with_one_more(size: int) -> Index:
    """Return the place of each multiset with one die more: intp[count, 6]."""
    places: Index = _places(size + 1)[(multisets(size) @ _DIGIT)[:, None] + _DIGIT]
    return places


def _with_two_more(size: int) -> Index:
    """Return the place of each multiset with two dice more, in the order of PAIRS: intp[count, 21]."""
    first, second = np.array(PAIRS).T
    places: Index = _places(size + 2)[(multisets(size) @ _DIGIT)[:, None] + _DIGIT[first] + _DIGIT[second]]
    return places


def _ways(own: int, other: int) -> Index:
    """Return how the cards would be dealt out (S9), for each pair of multisets of these sizes.

    It is the sum of digit · 3**(number − 1). The digit is 0 if the card of that number leaves the game, 1 if it is
    the own, 2 if the other's.
    """
    own_dice, other_dice = multisets(own), multisets(other)
    ways = np.zeros((len(own_dice), len(other_dice)), np.intp)
    my_pips, their_pips = _pips_beside(own_dice), _pips_beside(other_dice)
    for at in range(ROW):
        ahead = np.sign(own_dice[:, None, at] - other_dice[:, at])
        beside = np.sign(my_pips[:, None, at] - their_pips[:, at]) * (own_dice[:, None, at] > 0)
        leader = np.where(ahead, ahead, beside)
        ways += np.where(leader > 0, 1, np.where(leader < 0, 2, 0)) * 3**at
    return ways


def _pips_beside(placed: Index) -> Index:
    """Return the pips of the dice on the neighbouring numbers (S9)."""
    pips = placed * np.arange(1, ROW + 1)
    beside = np.zeros_like(pips)
    beside[:, 1:] += pips[:, :-1]
    beside[:, :-1] += pips[:, 1:]
    return beside


# -------------------------------------------------------------------------------------------------------- classes


@dataclass(frozen=True, eq=False)
class Layer:
    """The classes of the positions with given numbers of own dice and the other's.

    ``of`` is intp[own multisets, other's multisets]: the class of each position. For each class, ``way`` is how
    shanghai deals out the cards, from the side of the seat to act; ``one`` is intp[classes, 6]: the class, in its
    layer, that each die leads to, where the other is to act; ``two`` is intp[classes, 21], for two dice. They are
    None where no die, or no two, can be placed.
    """

    of: Index
    way: Index
    one: Index | None
    two: Index | None

    def __len__(self) -> int:
        return len(self.way)


@cache
def layer(own: int, other: int, dice: int, both: bool) -> Layer:
    """Return the classes of the positions with these numbers of dice placed, each seat playing with ``dice``.

    Without the trick *both* two positions are alike more often.
    """
    ways = _ways(own, other)
    if not can_roll(own, dice):
        return Layer(ways, np.arange(3**ROW), None, None)
    ones = layer(other, own + 1, dice, both).of[:, _with_one_more(own)].transpose(1, 0, 2).reshape(ways.size, ROW)
    twos = None
    if both and other - own - 2 in APART:
        twos = (
            layer(other, own + 2, dice, both)
            .of[:, _with_two_more(own)]
            .transpose(1, 0, 2)
            .reshape(ways.size, len(PAIRS))
        )
    columns = [*ones.T, *(() if twos is None else twos.T)]
    if can_shanghai(own, dice):
        columns.append(ways.ravel())
    first, of = _group_equal(columns)
    return Layer(of.reshape(ways.shape), ways.ravel()[first], ones[first], None if twos is None else twos[first])


def _group_equal(columns: list[Index]) -> tuple[Index, Index]:
    """Group rows that are equal in every column; return the first row of each group, and the group of each row."""
    kinds = columns[0]
    for column in columns[1:]:
        kinds = kinds * (column.max() + 1) + column
        if kinds.max() > 2**40:
            kinds = np.unique(kinds, return_inverse=True)[1]
    _, first, of = np.unique(kinds, return_index=True, return_inverse=True)
    return first, of


def class_of(own: Numbers, other: Numbers, dice: int, both: bool) -> int:
    """Return the class of a position in its layer. Raises ValueError for dice that no round can bring about."""
    counts = sum(own), sum(other)
    if counts[0] - counts[1] not in APART or max(counts) > dice:
        raise ValueError(f"No round leads to {counts[0]} and {counts[1]} dice placed, with {dice} dice each.")
    places = (_places(sum(numbers))[int(np.dot(numbers, _DIGIT))] for numbers in (own, other))
    return int(layer(*counts, dice, both).of[*places])
