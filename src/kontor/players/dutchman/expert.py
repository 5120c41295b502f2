"""The player called ``expert`` for Der fliegende Holländer."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
import os

import numpy as np

from kontor.dutchman.imagine import imagine
from kontor.dutchman.rules import play
from kontor.dutchman.state import Move, State, Propose, Withhold
from kontor.dutchman.view import View
from kontor.players.dutchman import greedy
from kontor.players.dutchman.bargaining import proposals
from kontor.players.dutchman.candidates import candidates
from kontor.players.dutchman.interim import chances
from kontor.players.dutchman.rollouts import ends

N = int(os.environ.get("N", 12))
OFF = os.environ.get("OFF", "")

def values(view, thought, states, seeds):
    endings = [[ends(play(s, m), view.seat, Random(seed)) for s, seed in zip(states, seeds)] for m in thought]
    flat = [st for row in endings for e in row for st in e.values()]
    v = chances(flat)[:, view.seat]
    out = []
    k = 0
    for row in endings:
        by = {}
        tot = 0.0
        for e in row:
            for c in e:
                by[c] = by.get(c, 0.0) + v[k]
                k += 1
        none = by.pop(None, 0.0)
        tot = none + (max(by.values()) if by else 0.0)
        out.append(tot / len(row))
    return np.array(out)

def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    if len(moves) == 1:
        return moves[0]
    quick = greedy.choose(view, moves, random)
    if view.step in OFF.split(","):
        return quick
    seeds = [random.getrandbits(32) for _ in range(N)]
    states = [imagine(view, random.randrange) for _ in range(N)]
    thought = [Withhold(), *proposals(view, states)] if view.step == "propose" else candidates(view, moves)
    if quick in thought:
        thought.remove(quick)
    thought.insert(0, quick)
    return thought[int(np.argmax(values(view, thought, states, seeds)))]
