"""Computer player ``expert`` for Der fliegende Holländer.

A decision has a few candidates. Each is tried in states imagined from the view. There all others, and our own seat
later in the round, play as ``greedy`` does, except for bargains (``agreeing``). The state at the end of the round is
judged by learned chances to win. So the expert considers its rivals' interests, and how far ahead or behind it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from kontor.games.dutchman.players.candidates import candidates
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.weighing import Scales
from kontor.games.dutchman.rules.state import Move
from kontor.games.dutchman.rules.view import View

TRIALS: Final = 48
"""Trials in each round of weighing."""

FEWEST: Final = 4
"""Fewest states in which each candidate is tried."""

PRICED: Final = 16
"""States by which the prices of others are estimated (H9)."""


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Choose the move after which our chance to win is best."""
    if len(moves) == 1:
        return moves[0]
    assert view.seat is not None
    imagined = Imagined(view, random)
    priced = imagined.first(PRICED) if view.step == "propose" else []
    thought = candidates(view, moves, priced, random)
    return Scales(view.seat, imagined, random).best(thought, TRIALS, FEWEST)
