"""The judge of Shanghaien: the chances to win by which ``expert`` plays.

In the last round, once its row is laid, they are exact: the chances if both play perfectly. Before it, they come from
the learned chances between rounds, and from all dice of the round.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from kontor.games.shanghaien.players import values
from kontor.games.shanghaien.players.ends import ends
from kontor.games.shanghaien.players.steady import POINTS
from kontor.games.shanghaien.players.thinking import Thinking
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.state import Move
from kontor.games.shanghaien.rules.view import View
from kontor.players import Appraisal, Appraised, Estimate

CHANCES: Final = Thinking(ends)


class _Judge:
    """The judge of Shanghaien; see ``kontor.players.Judge``. It draws no random numbers."""

    def value(self, view: View, random: Random) -> Estimate:
        """Return the chance to win, also for a view before the row is laid, and of a game that is over."""
        assert view.seat is not None
        if view.result is not None:
            winners = view.result.winners
            return Estimate((view.seat in winners) / len(winners), True)
        if not view.row:
            return Estimate(_chance_for(view.seat, values.chance(view)), False)
        return Estimate(_chance_for(view.seat, CHANCES.value(view)), view.round == ROUNDS)

    def appraise(self, view: View, moves: Sequence[Move], random: Random, played: Move | None = None) -> Appraisal:
        """Return the moves, best first; the first is what ``expert`` plays.

        Of moves that are equal, the one with the greater expected lead comes first.
        """
        assert view.seat is not None
        values = CHANCES.worths(view, moves, played)
        appraised = [Appraised(move, _chance_for(view.seat, value)) for move, value in values]
        appraised.sort(key=lambda one: -one.chance)
        equal = CHANCES.best(view, values)
        if len(equal) > 1 and (leads := POINTS.worths(view, equal)):
            best = POINTS.best(view, leads)[0]
            appraised.sort(key=lambda one: one.move != best)
        return Appraisal(tuple(appraised), view.round == ROUNDS)


JUDGE: Final = _Judge()


def _chance_for(seat: int, chance: float) -> float:
    """Return the chance of a seat, given that of seat 0."""
    return 1 - chance if seat else chance
