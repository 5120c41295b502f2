"""What the ends of a round are worth in points: the lead of seat 0, as a person could reckon it at the table.

In the last round that is the lead at the end of the game (S11). Before it, sailors still to come fall to either
captain by chance, and a trick in hand is worth more than its point as long as it can still be used.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from kontor.players.shanghaien import values
from kontor.players.shanghaien.ends import Nations, hands_at_end, uses_of
from kontor.players.shanghaien.round import WAYS, Ends
from kontor.players.shanghaien.values import STRENGTHS, Floats, points
from kontor.shanghaien.components import ROUNDS
from kontor.shanghaien.view import View

OPTION: Final = 3.0
"""What an unused trick is worth beyond its point (S11), as long as there is a later round to use it in."""


def leads(view: View) -> Ends:
    """The lead of seat 0 at each end of the round in the view, whose row is laid."""
    uses = uses_of(view.crews[0], view.spent[0]), uses_of(view.crews[1], view.spent[1])
    nations = Nations(view, uses, [_tables()[place] for place in values.coming(view.to_come)])
    first, second = (_kept(hands_at_end(view, uses, seat).sum(axis=-1), ROUNDS - view.round) for seat in (0, 1))
    worth = np.empty((len(uses[0]), len(uses[1]), 2, WAYS))
    for number, hand in enumerate(first):
        worth[number] = (nations.sums(number)[..., 0] + hand - second)[:, None]
    return Ends(uses, worth)


@cache
def _tables() -> Floats:
    """The lead to expect from a nation, by sailors to come and the strengths of both seats: [24, 40, 40, 1]."""
    mine, theirs = np.indices((STRENGTHS, STRENGTHS))
    means, _ = values.prospects(points(mine, theirs) - points(theirs, mine))
    return np.asarray(means)[..., None]


def _kept(tricks: Floats, later: int) -> Floats:
    """What so many unused tricks in hand are worth, with so many rounds to come: one can be used in each (S8)."""
    return tricks + OPTION * np.minimum(tricks, later)
