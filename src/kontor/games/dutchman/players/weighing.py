"""Comparison of the moves of a decision by our chance to win after the round.

Each move is tried in the same imagined states, with the same luck.

Others agree by ducats (``agreeing``). Ducats are worth nothing to a player who cannot win with them: a partner whom
an agreement leaves without a chance is indifferent at best. Judges allow for that (``refusals``). Where a move led to
such agreements, the rounds are played again with that partner refusing. If refusing gives the partner a better
chance, the second rounds count. If not, the partner is indifferent, and every other agreement counts. ``expert``
itself decides without it: ``greedy`` partners take the ducats even so, and an offer that is declined costs little.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import sqrt
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kontor.game import Value
from kontor.games.dutchman.players.imagining import Imagined
from kontor.games.dutchman.players.rollouts import Ends, Rollout
from kontor.games.dutchman.players.values import chances
from kontor.games.dutchman.rules.play import play
from kontor.games.dutchman.rules.state import Move, State

HOPELESS: Final = 0.005
"""A partner with a lower chance to win after an agreement gains nothing by it."""


class Margin(Value, frozen=True):
    """Difference in value between two moves, and its standard error."""

    mean: float
    error: float


class Weighed:
    """A move (None: to wait for the others), and the ends of the rounds in which it was tried."""

    def __init__(self, move: Move | None) -> None:
        self.move = move
        self.tried = 0
        self._sums: dict[str | None, float] = {}
        self._endings: list[dict[str | None, float]] = []

    def add(self, ending: dict[str | None, float]) -> None:
        """Add the result of one trial: our chance to win by each course, or under None if we do not steer alone."""
        self.tried += 1
        self._endings.append(ending)
        for course, chance in ending.items():
            self._sums[course] = self._sums.get(course, 0.0) + chance

    @property
    def chance(self) -> float:
        """Return our chance to win after this move.

        The field to sail to is the same in all states, since we cannot tell them apart.
        """
        courses = [total for course, total in self._sums.items() if course is not None]
        return (self._sums.get(None, 0.0) + max(courses, default=0.0)) / self.tried

    @property
    def error(self) -> float:
        """Return the standard error of the chance."""
        mean = sum(self.each) / self.tried
        return sqrt(sum((one - mean) ** 2 for one in self.each) / max(1, self.tried - 1) / self.tried)

    def less_than(self, other: Weighed) -> Margin:
        """Return how much less it is worth than another, by the states in which both were tried.

        There both had the same luck.
        """
        apart = [one - own for one, own in zip(other.each, self.each, strict=False)]
        count = len(apart)
        mean = sum(apart) / count
        spread = sum((one - mean) ** 2 for one in apart) / max(1, count - 1)
        return Margin(mean, sqrt(spread / count))

    @property
    def each(self) -> list[float]:
        """Return our chance to win in each of the states, by the course that is best for all of them together."""
        return self.by(self.course)

    @property
    def course(self) -> str | None:
        """Return the field to sail to that is best for all states together, or None if we never had the choice."""
        courses = {course: total for course, total in self._sums.items() if course is not None}
        return max(courses, key=courses.__getitem__) if courses else None

    def by(self, course: str | None) -> list[float]:
        """Return our chance to win in each of the states, if we take this course wherever we have the choice.

        If we have the choice but no course is given, all courses are equally likely.
        """
        return [
            ending[course] if course in ending else sum(ending.values()) / len(ending) for ending in self._endings
        ]


class Scales:
    """Trials of the moves of one seat in imagined states."""

    def __init__(self, seat: int, imagined: Imagined, random: Random, *, refusals: bool = False) -> None:
        self._seat = seat
        self._refusals = refusals
        self._imagined = imagined
        self._random = random
        self._luck: list[int] = []

    def weigh(self, moves: Iterable[Weighed], first: int, until: int) -> None:
        """Try moves in the imagined states from the place ``first`` to before ``until``."""
        states = self._imagined.first(until)
        while len(self._luck) < until:
            self._luck.append(self._random.getrandbits(64))
        trials = [
            self._run_trial(states[place], weighed, self._luck[place])
            for weighed in moves
            for place in range(first, until)
        ]
        _value(trials)
        doubted = _doubted_partners(trials) if self._refusals else {}
        if doubted:
            trials = _with_refusals(trials, doubted)
        for trial in trials:
            trial.weighed.add(trial.by_course(self._seat))

    def _run_trial(self, state: State, weighed: Weighed, luck: int) -> _Trial:
        start = state if weighed.move is None else play(state, weighed.move)
        return _Trial(weighed, start, self._seat, luck)

    def best(self, moves: Sequence[Move], trials: int, fewest: int) -> Move:
        """Return the best move, found in rounds of about ``trials`` trials.

        In each round all moves are tried equally often, but in no fewer states than ``fewest``. The better half of
        them goes on to the next round, in further states.
        """
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


class _Trial:
    """A move tried in one imagined state; ``refusing`` are other seats that agree to nothing."""

    def __init__(self, weighed: Weighed, start: State, seat: int, luck: int, refusing: Collection[int] = ()) -> None:
        self.weighed = weighed
        self.luck = luck
        self._start = start
        self._seat = seat
        rollout = Rollout(seat, Random(luck), refusing)
        self.ends: Ends = rollout.ends(start)
        self.agreed = frozenset(rollout.agreed)
        self.chances: list[NDArray[np.float64]] = []
        """Each seat's chance to win, by course in the order of ``ends``."""

    def with_refusal(self, refusing: Collection[int]) -> _Trial:
        """Return the same trial, with the same luck, in which some seats agree to nothing."""
        return _Trial(self.weighed, self._start, self._seat, self.luck, refusing)

    def by_course(self, seat: int) -> dict[str | None, float]:
        """Return a seat's chance to win by the course that the thinking seat takes."""
        return {course: float(of_seats[seat]) for course, of_seats in zip(self.ends, self.chances, strict=True)}

    def chance_of(self, seat: int) -> float:
        """Return a seat's chance to win, the mean over the courses."""
        return sum(float(of_seats[seat]) for of_seats in self.chances) / len(self.chances)


