"""Benchmark player ``swift`` for Der fliegende Holländer.

It thinks as ``expert`` does, in many more imagined states, because kernels draw them, play them on and judge them. It
weighs them by what others have kept and shown (``keeping``). In imagined rounds all seats play by a policy learned
from its own games.

Each step of thinking tries the remaining moves in further states, all in the same ones and with the same luck. Moves
that are clearly worse than the best fall out, and at least the worse half of the others while there are many. Kernels
know neither the check (H11a) nor smaller boxes (H4): there it plays as ``expert``.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kontor.games.dutchman.players import expert, greedy
from kontor.games.dutchman.players.bargaining import proposals_by
from kontor.games.dutchman.players.candidates import candidates
from kontor.games.dutchman.rules.components import BOX
from kontor.games.dutchman.rules.state import Move, Withhold
from kontor.games.dutchman.rules.view import View
from kontor.players import Choose
from kontor.players.budget import Budget, Iterations
from training.dutchman import keeping
from training.dutchman.imagined_rows import ImaginedRows
from training.dutchman.learned import Learned, shipped

USUAL: Final = Iterations(16)
"""Default budget, in steps of thinking. More steps do not improve its decisions."""

TRIALS: Final = 512
"""Approximate trials in each step of thinking."""

FEWEST: Final = 16
"""Fewest states in which each move is tried."""

PRICED: Final = 64
"""States by which the prices of others are estimated (H9)."""

FEW: Final = 4
"""Moves that are tried again in several steps while none of them is clearly worse."""

PLAIN: Final = 2.5
"""Standard errors by which a move must be worse to fall out."""


def with_budget(budget: Budget) -> Choose:
    """Return the player that thinks about a move for this budget."""
    return thinking(shipped(), budget, TRIALS, FEWEST)


def thinking(learned: Learned, budget: Budget, trials: int, fewest: int) -> Choose:
    """Return the player that thinks with these weights, with about ``trials`` in each step.

    Each move is tried in at least ``fewest`` states.
    """

    def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
        if len(moves) == 1:
            return moves[0]
        if view.options.may_check or view.options.box != BOX:
            return expert.choose(view, moves, random)
        imagined = ImaginedRows(view, random, learned, keeping.weights_of)
        left = _find_candidates(view, moves, imagined, random)
        actions = {move: imagined.action(move) for move in left}
        tried: list[NDArray[np.float64]] = []
        for _ in budget.thinking():
            if len(left) == 1:
                break
            tried.append(imagined.tried([actions[move] for move in left], max(fewest, trials // len(left))))
            places = _promising_places(np.concatenate(tried, axis=1))
            left = [left[place] for place in places]
            tried = [results[places] for results in tried]
        return left[0]

    return choose


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Choose a move with the usual budget."""
    chosen: Move = with_budget(USUAL)(view, moves, random)
    return chosen


def _find_candidates(view: View, moves: Sequence[Move], imagined: ImaginedRows, random: Random) -> list[Move]:
    """Return the moves worth considering, each once."""
    if view.step != "propose":
        return candidates(view, moves, (), random)
    proposals = proposals_by(imagined.prices(PRICED), view)
    return list(dict.fromkeys([greedy.choose(view, moves, random), Withhold(), *proposals]))


def _promising_places(results: NDArray[np.float64]) -> list[int]:
    """Return the places of the moves to be tried further, the best first.

    ``results`` holds the results of all, as ``ImaginedRows.tried`` returns them.
    """
    each = _by_best_course(results)
    order = np.argsort(-each.mean(axis=1), kind="stable").tolist()
    best = each[order[0]]
    margins = [best - each[place] for place in order[1:]]
    errors = [margin.std(ddof=1) / np.sqrt(len(margin)) for margin in margins]
    close = [
        place
        for place, margin, error in zip(order[1:], margins, errors, strict=True)
        if margin.mean() < PLAIN * error
    ]
    return [order[0], *close][: max(FEW, (len(order) + 1) // 2)]


def _by_best_course(results: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return our chance to win by each move in each state.

    The field to sail to is the same in all states, since we cannot tell them apart.
    """
    courses = 1 + results[:, :, 1:].sum(axis=1).argmax(axis=1)
    return np.asarray(results[:, :, 0] + results[np.arange(len(results)), :, courses])
