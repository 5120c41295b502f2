"""The rest of a round of Shanghaien, solved: the value of every turn when both captains play perfectly.

A round ends by *shanghai*, and the cards are dealt out by the dice placed (S9). Given the value of every such end
(:class:`Ends`), the round is solved backwards over the dice placed: exactly, without sampling and without search.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np

from kontor.game import Value
from kontor.games.shanghaien.players.backwards import Hand, Values, solved
from kontor.games.shanghaien.players.plans import plan
from kontor.games.shanghaien.players.positions import PAIRS, Index, class_of
from kontor.games.shanghaien.rules.components import ROW, End, Nation, Trick
from kontor.games.shanghaien.rules.state import Numbers

WAYS: Final = 3**ROW
"""The number of ways to deal out six cards: each leaves the game, or goes to one of two seats."""

ENDS: Final[tuple[End, End]] = ("left", "right")


class Use(Value, frozen=True):
    """A seat's use of a trick card in this round (S8).

    It is none (the default); its dice trick; or, with a nation, a joker of that nation, for which the card with the
    dice trick ``trick`` is laid.
    """

    trick: Trick | None = None
    nation: Nation | None = None


NOTHING: Final = Use()
NUDGE: Final = Use("nudge")
BOTH: Final = Use("both")
REROLL: Final = Use("reroll")


@dataclass(frozen=True, eq=False)
class Ends:
    """Values of the ends of a round.

    ``uses[s]`` are the uses of a trick that seat s can still make in this round, each once; the first is ``NOTHING``
    (and the only one for a seat that holds no trick card, or has used one in this round).

    ``worth`` is [len(uses[0]), len(uses[1]), 2, 729], and any finite numbers do: ``worth[u0, u1, ender, way]`` is the
    chance that seat 0 wins after these events: seat s has used ``uses[s][us]`` (from now on), the shanghai of seat
    ``ender`` ends the round, and the cards are dealt out in this *way*. A way is the sum of digit · 3**p, p being the
    place of the card in the row from left to right (0 to 5). The digit is 0 if the card leaves the game, 1 if it goes
    to seat 0, 2 if to seat 1. The array is float64 or float32: rounds are solved in the same precision, and in half
    the time in the lower one.
    """

    uses: tuple[tuple[Use, ...], tuple[Use, ...]]
    worth: Values

    def after(self, seat: int, use: Use) -> Ends:
        """Return the values once the seat has made this use, after which it can make no other.

        Raises ValueError for a use that is not among those of the seat.
        """
        at = self.uses[seat].index(use)
        if seat == 0:
            return Ends(((NOTHING,), self.uses[1]), self.worth[at : at + 1])
        return Ends((self.uses[0], (NOTHING,)), self.worth[:, at : at + 1])


@dataclass(frozen=True, eq=False)
class Turn:
    """Values of the turn of ``seat``.

    All numbers are seat 0's chance to win; seat 0 maximises it, seat 1 minimises it, now and later.

    ``ends`` are the ends of the row that can still bear the 1: both as long as the starter has not chosen (S7), else
    one. ``uses`` are the seat's uses of a trick that are worth considering, the first is NOTHING.

    ``placing`` is [ends, uses, 6]: with that end chosen, that use made in this turn (NOTHING: none so far), and the
    die with number 1 to 6 placed, so that the other is to act; for BOTH it is NaN. ``both`` is [ends, 6, 6]: with the
    trick *both* used, and these two dice placed. They are None where the seat cannot roll, or holds no such trick.
    ``shanghai`` is None where that is not allowed.
    """

    seat: int
    ends: tuple[End, ...]
    uses: tuple[Use, ...]
    placing: Values | None
    both: Values | None
    shanghai: float | None

    @property
    def value(self) -> float:
        """Return the value before the seat decides between rolling and shanghai."""
        if self.placing is None:
            assert self.shanghai is not None
            return self.shanghai
        if self.shanghai is None:
            return self.rolling
        return min(self.rolling, self.shanghai) if self.seat else max(self.rolling, self.shanghai)

    @property
    def rolling(self) -> float:
        """Return the value before the first roll of this turn."""
        return float(self._by_roll.mean())

    @property
    def rerolling(self) -> float:
        """Return the value after the trick *reroll* was used, before the dice are rolled again (S8d)."""
        return float(self._by_use[self.uses.index(REROLL)].mean())

    def rolled(self, low: int, high: int) -> float:
        """Return the value after these dice (1 to 6, in any order) were rolled, before any trick in this turn.

        Numbering, if it is still open, tricks, and placing are ahead.
        """
        return float(self._by_roll[low - 1, high - 1])

    def used(self, use: Use, low: int, high: int) -> float:
        """Return the value after this use has just been made, with these dice (after a *nudge*: as changed).

        One of them is to be placed, or, with the trick *both*, both; numbering comes first, if it is still open. With
        NOTHING one of them is to be placed, and no trick is used in this turn. Raises ValueError if the use is not
        among ``uses``.
        """
        return float(self._by_use[self.uses.index(use), low - 1, high - 1])

    def numbered(self, one_at: End) -> Turn:
        """Return the same turn with the end chosen that bears the 1."""
        at = self.ends.index(one_at)
        placing = None if self.placing is None else self.placing[at : at + 1]
        both = None if self.both is None else self.both[at : at + 1]
        return Turn(self.seat, (one_at,), self.uses, placing, both, self.shanghai)

    @property
    def _better(self) -> np.ufunc:
        return np.minimum if self.seat else np.maximum

    @cached_property
    def _by_use(self) -> Values:
        """Return the value of each roll after each use, after the seat's best numbering: [uses, 6, 6]."""
        assert self.placing is not None
        better = self._better
        values: Values = better.reduce(better(self.placing[..., :, None], self.placing[..., None, :]))
        if self.both is not None:
            values[self.uses.index(BOTH)] = better.reduce(self.both)
        return values

    @cached_property
    def _by_roll(self) -> Values:
        """Return the value of each roll, before any trick is used: [6, 6]."""
        better = self._better
        values: Values = self._by_use[0].copy()
        for use, worth in zip(self.uses[1:], self._by_use[1:], strict=True):
            if use == REROLL:
                better(values, worth.mean(), out=values)
            else:
                better(values, worth, out=values)  # after a nudge: with the one die, the other being changed
            if use == NUDGE:
                for before, after in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
                    better(values[before], worth[after], out=values[before])
                    better(values[:, before], worth[:, after], out=values[:, before])
        return values


