"""The review of a game: what each decision cost, what was luck, and on which moves it turned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from kontor.game import AnyGame
from kontor.games import game_named
from kontor.players import JUDGES, Appraisal, Estimate
from kontor.records import Record, encode
from kontor.records import replay as states_of
from kontor.review.foreseeing import Turn, foreseen
from kontor.review.judging import judged, parts_of
from kontor.review.sharing import Share, alone
from kontor.review.values import DEAREST, WORTH_TELLING, Account, Decision, NotReviewable, Review, Spot


def review(record: Record, on_step: Callable[[int, int], None] | None = None, share: Share = alone) -> Review:
    """Reviews a game. ``on_step(done, of)`` is told how far it is; ``share`` lets several processes think.

    Raises NotReviewable for a game that is not over, or that nobody judges; BadRecord if it breaks a rule.
    """
    check(record)
    game = game_named(record.header.game)
    states = list(states_of(record))
    hidden = has_secrets(game, states)
    data = encode(record)
    parts = parts_of(record, data, states, hidden)
    most = len(parts) + DEAREST * len(record.header.seats)
    tell = on_step or (lambda done, of: None)
    answers: dict[tuple[int, int], Appraisal | Estimate] = {}
    for done, (part, found) in enumerate(zip(parts, share(judged, parts), strict=True), 1):
        answers |= {(asked.step, asked.seat): answer for asked, answer in zip(part.questions, found, strict=True)}
        tell(done, most)
    judgement = _Judgement(record, states, hidden, answers)
    decisions = tuple(judgement.decisions())
    accounts = [judgement.account(seat, decisions) for seat in range(len(record.header.seats))]
    turns = [
        Turn(data, decision.step, decision.best.move)
        for account in accounts
        for decision in dearest(decisions, account.seat)
    ]
    turnings = []
    for done, turning in enumerate(share(foreseen, turns), len(parts) + 1):
        turnings.append(turning)
        tell(done, most)
    whose = {decision.step: decision.seat for decision in decisions}
    return Review(
        game=game.name,
        seats=record.header.seats,
        hidden=hidden,
        steps=len(record.steps),
        decisions=decisions,
        accounts=tuple(
            replace(account, dearest=tuple(one for one in turnings if whose[one.step] == account.seat))
            for account in accounts
        ),
    )


def check(record: Record) -> None:
    """Raises NotReviewable for a game that cannot be reviewed."""
    if not record.ending:
        raise NotReviewable("", "This game is not over yet: it can be reviewed when it is.")
    if record.header.game not in JUDGES:
        raise NotReviewable("", "Nobody can judge a game of {game}.", game=record.header.game)


def has_secrets(game: AnyGame, states: Sequence[Any]) -> bool:
    """Whether a seat knew what another did not. What is open, and for two, is worth to one what it is not to the
    other."""
    seats = game.seats(states[0].options)
    if seats != 2:
        return True
    return any(replace(game.view(state, 0), seat=None) != replace(game.view(state, 1), seat=None) for state in states)


def dearest(decisions: Sequence[Decision], seat: int) -> list[Decision]:
    """The moves of a seat that cost most, and enough to be told of; the dearest first."""
    own = [decision for decision in decisions if decision.seat == seat and decision.cost >= WORTH_TELLING]
    return sorted(own, key=lambda decision: -decision.cost)[:DEAREST]


@dataclass(frozen=True)
class _Judgement:
    """What the judge has said of a game: ``answers`` by the number of steps before, and the seat."""

    record: Record
    states: Sequence[Any]
    hidden: bool
    answers: dict[tuple[int, int], Appraisal | Estimate]

    def decisions(self) -> Iterator[Decision]:
        """All decisions. If the move played is deemed better than the best one, it is the best."""
        for (before, seat), answer in sorted(self.answers.items()):
            if isinstance(answer, Appraisal):
                played, best = answer.of(self.record.steps[before].action), answer.best
                if played.chance >= best.chance:
                    best = played
                cost = best.chance - played.chance
                yield Decision(before + 1, self.states[before].round, seat, played, best, cost, answer.exact)

    def account(self, seat: int, decisions: Sequence[Decision]) -> Account:
        """How a seat's chance went, and why; as yet without the dearest moves."""
        curve = tuple(self._curve(seat))
        start, end = curve[0].chance, curve[-1].chance
        lost = sum(decision.cost for decision in decisions if decision.seat == seat)
        given = 0.0 if self.hidden else sum(decision.cost for decision in decisions if decision.seat != seat)
        return Account(seat, start, end, lost, given, end - start + lost - given, curve, ())

    def _curve(self, seat: int) -> Iterator[Spot]:
        """The chance wherever it is known, and has changed."""
        last = None
        for (step, asked), answer in sorted(self.answers.items()):
            if self.hidden and asked != seat:
                continue
            chance = answer.best.chance if isinstance(answer, Appraisal) else answer.chance
            chance = chance if asked == seat else 1 - chance
            if chance != last or step == len(self.states) - 1:
                yield Spot(step, self.states[step].round, chance)
            last = chance
