"""Computer players of Pig: each holds with so many points in a turn, or when it wins."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Final

from kontor.players import Choose
from kontor_pig.rules import Hold, Move, Roll, View


def hold_at(least: int, view: View, moves: Sequence[Move], random: Random) -> Move:
    """Holds with so many points in the turn."""
    return Hold() if Roll() not in moves or view.total >= least else Roll()


CASUAL: Final[Choose] = partial(hold_at, 10)
STEADY: Final[Choose] = partial(hold_at, 20)  # where a roll risks as much as it brings