def solve(
    ends: Ends,
    placed: tuple[Numbers, Numbers],
    turn: int,
    one_at: End | None,
    *,
    dice: int = 6,
    keep: Collection[Use] = (),
) -> Turn:
    """Return the turn of seat ``turn``, at its beginning, with these dice placed (by number, 1 to 6, of both seats).

    ``one_at`` is None while numbering is open (S7): no dice are placed then. Each seat plays with ``dice`` dice, 2 to
    6, six being the game's: rolling needs two of them left (S4, S5).

    Right after a trick, in the same turn, ask with the ends after it (:meth:`Ends.after`): ``rolled`` is then the
    value of the roll that lies there, and ``rolling`` that of rerolling.

    Jokers of the seat to act that are not worth considering are left out of the result, but for those in ``keep``. In
    every case the ends have no higher value with them than with another joker, or with no trick used. So a seat that
    lays such a joker can as well lay the other, or none, and place the same dice ever after. (That does not hold of
    dice tricks, which change the dice that are placed.) Raises ValueError for dice that no round can bring about.
    """
    counts = sum(placed[turn]), sum(placed[1 - turn])
    thoughts = [thoughts_of(ends, seat, keep if seat == turn else ()) for seat in (0, 1)]
    uses = tuple(ends.uses[turn][at] for at in thoughts[turn])
    hand, other_hand = (hand_of([ends.uses[seat][at] for at in thoughts[seat]]) for seat in (turn, 1 - turn))
    hands = hand, other_hand
    worth = ends.worth[np.ix_(*thoughts)]
    both_held = hand.both, other_hand.both
    first = class_of(placed[turn], placed[1 - turn], dice, any(both_held))
    stages = plan(*counts, first, dice, both_held)
    here = stages[-1]
    possible: tuple[End, ...] = ENDS if one_at is None else (one_at,)
    shanghai = None
    if here.way is not None:
        shanghai = float(worth[0, 0, turn, ways_told_by(turn, possible[0])[here.way[0]]])
    if here.one is None:
        return Turn(turn, possible, uses, None, None, shanghai)
    placing = np.full((len(possible), len(uses), ROW), np.nan, worth.dtype)
    both = np.empty((len(possible), ROW, ROW), worth.dtype) if hand.both else None
    sign = -1 if turn else 1
    for at, end in enumerate(possible):
        after = solved(stages, _shanghai_values(worth, turn, end), hands)
        placing[at, : hand.without_both] = sign * after[here.next][here.one[:, 0], :, 0].T
        if both is not None:
            assert here.two is not None
            pairs = sign * after[here.next_doubled][here.two[:, 0], 0, 0]
            for (low, high), pair in zip(PAIRS, pairs, strict=True):
                both[at, low, high] = both[at, high, low] = pair
    return Turn(turn, possible, uses, placing, both, shanghai)


