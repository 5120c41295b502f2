"""The questions of a review, cut into parts, and the judging itself.

The parts can be judged anywhere and in any order. Each question has its own random numbers, which follow from the
record alone. So the answer does not depend on the process that judges it, or on the time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from math import fsum
from random import Random
from typing import Any, Final

import msgspec

from kontor.game import CHANCE, OVER, AnyGame, Value
from kontor.players import judge_named
from kontor.plugins import game_named
from kontor.records import Record, decode, encode_line, replay
from kontor.review.adapter import adapter_of

SAMPLES: Final = 6
"""Number of outcomes drawn where there are too many to list."""


class ReviewQuestion(Value, frozen=True):
    """A question about a seat's chance to win, by what the seat knew after so many steps of the record.

    It is a decision if the seat moved next and had a choice; then the best move is asked for too. If nothing is
    hidden and chance acted next, it also asks how lucky the outcome was for the seat (``lucky``).
    """

    step: int
    seat: int
    decision: bool
    lucky: bool = False


class ReviewPart(Value, frozen=True):
    """Questions that are best answered by one process, one after the other; the record is its bytes."""

    record: bytes
    questions: tuple[ReviewQuestion, ...]


class ReviewAnswer(Value, frozen=True):
    """The answer to a ReviewQuestion: a chance to win.

    For a decision, ``chance`` is the chance with the best move, ``best``; ``left`` is the chance after the move
    played, never above ``chance``. ``luck`` is the chance after the actual outcome minus its mean over all outcomes.
    """

    chance: float
    exact: bool
    best: Any = None
    left: float = 0.0
    luck: float = 0.0


ReviewAnswers = tuple[ReviewAnswer, ...]


def questions_of(game: AnyGame, states: Sequence[Any], hidden: bool) -> Iterator[ReviewQuestion]:
    """Yield all questions that a review needs.

    If nothing is hidden, one chance tells of both seats, and it is asked for after every step. If things are hidden,
    each seat is asked when it decides, and as each round begins.
    """
    seats = game.seats(states[0].options)
    for step, state in enumerate(states):
        seat = state.mover
        ended = step == len(states) - 1  # if the game was ended early, its last state has no decision
        deciding = not ended and seat >= 0 and len(game.moves(state)) > 1
        if deciding:
            yield ReviewQuestion(step, seat, True)
        elif not hidden:
            yield ReviewQuestion(step, 0, False, lucky=not ended and seat == CHANCE)
        if hidden and (step == 0 or ended or state.round != states[step - 1].round):
            yield from (ReviewQuestion(step, at, False) for at in range(seats) if not (deciding and at == seat))


def parts_of(game: AnyGame, data: bytes, states: Sequence[Any], hidden: bool) -> list[ReviewPart]:
    """Return the questions in parts of about a second each.

    If nothing is hidden, a part is a round, as a judge caches what it has solved of a round. Otherwise each question
    is a part.
    """
    questions = list(questions_of(game, states, hidden))
    if hidden:
        return [ReviewPart(data, (question,)) for question in questions]
    rounds: dict[int, list[ReviewQuestion]] = {}
    for question in questions:
        rounds.setdefault(states[question.step].round, []).append(question)
    return [ReviewPart(data, tuple(of_round)) for of_round in rounds.values()]


def judge(matter: bytes) -> bytes:
    """Return the ReviewAnswers to the questions of a ReviewPart, both as msgpack."""
    part = msgspec.msgpack.decode(matter, type=ReviewPart)
    record = decode(part.record)
    states = list(replay(record))
    return msgspec.msgpack.encode([_answer(record, states, question) for question in part.questions])


def _answer(record: Record, states: Sequence[Any], question: ReviewQuestion) -> ReviewAnswer:
    name = record.header.game
    game, state = game_named(name), states[question.step]
    if state.mover == OVER:
        return ReviewAnswer(_share_of_victory(game, state, question.seat), True)
    view, luck = game.view(state, question.seat), luck_of(record, question.step, question.seat)
    if not question.decision:
        estimate = judge_named(name).value(view, luck)
        came = (
            luck_at(game, state, record.steps[question.step].action, question.seat, luck) if question.lucky else 0.0
        )
        return ReviewAnswer(estimate.chance, estimate.exact, luck=came)
    played = record.steps[question.step].action
    appraisal = judge_named(name).appraise(view, game.moves(state), luck, played)
    left, best = appraisal.of(played), appraisal.best
    if left.chance >= best.chance:  # the judge found no better move than the one played, if only by a hair
        best = left
    return ReviewAnswer(best.chance, appraisal.exact, best.move, left.chance)


def luck_at(game: AnyGame, state: Any, outcome: Any, seat: int, random: Random, samples: int = SAMPLES) -> float:
    """Return a seat's chance after an outcome minus the mean of that chance over all outcomes.

    The same judge values both. So luck is 0 on average even if the judge is wrong, and the judge's value before
    chance does not matter.

    If there are too many outcomes to list, ``samples`` drawn ones stand for all. They are drawn independently of the
    actual outcome: luck becomes less precise, but not biased.
    """
    judge = judge_named(game.name)

    def after(one: Any) -> float:
        return judge.value(game.view(game.play(state, one), seat), random).chance

    listed = game.chance(state).outcomes()
    if listed is not None:
        mean = fsum(float(probability) * after(one) for one, probability in listed)
    else:
        drawn = _draw_outcomes(game, state, random, samples)
        mean = fsum(map(after, drawn)) / len(drawn)
    return after(outcome) - mean


def _draw_outcomes(game: AnyGame, state: Any, random: Random, samples: int) -> Sequence[Any]:
    evenly = adapter_of(game.name).drawn_evenly
    if evenly is not None:
        return evenly(game.view(state, None), samples, random.randrange)
    chance = game.chance(state)
    return [chance.draw(random.randrange) for _ in range(samples)]


def _share_of_victory(game: AnyGame, state: Any, seat: int) -> float:
    """Return 1/n if the seat is one of n winners, else 0."""
    result = game.result(state)
    assert result
    return 1 / len(result.winners) if seat in result.winners else 0.0


def answers_of(game: AnyGame, data: bytes) -> ReviewAnswers:
    """Decode the answers that :func:`judge` returned."""
    answers = msgspec.msgpack.decode(data, type=ReviewAnswers)
    return tuple(
        msgspec.structs.replace(answer, best=msgspec.convert(answer.best, game.move)) if answer.best else answer
        for answer in answers
    )


def luck_of(record: Record, step: int, seat: int) -> Random:
    """Return the random numbers for a question; they depend only on the record's header, the step and the seat."""
    header = hashlib.sha256(encode_line(record.header)).hexdigest()
    return Random(f"kontor review {header} {step} {seat}")
