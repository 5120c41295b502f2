"""A game cut into parts that can be judged anywhere and in any order, and the judging itself.

Each question has random numbers of its own, which follow from the record alone: whoever judges it, and when, the
answer is the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from kontor.game import OVER, AnyGame, Value
from kontor.games import game_named
from kontor.players import Appraisal, Estimate, judge_named
from kontor.records import Record, decode, encode_line, replay


class Question(Value, frozen=True):
    """What somebody thinks of the state after so many steps. It is a decision if the seat moves next and had a
    choice; else only the chance to win is asked for."""

    step: int
    seat: int
    decision: bool


class Part(Value, frozen=True):
    """Questions that are best answered by one process, one after the other; the record is its bytes."""

    record: bytes
    questions: tuple[Question, ...]


def questions_of(game: AnyGame, states: Sequence[Any], hidden: bool) -> Iterator[Question]:
    """All that must be known for a review. Where all lies open, one chance tells of both seats, and it is asked for
    after every step; where things are hidden, each seat is asked when it decides, and as each round begins."""
    seats = game.seats(states[0].options)
    for step, state in enumerate(states):
        seat = state.mover
        deciding = seat >= 0 and len(game.moves(state)) > 1
        if deciding:
            yield Question(step, seat, True)
        elif not hidden:
            yield Question(step, 0, False)
        if hidden and (step in (0, len(states) - 1) or state.round != states[step - 1].round):
            yield from (Question(step, at, False) for at in range(seats) if not (deciding and at == seat))


def parts_of(record: Record, data: bytes, states: Sequence[Any], hidden: bool) -> list[Part]:
    """The questions round by round. A judge keeps what it knows of a round, or of what a seat can know, for the next
    question."""
    found: dict[tuple[int, int], list[Question]] = {}
    for question in questions_of(game_named(record.header.game), states, hidden):
        eyes = question.seat if hidden else 0
        found.setdefault((states[question.step].round, eyes), []).append(question)
    return [Part(data, tuple(questions)) for questions in found.values()]


def judged(part: Part) -> list[Appraisal | Estimate]:
    """The answers to the questions of a part."""
    record = decode(part.record)
    game, judge = game_named(record.header.game), judge_named(record.header.game)
    states = list(replay(record))
    found: list[Appraisal | Estimate] = []
    for question in part.questions:
        state = states[question.step]
        view = game.view(state, question.seat)
        luck = luck_of(record, question.step, question.seat)
        if question.decision:
            found.append(judge.appraise(view, game.moves(state), luck, record.steps[question.step].action))
        elif state.mover == OVER:
            found.append(_outcome(game, state, question.seat))
        else:
            found.append(judge.value(view, luck))
    return found


def _outcome(game: AnyGame, state: Any, seat: int) -> Estimate:
    """What came of it: a victory shared by n counts 1/n."""
    result = game.result(state)
    assert result
    return Estimate(1 / len(result.winners) if seat in result.winners else 0.0, True)


def luck_of(record: Record, step: int, seat: int) -> Random:
    """Random numbers for a question of a record: of whatever else is asked, they do not depend."""
    header = hashlib.sha256(encode_line(record.header)).hexdigest()
    return Random(f"kontor review {header} {step} {seat}")
