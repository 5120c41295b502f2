"""The player called ``expert`` for Der fliegende Holländer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random

from kontor.dutchman.imagine import imagine
from kontor.dutchman.state import Move, Withhold
from kontor.dutchman.view import View
from kontor.players.dutchman import greedy
from kontor.players.dutchman.bargaining import proposals
from kontor.players.dutchman.candidates import candidates
from kontor.players.dutchman.imagining import imagined
from kontor.players.dutchman.interim import chances
from kontor.players.dutchman.weighing import Scales

N = int(os.environ.get("N", 48))
FIRST = int(os.environ.get("FIRST", 8))
OFF = os.environ.get("OFF", "")
X = os.environ.get("X", "").split(",")


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    if len(moves) == 1:
        return moves[0]
    quick = greedy.choose(view, moves, random)
    if view.step in OFF.split(","):
        return quick
    states = [imagine(view, random.randrange) for _ in range(N)] if "im" in X else imagined(view, N, random)
    thought = [Withhold(), *proposals(view, states[:16])] if view.step == "propose" else candidates(view, moves)
    if quick in thought:
        thought.remove(quick)
    thought.insert(0, quick)
    return Scales(view.seat, states, random, chances).best(thought, FIRST)[0].move