def _value(trials: Sequence[_Trial]) -> None:
    """Fill in the chances of all trials, computed at once."""
    values = iter(chances([end for trial in trials for end in trial.ends.values()]))
    for trial in trials:
        trial.chances = [next(values) for _ in trial.ends]


def _doubted_partners(trials: Sequence[_Trial]) -> dict[Weighed, set[int]]:
    """Return, by move, the partners whom agreements leave without a chance, on average over the imagined states."""
    after: defaultdict[tuple[Weighed, int], list[float]] = defaultdict(list)
    for trial in trials:
        for partner in trial.agreed:
            after[trial.weighed, partner].append(trial.chance_of(partner))
    doubted: defaultdict[Weighed, set[int]] = defaultdict(set)
    for (weighed, partner), each in after.items():
        if sum(each) / len(each) < HOPELESS:
            doubted[weighed].add(partner)
    return doubted


def _with_refusals(trials: Sequence[_Trial], doubted: Mapping[Weighed, Collection[int]]) -> list[_Trial]:
    """Return the trials; where a doubted partner agreed, those in which it refuses take the place of all or half."""
    again = {
        place: trial.with_refusal(doubted[trial.weighed])
        for place, trial in enumerate(trials)
        if trial.agreed.intersection(doubted.get(trial.weighed, ()))
    }
    _value(list(again.values()))
    better: defaultdict[Weighed, float] = defaultdict(float)
    for place, second in again.items():
        for partner in trials[place].agreed.intersection(doubted[second.weighed]):
            better[second.weighed] += second.chance_of(partner) - trials[place].chance_of(partner)
    chosen = list(trials)
    agreements: Counter[Weighed] = Counter()
    for place, second in again.items():
        agreements[second.weighed] += 1
        if better[second.weighed] > 0 or agreements[second.weighed] % 2:
            chosen[place] = second
    return chosen