def _shanghai_values(worth: Values, turn: int, one_at: End) -> tuple[Values, Values]:
    """Return the values, for the seat whose turn it is, of shanghai by that seat, and by the other.

    Each is [ways, from the side of who ends the round; uses of the seat whose turn it is; uses of the other].
    """
    own_first = -worth.swapaxes(0, 1) if turn else worth
    first, second = (
        np.ascontiguousarray(own_first[:, :, ender][:, :, ways_told_by(ender, one_at)].transpose(2, 0, 1))
        for ender in (turn, 1 - turn)
    )
    return first, second


@cache
def ways_told_by(ender: int, one_at: End) -> Index:
    """Return the ways, as numbered in :class:`Ends`, for each way seen from the side of ``ender``: intp[729].

    From that side the digit is 1 for own cards, and the place of a card is its number.
    """
    digits = np.arange(WAYS)[:, None] // 3 ** np.arange(ROW) % 3
    if ender == 1:
        digits = -digits % 3
    if one_at == "right":
        digits = digits[:, ::-1]
    ways: Index = digits @ 3 ** np.arange(ROW)
    return ways


def thoughts_of(ends: Ends, seat: int, keep: Collection[Use]) -> list[int]:
    """Return the uses of a seat worth considering, in the order of a :class:`Hand`: places in ``ends.uses[seat]``."""
    uses = ends.uses[seat]
    worth = np.moveaxis(ends.worth, seat, 0).reshape(len(uses), -1)
    if seat == 1:
        worth = -worth
    jokers: list[int] = []
    best_first = np.argsort(-worth.sum(axis=1), kind="stable")
    for at in map(int, best_first):
        if uses[at].nation and (
            uses[at] in keep or not any((worth[at] <= worth[other]).all() for other in (0, *jokers))
        ):
            jokers.append(at)
    return [
        *(uses.index(use) for use in (NOTHING, NUDGE, REROLL) if use in uses),
        *sorted(jokers),
        *(uses.index(use) for use in (BOTH,) if use in uses),
    ]


def hand_of(uses: Sequence[Use]) -> Hand:
    """Return the numbers of these uses as a hand."""
    return Hand(
        nudge=uses.index(NUDGE) if NUDGE in uses else None,
        reroll=uses.index(REROLL) if REROLL in uses else None,
        jokers=sum(use.nation is not None for use in uses),
        both=BOTH in uses,
    )
