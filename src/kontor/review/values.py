"""What a review tells of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from kontor.game import Refusal, Value
from kontor.players import Appraised

WORTH_TELLING: Final = 0.01
"""A move that cost less than a percentage point is as good as the best one: nobody is told of it."""


class NotReviewable(Refusal):
    """A game that cannot be reviewed: it is not over, or nobody judges it."""


class Decision(Value, frozen=True):
    """A move where there was a choice, by what its seat could know. ``step`` counts the steps of the record from 1.

    Before the move the chance to win was that of the best one, ``best.chance``; ``cost`` is what the move played gave
    away of it, never below 0. ``exact`` says that nothing in these numbers was learned or sampled.
    """

    step: int
    round: int
    seat: int
    played: Appraised
    best: Appraised
    cost: float
    exact: bool


class ChancePoint(Value, frozen=True):
    """How likely a seat was to win after so many steps of the record (0: before the first), by what it could know."""

    step: int
    round: int
    chance: float


class TurningPoint(Value, frozen=True):
    """One of the dearest moves: the step of the decision, and how the round would go on after the move played and
    after the best one, as the game's own ``outlook`` has counted it in imagined rounds."""

    step: int
    played: Any
    best: Any


class Account(Value, frozen=True):
    """How a seat's chance to win went from the start to the end, and why:
    end − start = luck + given − lost + amended.

    ``lost`` is the cost of all own decisions: skill. Where nothing is hidden, ``given`` is the cost of the other's
    decisions, and ``luck`` what dice and cards did: each outcome is held against the mean of all outcomes, so that
    nobody is lucky on average. ``amended`` is by how much the judge says something else on average after chance than
    before (the Bellman residual): neither luck nor skill, but how uncertain the judge is. Where things are hidden,
    ``given`` and ``amended`` are 0, and ``luck`` is all that was not one's own doing: chance, what the others did,
    and what came to light.
    """

    seat: int
    start: float
    end: float
    lost: float
    given: float
    luck: float
    amended: float
    curve: tuple[ChancePoint, ...]
    dearest: tuple[TurningPoint, ...]
    """At most three; what cost most in all comes first."""

    @property
    def adjusted(self) -> float:
        """The result without the luck: on average what the result is, but it varies less. Only where nothing is
        hidden; it may lie below 0 or above 1."""
        return self.end - self.luck

    def at(self, step: int) -> float:
        """How likely the seat was to win after so many steps, as far as it is known."""
        return [spot for spot in self.curve if spot.step <= step][-1].chance


class Review(Value, frozen=True):
    """A game that is over, judged. Two reviews of one record are the same."""

    game: str
    seats: tuple[str, ...]
    """The names of the seats."""
    hidden: bool
    """Whether a seat knew what the others did not: then every number is by what its seat could know."""
    steps: int
    begins: tuple[int, ...]
    """By round, after how many steps it began."""
    decisions: tuple[Decision, ...]
    """In the order of play, of all seats."""
    accounts: tuple[Account, ...]
    """By seat."""

    def rounds(self) -> Iterator[tuple[int, list[Decision]]]:
        """The decisions round by round, with its number; rounds without one are left out."""
        for number, decisions in groupby(self.decisions, key=lambda decision: decision.round):
            yield number, list(decisions)

    def decision(self, step: int) -> Decision:
        """The decision of a step. Raises KeyError where there was none."""
        for decision in self.decisions:
            if decision.step == step:
                return decision
        raise KeyError(step)


def alike(decisions: Sequence[Decision], seat: int) -> list[list[Decision]]:
    """The moves of a seat that cost enough to be told of: those together for which one and the same move would have
    been better, the dearest first."""
    found: dict[Any, list[Decision]] = {}
    for decision in sorted(decisions, key=lambda decision: -decision.cost):
        if decision.seat == seat and decision.cost >= WORTH_TELLING:
            found.setdefault(decision.best.move, []).append(decision)
    return list(found.values())
