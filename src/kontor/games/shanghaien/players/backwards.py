"""The arithmetic of solving a round of Shanghaien backwards: arrays over classes of positions and uses of tricks.

*First* is the seat that acts in the first position and maximises; *second* is the other, which minimises. Values are
arrays [classes, first's uses, second's uses] of float64 or, in half the time, float32, like the ends. The uses of a
seat are numbered by its :class:`Hand`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kontor.games.shanghaien.players.plans import Key, Stage
from kontor.games.shanghaien.players.positions import PAIRS

Values = NDArray[np.floating[Any]]

BLOCK: Final = 32_000
"""Numbers worked on at a time: a dozen times as many stay in the processor's cache."""

_NETWORK: Final = (
    *((0, 5), (1, 3), (2, 4)),
    *((1, 2), (3, 4)),
    *((0, 3), (2, 5)),
    *((0, 1), (2, 3), (4, 5)),
    *((1, 2), (3, 4)),
)
"""A sorting network for six numbers: pairs to compare and, if need be, to exchange."""

_BETTER: Final[tuple[np.ufunc, np.ufunc]] = (np.maximum, np.minimum)
"""The function that first prefers, and the one that second prefers."""

SHARES: Final = tuple((2 * place + 1) / 36 for place in range(6))
"""Shares of the 36 rolls in which the better die is the worst, the second worst … of the six."""


@dataclass(frozen=True)
class Hand:
    """The numbered uses of tricks that a seat can make in the round.

    Use 0 is none so far: any can still be made. Then follow *nudge* and *reroll*, if they are held (else None), then
    the jokers, then *both*, if it is held.

    The values of positions after *both* stand in arrays of their own, where this is the seat's only use.
    """

    nudge: int | None
    reroll: int | None
    jokers: int
    both: bool

    @property
    def without_both(self) -> int:
        """Return the number of uses without *both*; using no trick counts as one."""
        return 1 + (self.nudge is not None) + (self.reroll is not None) + self.jokers

    @property
    def uses(self) -> int:
        """Return the number of uses."""
        return self.without_both + self.both

    @property
    def dice_tricks(self) -> bool:
        """Return True if a dice trick is among the uses."""
        return self.uses > 1 + self.jokers


NOTHING_HELD: Final = Hand(None, None, 0, False)


def solved(stages: Sequence[Stage], ended: tuple[Values, Values], hands: tuple[Hand, Hand]) -> dict[Key, Values]:
    """Return the values of the stages that the first position, the last of a plan's ``stages``, leads to.

    ``ended`` are [729, first's uses, second's uses], *both* included: the values of the ways of dealing out the cards
    after shanghai by first, and by second. Ways are numbered from the side of that seat.
    """
    solver = _Solver(ended, hands)
    values: dict[Key, Values] = {}
    for stage in stages[:-1]:
        values[stage.key] = solver.solve(stage, values)
        for key in [key for key in values if key[0] > stage.key[0] + 1]:
            del values[key]
    return values


