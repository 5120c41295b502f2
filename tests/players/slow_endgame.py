"""The rest of a last round of Shanghaien by the rules engine alone: every move and every outcome is played.

It computes seat 0's chance to win, where a draw counts half (S12). Only for positions with few dice left.
"""

from kontor.game import CHANCE
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.state import Move, State


class SlowEndgame:
    """A solver that caches the values of states."""

    def __init__(self) -> None:
        self._values: dict[State, float] = {}

    def value(self, state: State) -> float:
        """Return seat 0's chance to win."""
        if state not in self._values:
            self._values[state] = self._value(state)
        return self._values[state]

    def of_moves(self, state: State) -> dict[Move, float]:
        """Return each legal move's value for seat 0."""
        return {move: self.value(SHANGHAIEN.play(state, move)) for move in SHANGHAIEN.moves(state)}

    def _value(self, state: State) -> float:
        result = SHANGHAIEN.result(state)
        if result:
            return (0 in result.winners) / len(result.winners)
        if state.mover == CHANCE:
            outcomes = SHANGHAIEN.chance(state).outcomes()
            assert outcomes is not None
            return sum(float(likely) * self.value(SHANGHAIEN.play(state, outcome)) for outcome, likely in outcomes)
        return (max, min)[state.mover](self.of_moves(state).values())
