"""Quick and simple judges, for tests of what is made from judgements."""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Any

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.play import worth
from kontor.games.shanghaien.rules import SHANGHAIEN, State
from kontor.games.shanghaien.rules.scoring import totals
from kontor.players import Appraisal, Appraised, Estimate


class LeadJudge:
    """A judge of Shanghaien by the points that both crews have now.

    The value of each decision is that of its best move, as for a judge who solves the game; so all its numbers agree
    with each other.
    """

    def value(self, view: Any, random: Random) -> Estimate:
        chance = _chance(SHANGHAIEN.imagine(view, random.randrange))
        return Estimate(1 - chance if view.seat else chance, view.mover == OVER)

    def appraise(self, view: Any, moves: Sequence[Any], random: Random, played: Any = None) -> Appraisal:
        state = SHANGHAIEN.imagine(view, random.randrange)
        chances = [(_chance(SHANGHAIEN.play(state, move)), move) for move in moves]
        mine = [Appraised(move, 1 - chance if view.seat else chance) for chance, move in chances]
        return Appraisal(tuple(sorted(mine, key=lambda one: -one.chance)), False)


def _chance(state: State) -> float:
    """Return seat 0's chance."""
    if state.mover >= 0:
        worth = [_chance(SHANGHAIEN.play(state, move)) for move in SHANGHAIEN.moves(state)]
        return min(worth) if state.mover else max(worth)
    first, second = totals(state.crews)
    if state.mover == CHANCE:
        return 1 / (1 + exp((second - first) / 5))
    return 0.5 if first == second else float(first > second)


class WealthJudge:
    """A judge of the Holländer by the seat's wealth after a move, in a state that agrees with its view."""

    def value(self, view: Any, random: Random) -> Estimate:
        cash = [player.cash + 0.0 for player in view.players]
        cash[view.seat] += worth(view.shares, view.stones) / 10 + len(view.rack)
        weights = [exp(ducats / 20) for ducats in cash]
        return Estimate(weights[view.seat] / sum(weights), False)

    def appraise(self, view: Any, moves: Sequence[Any], random: Random, played: Any = None) -> Appraisal:
        state = DUTCHMAN.imagine(view, random.randrange)
        tried = dict.fromkeys([*moves[:20], *([] if played is None else [played])])
        appraised = []
        for move in tried:
            after = DUTCHMAN.view(DUTCHMAN.play(state, move), view.seat)
            appraised.append(Appraised(move, self.value(after, random).chance))
        return Appraisal(tuple(sorted(appraised, key=lambda one: -one.chance)), False)


SHANGHAIEN_JUDGE = LeadJudge()
DUTCHMAN_JUDGE = WealthJudge()
