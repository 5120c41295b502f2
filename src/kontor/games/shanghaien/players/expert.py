"""The player called ``expert`` for Shanghaien: the best chance to win, in the last round exactly.

It solves every round to its end (``round.py``), with the chances to win that were learned for its ends
(``values.py``) or, in the last round, that are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kontor.games.shanghaien.players.judge import JUDGE
from kontor.games.shanghaien.rules.state import Move
from kontor.games.shanghaien.rules.view import View


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """The move with the best chance to win; of several, the one with the greatest lead to expect."""
    if len(moves) == 1:
        return moves[0]
    best: Move = JUDGE.appraise(view, moves, random).best.move
    return best
