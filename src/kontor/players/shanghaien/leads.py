"""What the ends of a round are worth in points: the lead of seat 0 by the score table, as if no more rows were laid.

In the last round that is the lead at the end of the game (S11). Before it, a trick in hand is worth more than its
point, for it can still be used.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.players.shanghaien.ends import Nations, hands_at_end, uses_of
from kontor.players.shanghaien.round import WAYS, Ends
from kontor.players.shanghaien.values import STRENGTHS, Floats, Ints, points
from kontor.shanghaien.components import NATIONS, ROUNDS
from kontor.shanghaien.view import View

OPTION: Final = 3.0
"""What an unused trick is worth beyond its point (S11), as long as there is a later round to use it in (S8)."""


def leads(view: View) -> Ends:
    """The lead of seat 0 at each end of the round in the view, whose row is laid."""
    uses = uses_of(view.crews[0], view.spent[0]), uses_of(view.crews[1], view.spent[1])
    mine, theirs = np.indices((STRENGTHS, STRENGTHS))
    lead = (points(mine, theirs) - points(theirs, mine))[..., None].astype(float)
    nations = Nations(view, uses, [lead] * len(NATIONS))
    first, second = (_kept(hands_at_end(view, uses, seat).sum(axis=-1), ROUNDS - view.round) for seat in (0, 1))
    worth = np.empty((len(uses[0]), len(uses[1]), 2, WAYS))
    for number, hand in enumerate(first):
        worth[number] = (nations.sums(number)[..., 0] + hand - second)[:, None]
    return Ends(uses, worth)


def _kept(tricks: Ints, later: int) -> Floats:
    """What so many unused tricks in hand are worth, with so many rounds to come."""
    kept: Floats = tricks + OPTION * np.minimum(tricks, later)
    return kept
