"""A game cut into parts that can be judged anywhere and in any order, and the judging itself.

Each question has random numbers of its own, which follow from the record alone: whoever judges it, and when, the
answer is the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from kontor.game import OVER, AnyGame, Value
from kontor.players import judge_named
from kontor.plugins import game_named
from kontor.records import Record, decode, encode_line, replay


class ReviewQuestion(Value, frozen=True):
    """What a seat knew after so many steps of the record: how likely it was to win. It is a decision if the seat
    moved next and had a choice; then it is also asked which move was the best."""

    step: int
    seat: int
    decision: bool


class ReviewPart(Value, frozen=True):
    """Questions that are best answered one after the other; the record is its bytes."""

    record: bytes
    questions: tuple[ReviewQuestion, ...]


class ReviewAnswer(Value, frozen=True):
    """The chance to win, with the best move where it is a decision; and then that move, and the chance that is left
    after the one that was played, never more than ``chance``."""

    chance: float
    exact: bool
    best: Any = None
    left: float = 0.0


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
            yield ReviewQuestion(step, 0, False)
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
        return ReviewAnswer(estimate.chance, estimate.exact)
    played = record.steps[question.step].action
    appraisal = judge_named(name).appraise(view, game.moves(state), luck, played)
    left, best = appraisal.of(played), appraisal.best
    if left.chance >= best.chance:  # nothing is better than the move that was played, if only by a hair
        best = left
    return ReviewAnswer(best.chance, appraisal.exact, best.move, left.chance)


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