class _Solver:
    """Solver of stage after stage, with arrays kept to work in."""

    def __init__(self, ended: tuple[Values, Values], hands: tuple[Hand, Hand]) -> None:
        self.ended = ended
        self.hands = hands
        most = max(BLOCK, hands[0].without_both * hands[1].without_both)
        self.kind = ended[0].dtype
        self.rooms = {
            name: np.empty(size * most, self.kind) for name, size in (("dice", 6), ("own", 6), ("one", 1), ("sum", 1))
        }

    def room(self, name: str, *shape: int) -> Values:
        """Return an array to work in; it is valid until the next call with this name."""
        return self.rooms[name][: prod(shape)].reshape(shape)

    def solve(self, stage: Stage, later: dict[Key, Values]) -> Values:
        """Return the values of a stage; mix the mover's jokers into those of the next stage."""
        ended = self._end_values(stage)
        if stage.one is None:
            assert stage.way is not None
            return ended.take(stage.way, axis=0)
        mover = stage.mover
        better = _BETTER[mover]
        hand = self._hand(stage)
        after = later[stage.next]
        if hand.jokers:
            _mix_jokers(np.moveaxis(after, 1 + mover, 0), hand, better)
        values = np.empty((stage.classes, *after.shape[1:]), self.kind)
        step = max(1, BLOCK // values[0].size)
        for start in range(0, stage.classes, step):
            block = slice(start, start + step)
            here = values[block]
            dice = self.room("dice", 6, *here.shape)
            after.take(stage.one[:, block], axis=0, out=dice, mode="clip")
            own = self._placing_values(np.moveaxis(dice, 2 + mover, 0), hand, better) if hand.dice_tricks else None
            self._mean_of_better(dice, here, mover)
            if own is not None:
                by_use = np.moveaxis(here, 1 + mover, 0)
                if hand.reroll:
                    better(own, by_use[hand.reroll], out=own)
                by_use[0] = self._mean_with_both(own, stage, block, later)
            if stage.way is not None:
                shanghai = self.room("one", *here.shape)
                ended.take(stage.way[block], axis=0, out=shanghai, mode="clip")
                better(here, shanghai, out=here)
        return values

    def _hand(self, stage: Stage) -> Hand:
        """Return the uses, among those of this stage's arrays, that the mover can still make."""
        return NOTHING_HELD if stage.key[1][stage.mover] else self.hands[stage.mover]

    def _end_values(self, stage: Stage) -> Values:
        """Return the values of the ways to deal out the cards, by the uses that this stage's arrays are for."""
        those = [
            slice(hand.without_both, hand.uses) if doubled else slice(0, hand.without_both)
            for hand, doubled in zip(self.hands, stage.key[1], strict=True)
        ]
        return np.ascontiguousarray(self.ended[stage.mover][:, those[0], those[1]])

    def _placing_values(self, dice: Values, hand: Hand, better: np.ufunc) -> Values:
        """Return the value of placing each die while no trick is used yet, a nudge of it included (S8b).

        ``dice`` is the value of placing them, by use: [uses, 6, classes, the other's uses].
        """
        own = self.room("own", *dice.shape[1:])
        np.copyto(own, dice[0])
        if hand.nudge:
            nudged = dice[hand.nudge]
            better(own, nudged, out=own)  # the other die was nudged
            better(own[1:], nudged[:-1], out=own[1:])
            better(own[:-1], nudged[1:], out=own[:-1])
        return own

    def _mean_of_better(self, dice: Values, out: Values, mover: int) -> None:
        """Write to ``out`` the mean over all rolls of the better die's value.

        ``dice``, with the dice along its first axis, is overwritten.
        """
        better, worse = _BETTER[mover], _BETTER[1 - mover]
        rows = list(dice)
        spare = self.room("one", *out.shape)
        for low, high in _NETWORK:
            first, second = rows[low], rows[high]
            worse(first, second, out=spare)
            better(first, second, out=second)
            rows[low], spare = spare, first
        np.multiply(rows[0], SHARES[0], out=out)
        for row, share in zip(rows[1:], SHARES[1:], strict=True):
            np.multiply(row, share, out=row)
            np.add(out, row, out=out)

    def _mean_with_both(self, dice: Values, stage: Stage, block: slice, later: dict[Key, Values]) -> Values:
        """Return the mean over all rolls of the better die's value, or of both dice's with that trick (S8c)."""
        total = self.room("sum", *dice.shape[1:])
        if stage.two is None:
            self._mean_of_better(dice, total, stage.mover)
            return total
        better = _BETTER[stage.mover]
        pairs = later[stage.next_doubled].reshape(-1, dice.shape[2])
        both = self.room("one", *dice.shape[1:])
        total.fill(0)
        for (first, second), lead in zip(PAIRS, stage.two[:, block], strict=True):
            pairs.take(lead, axis=0, out=both, mode="clip")
            better(both, dice[first], out=both)
            if first != second:
                better(both, dice[second], out=both)
                np.add(total, both, out=total)
            np.add(total, both, out=total)
        np.multiply(total, 1 / 36, out=total)
        return total


def _mix_jokers(by_use: Values, hand: Hand, better: np.ufunc) -> None:
    """Raise the values without a trick to those with the best joker: one can be laid before a die is placed (S8a)."""
    jokers = by_use[hand.without_both - hand.jokers : hand.without_both]
    better(by_use[0], better.reduce(jokers), out=by_use[0])
