"""Computer players of Pig: each holds at a certain number of points in a turn, or when it wins."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Final

from kontor.players import Choose
from kontor_pig.rules import Hold, Move, Roll, View


def hold_at(least: int, view: View, moves: Sequence[Move], random: Random) -> Move:
    """Hold with at least ``least`` points in the turn, or if the rules demand it; otherwise roll."""
    return Hold() if Roll() not in moves or view.total >= least else Roll()


CASUAL: Final[Choose] = partial(hold_at, 10)
STEADY: Final[Choose] = partial(hold_at, 20)  # at 20 points, a roll risks as much as it gains on average
