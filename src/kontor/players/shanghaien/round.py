"""The rest of a round of Shanghaien, solved: what every turn is worth when both captains play it as well as can be.

A round ends by *shanghai*, and the cards are dealt out by the dice placed (S9). Given what every such end is worth
(:class:`Ends`), the round is solved backwards over the dice placed, without sampling and without search.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kontor.game import Value
from kontor.shanghaien.components import ROW, End, Nation, Trick
from kontor.shanghaien.state import Numbers

WAYS: Final = 3**ROW
"""In how many ways six cards can be dealt out: each leaves the game, or goes to one of two seats."""


class Use(Value, frozen=True):
    """How a seat uses a trick card in this round (S8): not at all (the default); its dice trick; or, with a nation,
    as a joker of that nation, the card with the dice trick ``trick`` being laid."""

    trick: Trick | None = None
    nation: Nation | None = None


NOTHING: Final = Use()


@dataclass(frozen=True, eq=False)
class Ends:
    """What the ends of a round are worth.

    ``uses[s]`` are the uses of a trick that seat s can still make in this round, none of them twice; the first is
    ``NOTHING`` (and the only one for a seat that holds no trick card, or has used one in this round).

    ``worth`` is float64[len(uses[0]), len(uses[1]), 2, 729], and any finite numbers do: ``worth[u0, u1, ender, way]``
    is the chance that seat 0 wins if the round is ended by the shanghai of seat ``ender``, seat s has used
    ``uses[s][us]`` (from now on), and the cards are dealt out in this *way*: the sum of digit · 3**p, p being the
    place of the card in the row from left to right (0 to 5) and the digit 0 if the card leaves the game, 1 if it goes
    to seat 0, 2 if to seat 1.
    """

    uses: tuple[tuple[Use, ...], tuple[Use, ...]]
    worth: NDArray[np.float64]

    def after(self, seat: int, use: Use) -> Ends:
        """What they are worth once the seat has made this use: it can make none any more. Raises ValueError for a
        use that is not among those of the seat."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Turn:
    """What can come of the turn of ``seat``. All numbers are seat 0's chance to win; seat 0 wants much, seat 1
    little, now and later.

    ``ends`` are the ends of the row that can still bear the 1: both as long as the starter has not chosen (S7), else
    one. ``uses`` are the seat's uses of a trick that are worth a thought, the first is NOTHING.

    ``placing`` is float64[len(ends), len(uses), 6]: with that end chosen, that use made in this turn (NOTHING: none,
    neither now nor earlier in this round, if the seat has any), and the die with number 1 to 6 placed, so that the
    other seat is to act. ``both`` is float64[len(ends), 6, 6]: with the trick *both* used, and these two dice placed.
    They are None where the seat cannot roll, or holds no such trick. ``shanghai`` is None where that is not allowed.
    """

    seat: int
    ends: tuple[End, ...]
    uses: tuple[Use, ...]
    placing: NDArray[np.float64] | None
    both: NDArray[np.float64] | None
    shanghai: float | None

    @property
    def value(self) -> float:
        """Before the seat decides between rolling and shanghai."""
        raise NotImplementedError

    @property
    def rolling(self) -> float:
        """The dice are about to be rolled for the first time in this turn. Raises ValueError if the seat has to
        shanghai (S5)."""
        raise NotImplementedError

    @property
    def rerolling(self) -> float:
        """The trick *reroll* was used: the dice are about to be rolled again (S8d). Raises ValueError if *reroll* is
        not among the uses."""
        raise NotImplementedError

    def rolled(self, low: int, high: int) -> float:
        """These dice (1 to 6, in any order) were rolled, and no trick has been used in this turn: numbering, if it is
        still open, tricks, and placing are ahead."""
        raise NotImplementedError

    def used(self, use: Use, low: int, high: int) -> float:
        """This use has just been made, and these dice lie there (after a *nudge*: as changed): one of them is to be
        placed, or, with the trick *both*, both; if numbering is still open, it comes first. Raises ValueError for a
        use that is not among the uses."""
        raise NotImplementedError

    def numbered(self, one_at: End) -> Turn:
        """The same turn with the end chosen that bears the 1. Raises ValueError if it cannot be that end."""
        raise NotImplementedError


def solve(
    ends: Ends,
    placed: tuple[Numbers, Numbers],
    turn: int,
    one_at: End | None,
    *,
    dice: int = 6,
    keep: Collection[Use] = (),
) -> Turn:
    """The turn of seat ``turn``, at its beginning, with these dice placed (by number, 1 to 6, of both seats).

    ``one_at`` is None while numbering is open: no dice are placed then. Each seat plays with so many ``dice`` (2 to
    6; the game's six by default): rolling needs two of them left (S4, S5).

    Uses that are nowhere better than others are left out of the result, but for those in ``keep``.

    Right after a trick, in the same turn, ask with the ends after it (:meth:`Ends.after`): with ``NOTHING`` as the
    only use, ``rolled`` is then the value of the roll that lies there, and ``rolling`` that of rerolling.
    """
    raise NotImplementedError
