"""The player called ``expert`` for Shanghaien: plays for the best chance to win, exact in the last round.

It solves every round to its end (``round.py``). The chances to win at its ends are exact in the last round, and
learned before it (``values.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kontor.games.shanghaien.players.judge import JUDGE
from kontor.games.shanghaien.rules.state import Move
from kontor.games.shanghaien.rules.view import View


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Return the move with the best chance to win; of equal moves, the one with the greatest expected lead."""
    if len(moves) == 1:
        return moves[0]
    best: Move = JUDGE.appraise(view, moves, random).best.move
    return best
