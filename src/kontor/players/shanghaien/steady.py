"""The player called ``steady`` for Shanghaien: plays a round as well as can be, but counts points only.

It reckons with all dice to come in the round, and with the best answers of the other captain. But it takes cards by
what they count in the score table of now, and does not ask what is still to come of a nation, nor how a game is won:
that who leads should keep things quiet, and who is behind should stir them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from kontor.players.shanghaien.leads import leads
from kontor.players.shanghaien.thinking import Thinking
from kontor.shanghaien.state import Move
from kontor.shanghaien.view import View

POINTS: Final = Thinking(leads)


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """The move after which the lead to expect is the highest; the first of several that are equal."""
    return moves[0] if len(moves) == 1 else POINTS.best(view, POINTS.worths(view, moves))[0]
