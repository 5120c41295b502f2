"""The review of a game: what each decision cost, what was luck, and which moves were turning points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from kontor.game import AnyGame
from kontor.players import Appraised, has_judge
from kontor.plugins import game_named
from kontor.records import Record, encode
from kontor.records import replay as states_of
from kontor.review.explaining import DecisionToExplain, explain, turning_point_of
from kontor.review.judging import ReviewAnswer, ReviewPart, answers_of, judge, parts_of
from kontor.review.sharing import AnswerParts
from kontor.review.values import Account, ChancePoint, Decision, NotReviewable, Review, TurningPoint, alike

DEAREST: Final = 3
"""Number of a seat's better moves that are explained."""

_SAME: Final = 1e-12
"""Chances that differ by less are equal: floating point sums depend on the order."""

Tell = Callable[[int, int], None]
"""Progress callback: ``tell(done, of)``."""


def review(record: Record, on_step: Tell | None = None, share: AnswerParts = map) -> Review:
    """Review a game. ``on_step`` is told the progress; ``share`` lets other processes do the thinking.

    Raises NotReviewable for a game that is not over or has no judge; BadRecord if it breaks a rule.
    """
    check(record)
    tell = on_step or (lambda done, of: None)
    game, data, states = game_named(record.header.game), encode(record), list(states_of(record))
    hidden = has_secrets(game, states)
    parts = parts_of(game, data, states, hidden)
    most = len(parts) + DEAREST * len(record.header.seats)
    draft = _judge_record(record, states, parts, hidden, lambda done: tell(done, most), share)
    dear = [one for seat in range(len(record.header.seats)) for one in dearest(draft.decisions, seat)]
    turnings: list[TurningPoint] = []
    matters = [msgspec.msgpack.encode(DecisionToExplain(data, one.step, one.best.move)) for one in dear]
    for done, explained in enumerate(share(explain, matters), len(parts) + 1):
        turnings.append(turning_point_of(game, explained))
        tell(done, most)
    seats = {one.step: one.seat for one in dear}
    accounts = [
        replace(account, dearest=tuple(one for one in turnings if seats[one.step] == account.seat))
        for account in draft.accounts
    ]
    return replace(draft, accounts=tuple(accounts))


def judged(record: Record, share: AnswerParts = map) -> Review:
    """Return only the numbers of a review; explaining the moves takes longer than all the rest."""
    check(record)
    game, states = game_named(record.header.game), list(states_of(record))
    hidden = has_secrets(game, states)
    return _judge_record(
        record, states, parts_of(game, encode(record), states, hidden), hidden, lambda done: None, share
    )


def _judge_record(
    record: Record,
    states: Sequence[Any],
    parts: Sequence[ReviewPart],
    hidden: bool,
    tell: Callable[[int], None],
    share: AnswerParts,
) -> Review:
    game = game_named(record.header.game)
    answers: dict[tuple[int, int], ReviewAnswer] = {}
    matters = [msgspec.msgpack.encode(part) for part in parts]
    for done, (part, reply) in enumerate(zip(parts, share(judge, matters), strict=True), 1):
        for question, answer in zip(part.questions, answers_of(game, reply), strict=True):
            answers[question.step, question.seat] = answer
        tell(done)
    judgement = _Judgement(record, states, hidden, dict(sorted(answers.items())))
    decisions = tuple(judgement.decisions())
    return Review(
        game=game.name,
        seats=record.header.seats,
        hidden=hidden,
        steps=len(record.steps),
        begins=tuple(step for step, state in enumerate(states) if not step or state.round != states[step - 1].round),
        decisions=decisions,
        accounts=tuple([judgement.account(seat, decisions) for seat in range(len(record.header.seats))]),
    )


def check(record: Record) -> None:
    """Raise NotReviewable for a game that cannot be reviewed."""
    if not record.ending:
        raise NotReviewable("", "This game is not over yet: you can review it afterwards.")
    if not has_judge(record.header.game):
        raise NotReviewable("", "There is nothing that can judge a game of {game}.", game=record.header.game)


def has_secrets(game: AnyGame, states: Sequence[Any]) -> bool:
    """Return True if a seat knew something that another did not, or if there are not two seats.

    Only in an open game for two is one seat's chance to win exactly the other's chance to lose.
    """
    if game.seats(states[0].options) != 2:
        return True
    return any(replace(game.view(state, 0), seat=None) != replace(game.view(state, 1), seat=None) for state in states)


def dearest(decisions: Sequence[Decision], seat: int) -> list[Decision]:
    """Return the costliest decisions of a seat, at most DEAREST.

    Decisions with the same better move are represented by the costliest of them. The groups with the highest total
    cost come first.
    """
    of_seat = alike(decisions, seat)
    in_all = sorted(of_seat, key=lambda same: -sum(decision.cost for decision in same))
    return [same[0] for same in in_all[:DEAREST]]


@dataclass(frozen=True)
class _Judgement:
    """The judge's answers about a game, by the number of steps before and the seat, sorted in this order."""

    record: Record
    states: Sequence[Any]
    hidden: bool
    answers: dict[tuple[int, int], ReviewAnswer]

    def decisions(self) -> Iterator[Decision]:
        """Yield all decisions, in the order of play."""
        for (before, seat), answer in self.answers.items():
            if answer.best is not None:
                yield Decision(
                    step=before + 1,
                    round=self.states[before].round,
                    seat=seat,
                    played=Appraised(self.record.steps[before].action, answer.left),
                    best=Appraised(answer.best, answer.chance),
                    cost=answer.chance - answer.left,
                    exact=answer.exact,
                )

    def account(self, seat: int, decisions: Sequence[Decision]) -> Account:
        """Return how and why a seat's chance changed; the costliest moves are added later."""
        curve = tuple(self._curve(seat))
        start, end = curve[0].chance, curve[-1].chance
        lost = sum(decision.cost for decision in decisions if decision.seat == seat)
        given = 0.0 if self.hidden else sum(decision.cost for decision in decisions if decision.seat != seat)
        rest = end - start + lost - given
        luck = rest if self.hidden else self._luck(seat)
        return Account(seat, start, end, lost, given, luck, rest - luck, curve, ())

    def _luck(self, seat: int) -> float:
        """Return the sum of luck; what is good for one seat is bad for the other."""
        return fsum(
            answer.luck if judged_seat == seat else -answer.luck for (_, judged_seat), answer in self.answers.items()
        )

    def _curve(self, seat: int) -> Iterator[ChancePoint]:
        """Yield the seat's chance where it is known and has changed, and at the end."""
        last = -1.0
        for (step, judged_seat), answer in self.answers.items():
            if self.hidden and judged_seat != seat:
                continue
            chance = answer.chance if judged_seat == seat else 1 - answer.chance
            if abs(chance - last) > _SAME or step == len(self.record.steps):
                yield ChancePoint(step, self.states[step].round, chance)
                last = chance
