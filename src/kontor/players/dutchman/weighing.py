"""Weighing the moves of a decision: each is tried in the same imagined states, with the same luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from kontor.dutchman.rules import play
from kontor.dutchman.state import Move, State
from kontor.players.dutchman.rollouts import Ends, ends

Chances = Callable[[Sequence[State]], NDArray[np.float64]]


class Weighed:
    """A move, and how the round ended wherever it was tried."""

    def __init__(self, move: Move) -> None:
        self.move = move
        self.tried = 0
        self._ours: dict[str | None, float] = {}

    def add(self, ending: dict[str | None, float]) -> None:
        """Once more: how likely we win by each course, or whatever others do (None)."""
        self.tried += 1
        for course, chance in ending.items():
            self._ours[course] = self._ours.get(course, 0.0) + chance

    @property
    def chance(self) -> float:
        """How likely we win after this move. Where to sail is chosen once for all states, since we cannot tell them
        apart."""
        courses = [chance for course, chance in self._ours.items() if course]
        return (self._ours.get(None, 0.0) + max(courses, default=0.0)) / self.tried


class Scales:
    """The moves of a decision of one seat, weighed by trying them."""

    def __init__(self, seat: int, states: Sequence[State], random: Random, chances: Chances) -> None:
        self._seat = seat
        self._states = states
        self._luck = [random.getrandbits(64) for _ in states]
        self._chances = chances

    def weigh(self, moves: Sequence[Weighed], states: slice) -> None:
        """Tries moves in some of the states."""
        trials: list[tuple[Weighed, Ends]] = [
            (weighed, ends(play(state, weighed.move), self._seat, Random(luck)))
            for weighed in moves
            for state, luck in zip(self._states[states], self._luck[states], strict=True)
        ]
        chances = iter(self._chances([end for _, ending in trials for end in ending.values()])[:, self._seat])
        for weighed, ending in trials:
            weighed.add({course: float(next(chances)) for course in ending})

    def best(self, moves: Sequence[Move], first: int) -> list[Weighed]:
        """All moves are tried in the first states; then again and again the better half of those left in the states
        that follow, as many trials each time. The best first."""
        weighed = [Weighed(move) for move in moves]
        left = weighed
        done = 0
        trials = first * len(moves)
        while done < len(self._states) and (len(left) > 1 or not done):
            until = min(len(self._states), done + trials // len(left))
            self.weigh(left, slice(done, until))
            done = until
            left = sorted(left, key=lambda each: -each.chance)
            left = left[: (len(left) + 1) // 2]
        return sorted(weighed, key=lambda each: (-each.tried, -each.chance))
