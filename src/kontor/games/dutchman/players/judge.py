"""Judge of Der fliegende Holländer: it thinks like ``expert``, but with more states for the best candidates.

All candidates that may be the best are tried in the same imagined states. A partner who gains nothing is not taken to
be willing (``weighing``). Only the end of the game is judged exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from kontor.games.dutchman.players.candidates import candidates
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.weighing import Scales, Weighed
from kontor.games.dutchman.rules.moves import moves as legal
from kontor.games.dutchman.rules.state import Move
from kontor.games.dutchman.rules.view import View
from kontor.players import Appraisal, Appraised, Estimate

STAGES: Final = (8, 16, 32)
"""Imagined states in which moves have been tried after each stage. Moves that are clearly worse than the best then
fall out, except the one that was played."""

PLAIN: Final = 1.5
"""Standard errors by which a move must be worse to fall out."""

VALUED: Final = 64
"""States that estimate the value of waiting."""

PRICED: Final = 16
"""States by which the prices of others are estimated (H9)."""


class DutchmanJudge:
    """The judge of Der fliegende Holländer: see :class:`kontor.players.Judge`."""

    def value(self, view: View, random: Random) -> Estimate:
        """Estimate a seat's chance to win; if it is to move, it is assumed to play its best move."""
        assert view.seat is not None
        if view.result:
            winners = view.result.winners
            return Estimate(1 / len(winners) if view.seat in winners else 0.0, exact=True)
        imagined = Imagined(view, random)
        if view.mover == view.seat:
            moves = legal(imagined.first(1)[0])
            return Estimate(_appraise_moves(view, moves, imagined, random)[0].chance, exact=False)
        waiting = Weighed(None)
        Scales(view.seat, imagined, random, refusals=True).weigh([waiting], 0, VALUED)
        return Estimate(waiting.chance, exact=False)

    def appraise(self, view: View, moves: Sequence[Move], random: Random, played: Any = None) -> Appraisal:
        """Appraise the moves worth considering, and the one played, each tried in the same states."""
        return Appraisal(tuple(_appraise_moves(view, moves, Imagined(view, random), random, played)), exact=False)


def _appraise_moves(
    view: View, moves: Sequence[Move], imagined: Imagined, random: Random, played: Move | None = None
) -> list[Appraised]:
    """Return the appraised moves, the best first."""
    assert view.seat is not None
    thought = candidates(view, moves, imagined.first(PRICED), random)
    if played is not None and played not in thought:
        thought.append(played)
    weighed = [Weighed(move) for move in thought]
    best = _find_best(weighed, Scales(view.seat, imagined, random, refusals=True), played)
    # Moves that fell out get their margin from the states in which they were tried, with the same luck.
    others = []
    for each in weighed:
        if each is not best:
            margin = each.less_than(best)
            others.append(Appraised(each.move, min(best.chance, max(0.0, best.chance - margin.mean)), margin.error))
    return [Appraised(best.move, best.chance, best.error), *sorted(others, key=lambda each: -each.chance)]


def _find_best(weighed: Sequence[Weighed], scales: Scales, played: Move | None) -> Weighed:
    """Return the best move, tried together with those that may be as good and the one that was played."""
    left, done, best = weighed, 0, weighed[0]
    for until in STAGES:
        scales.weigh(left, done, until)
        best = max(left, key=lambda each: each.chance)
        left = [each for each in left if each.move == played or not _plainly_worse(each, best)]
        done = until
    return best


def _plainly_worse(one: Weighed, best: Weighed) -> bool:
    margin = one.less_than(best)
    return margin.mean > PLAIN * margin.error


JUDGE: Final = DutchmanJudge()
