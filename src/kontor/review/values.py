"""The data of a review."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from kontor.game import Refusal, Value
from kontor.players import Appraised

WORTH_TELLING: Final = 0.01
"""Moves that cost less than this, a percentage point, count as good as the best one and are not reported."""


class NotReviewable(Refusal):
    """Raised for a game that cannot be reviewed: it is not over, or has no judge."""


class Decision(Value, frozen=True):
    """A move where there was a choice, valued by what its seat could know.

    ``step`` counts the steps of the record from 1. Before the move the chance to win was that of the best one,
    ``best.chance``. ``cost`` is how much of it the move played gave away, never below 0. ``exact`` says that nothing
    in these numbers was learned or sampled.
    """

    step: int
    round: int
    seat: int
    played: Appraised
    best: Appraised
    cost: float
    exact: bool


class ChancePoint(Value, frozen=True):
    """A seat's chance to win after so many steps of the record (0: before the first), by what it could know."""

    step: int
    round: int
    chance: float


class TurningPoint(Value, frozen=True):
    """One of the costliest decisions, with the outlooks after the move played and after the best one.

    ``step`` is the step of the decision. The outlooks were made by the game's own ``outlook`` from imagined rounds.
    """

    step: int
    played: Any
    best: Any


class Account(Value, frozen=True):
    """Change of a seat's chance to win, and its reasons: end − start = luck + given − lost + amended.

    ``lost`` is the cost of all own decisions: skill. If nothing is hidden, ``given`` is the cost of the other's
    decisions, and ``luck`` is the effect of dice and cards. Each outcome is compared with the mean of all outcomes,
    so that luck is 0 on average. ``amended`` is how much the judge's value after chance differs on average from its
    value before (the Bellman residual). That is neither luck nor skill, but the judge's uncertainty.

    If things are hidden, ``given`` and ``amended`` are 0. Then ``luck`` is all that was not one's own doing: chance,
    what the others did, and what came to light.
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
    """At most three; the one whose better move would have saved most in all comes first."""

    @property
    def adjusted(self) -> float:
        """Return the result without the luck.

        Its average is that of the result, but it varies less. It has a meaning only if nothing is hidden, and may lie
        below 0 or above 1.
        """
        return self.end - self.luck

    def at(self, step: int) -> float:
        """Return the seat's last known chance to win after so many steps."""
        return [spot for spot in self.curve if spot.step <= step][-1].chance


class Review(Value, frozen=True):
    """The review of a finished game. Two reviews of one record are equal."""

    game: str
    seats: tuple[str, ...]
    """The names of the seats."""
    hidden: bool
    """True if a seat knew something that another did not. Then every number is by what its seat could know."""
    steps: int
    begins: tuple[int, ...]
    """By round, the number of steps before it."""
    decisions: tuple[Decision, ...]
    """In the order of play, of all seats."""
    accounts: tuple[Account, ...]
    """By seat."""

    def rounds(self) -> Iterator[tuple[int, list[Decision]]]:
        """Yield each round's number and decisions; leave out rounds without decisions."""
        for number, decisions in groupby(self.decisions, key=lambda decision: decision.round):
            yield number, list(decisions)

    def decision(self, step: int) -> Decision:
        """Return the decision of a step. Raises KeyError if there was none."""
        for decision in self.decisions:
            if decision.step == step:
                return decision
        raise KeyError(step)


def alike(decisions: Sequence[Decision], seat: int) -> list[list[Decision]]:
    """Return the costly decisions of a seat, grouped by the move that would have been better.

    Decisions that cost less than WORTH_TELLING are left out. The costliest come first, between groups and within
    them.
    """
    groups: dict[Any, list[Decision]] = {}
    for decision in sorted(decisions, key=lambda decision: -decision.cost):
        if decision.seat == seat and decision.cost >= WORTH_TELLING:
            groups.setdefault(decision.best.move, []).append(decision)
    return list(groups.values())
