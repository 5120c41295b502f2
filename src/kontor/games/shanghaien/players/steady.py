"""The player called ``steady`` for Shanghaien: plays a round as well as can be, but counts points only.

It reckons with all dice to come in the round, and with the best answers of the other captain. But it takes cards by
what they count in the score table of now, and does not ask what is still to come of a nation, nor how a game is won:
that who leads should keep things quiet, and who is behind should stir them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from kontor.games.shanghaien.players.ends import leads, uses_of
from kontor.games.shanghaien.players.round import Ends
from kontor.games.shanghaien.players.thinking import Thinking
from kontor.games.shanghaien.rules.state import Move
from kontor.games.shanghaien.rules.view import View

OPTION: Final = 2.0
"""Worth of an unused trick beyond its point (S11), as long as it can be used in a round to come. With 3 this
player is stronger, and closer to ``expert``; with 1 it is weaker than ``greedy``."""


def _points(view: View) -> Ends:
    """Return the lead of seat 0 at each end of the round, whose row is laid; in the last round the final lead."""
    uses = uses_of(view.crews[0], view.spent[0]), uses_of(view.crews[1], view.spent[1])
    return Ends(uses, leads(view, uses, OPTION))


POINTS: Final = Thinking(_points)


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Return the move with the highest expected lead; the first of several that are equal."""
    return moves[0] if len(moves) == 1 else POINTS.best(view, POINTS.worths(view, moves))[0]
