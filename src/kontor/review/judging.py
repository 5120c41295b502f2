"""A game cut into parts that can be judged anywhere and in any order, and the judging itself.

Each question has random numbers of its own, which follow from the record alone: whoever judges it, and when, the
answer is the same.
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
"""So many outcomes stand for all where there are too many to list."""


class ReviewQuestion(Value, frozen=True):
    """What a seat knew after so many steps of the record: how likely it was to win. It is a decision if the seat
    moved next and had a choice; then it is also asked which move was the best. Where all lies open and chance acted
    next it is also asked how lucky the outcome was for the seat."""

    step: int
    seat: int
    decision: bool
    lucky: bool = False


class ReviewPart(Value, frozen=True):
    """Questions that are best answered one after the other; the record is its bytes."""

    record: bytes
    questions: tuple[ReviewQuestion, ...]


class ReviewAnswer(Value, frozen=True):
    """The chance to win, with the best move where it is a decision; and then that move, and the chance that is left
    after the one that was played, never more than ``chance``. ``luck`` is how far the chance after the outcome that
    came lies above its mean over all outcomes."""

    chance: float
    exact: bool
    best: Any = None
    left: float = 0.0
    luck: float = 0.0


ReviewAnswers = tuple[ReviewAnswer, ...]


def questions_of(game: AnyGame, states: Sequence[Any], hidden: bool) -> Iterator[ReviewQuestion]:
    """All that must be known for a review. Where all lies open, one chance tells of both seats, and it is asked for
    after every step; where things are hidden, each seat is asked when it decides, and as each round begins."""
    seats = game.seats(states[0].options)
    for step, state in enumerate(states):
        seat = state.mover
        ended = step == len(states) - 1  # where a game was ended early, nobody decided what would have come
        deciding = not ended and seat >= 0 and len(game.moves(state)) > 1
        if deciding:
            yield ReviewQuestion(step, seat, True)
        elif not hidden:
            yield ReviewQuestion(step, 0, False, lucky=not ended and seat == CHANCE)
        if hidden and (step == 0 or ended or state.round != states[step - 1].round):
            yield from (ReviewQuestion(step, at, False) for at in range(seats) if not (deciding and at == seat))


def parts_of(game: AnyGame, data: bytes, states: Sequence[Any], hidden: bool) -> list[ReviewPart]:
    """The questions, in pieces of about a second: where all lies open the rounds, of which a judge keeps what it has
    solved; else one by one."""
    questions = list(questions_of(game, states, hidden))
    if hidden:
        return [ReviewPart(data, (question,)) for question in questions]
    rounds: dict[int, list[ReviewQuestion]] = {}
    for question in questions:
        rounds.setdefault(states[question.step].round, []).append(question)
    return [ReviewPart(data, tuple(of_round)) for of_round in rounds.values()]


def judge(matter: bytes) -> bytes:
    """The Answers to the questions of a Part, both as msgpack."""
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
    if left.chance >= best.chance:  # nothing is better than the move that was played, if only by a hair
        best = left
    return ReviewAnswer(best.chance, appraisal.exact, best.move, left.chance)


def luck_at(game: AnyGame, state: Any, outcome: Any, seat: int, random: Random, samples: int = SAMPLES) -> float:
    """How far the chance of a seat after an outcome lies above its mean over all outcomes. The same judge says both;
    so luck comes to 0 on average, however wrong the judge may be, and what he said before chance does not matter.

    If there are too many outcomes to list, ``samples`` that are drawn stand for all. They were drawn whatever came:
    that makes luck less precise, but no greater or smaller on average."""
    judge = judge_named(game.name)

    def after(one: Any) -> float:
        return judge.value(game.view(game.play(state, one), seat), random).chance

    listed = game.chance(state).outcomes()
    if listed is not None:
        mean = fsum(float(probability) * after(one) for one, probability in listed)
    else:
        drawn = _drawn(game, state, random, samples)
        mean = fsum(map(after, drawn)) / len(drawn)
    return after(outcome) - mean


def _drawn(game: AnyGame, state: Any, random: Random, samples: int) -> Sequence[Any]:
    evenly = adapter_of(game.name).drawn_evenly
    if evenly is not None:
        return evenly(game.view(state, None), samples, random.randrange)
    chance = game.chance(state)
    return [chance.draw(random.randrange) for _ in range(samples)]


def _share_of_victory(game: AnyGame, state: Any, seat: int) -> float:
    """A victory shared by n counts 1/n."""
    result = game.result(state)
    assert result
    return 1 / len(result.winners) if seat in result.winners else 0.0


def answers_of(game: AnyGame, data: bytes) -> ReviewAnswers:
    """The answers out of the bytes that :func:`judge` gave."""
    found = msgspec.msgpack.decode(data, type=ReviewAnswers)
    return tuple(
        msgspec.structs.replace(answer, best=msgspec.convert(answer.best, game.move)) if answer.best else answer
        for answer in found
    )


def luck_of(record: Record, step: int, seat: int) -> Random:
    """Random numbers for a question about a record: on whatever else is asked, they do not depend."""
    header = hashlib.sha256(encode_line(record.header)).hexdigest()
    return Random(f"kontor review {header} {step} {seat}")
