"""Weighing the moves of a decision: each is tried in the same imagined states, with the same luck, and judged by our
chance to win when the round is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random

from kontor.game import Value
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.rollouts import Ends, ends
from kontor.games.dutchman.players.values import chances
from kontor.games.dutchman.rules.play import play
from kontor.games.dutchman.rules.state import Move, State


class Margin(Value, frozen=True):
    """What one move is better than another by, and the standard error of that."""

    mean: float
    error: float


class Weighed:
    """A move (None: to wait for the others), and how the round ended wherever it was tried."""

    def __init__(self, move: Move | None) -> None:
        self.move = move
        self.tried = 0
        self._sums: dict[str | None, float] = {}
        self._endings: list[dict[str | None, float]] = []

    def add(self, ending: dict[str | None, float]) -> None:
        """Once more: how likely we win by each course, or by whatever others do (None)."""
        self.tried += 1
        self._endings.append(ending)
        for course, chance in ending.items():
            self._sums[course] = self._sums.get(course, 0.0) + chance

    @property
    def chance(self) -> float:
        """How likely we win after this move. Where to sail is chosen once for all states, since we cannot tell them
        apart."""
        courses = [total for course, total in self._sums.items() if course is not None]
        return (self._sums.get(None, 0.0) + max(courses, default=0.0)) / self.tried

    @property
    def error(self) -> float:
        """The standard error of that chance."""
        mean = sum(self.each) / self.tried
        return sqrt(sum((one - mean) ** 2 for one in self.each) / max(1, self.tried - 1) / self.tried)

    def less_than(self, other: Weighed) -> Margin:
        """By how much less it is worth than another: in the states in which both were tried, with the same luck."""
        apart = [one - mine for one, mine in zip(other.each, self.each, strict=False)]
        count = len(apart)
        mean = sum(apart) / count
        spread = sum((one - mean) ** 2 for one in apart) / max(1, count - 1)
        return Margin(mean, sqrt(spread / count))

    @property
    def each(self) -> list[float]:
        """How likely we win in each of the states, by the course that is the best for all."""
        return self.by(self.course)

    @property
    def course(self) -> str | None:
        """Where to sail, as it is best for all states together; None where it never was our choice."""
        courses = {course: total for course, total in self._sums.items() if course is not None}
        return max(courses, key=courses.__getitem__) if courses else None

    def by(self, course: str | None) -> list[float]:
        """How likely we win in each of the states, if we take this course wherever the choice is ours. Where it is,
        though no course was given, all are as likely."""
        return [
            ending[course] if course in ending else sum(ending.values()) / len(ending) for ending in self._endings
        ]


class Scales:
    """Where moves of a seat are weighed."""

    def __init__(self, seat: int, imagined: Imagined, random: Random) -> None:
        self._seat = seat
        self._imagined = imagined
        self._random = random
        self._luck: list[int] = []

    def weigh(self, moves: Iterable[Weighed], first: int, until: int) -> None:
        """Tries moves in some of the imagined states: from a place to before another."""
        states = self._imagined.first(until)
        while len(self._luck) < until:
            self._luck.append(self._random.getrandbits(64))
        trials = [
            (weighed, self._tried(states[place], weighed.move, self._luck[place]))
            for weighed in moves
            for place in range(first, until)
        ]
        found = iter(chances([end for _, ending in trials for end in ending.values()])[:, self._seat])
        for weighed, ending in trials:
            weighed.add({course: float(next(found)) for course in ending})

    def _tried(self, state: State, move: Move | None, luck: int) -> Ends:
        return ends(state if move is None else play(state, move), self._seat, Random(luck))

    def best(self, moves: Sequence[Move], trials: int, fewest: int) -> Move:
        """The best move, in rounds of so many trials: all moves are tried equally often (but in no fewer states than
        ``fewest``), and the better half of them goes on to the next round, in further states."""
        left = [Weighed(move) for move in moves]
        done = 0
        while len(left) > 1:
            until = done + max(fewest, trials // len(left))
            self.weigh(left, done, until)
            done = until
            left.sort(key=lambda weighed: -weighed.chance)
            left = left[: (len(left) + 1) // 2]
        (best,) = left
        assert best.move is not None
        return best.move
