"""Explanations why the best move of a puzzle is better than another: rounds played on after both, as in reviews."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from kontor.game import Value
from kontor.plugins import game_named
from kontor.puzzles.collection import puzzle_named
from kontor.puzzles.values import PuzzlePosition
from kontor.review import adapter_of
from kontor.review.explaining import IMAGINED_ROUNDS, played_on


class MoveToExplain(Value, frozen=True):
    """A move of a puzzle, by its index among the legal ones."""

    game: str
    puzzle: str
    move: int


def explain(matter: bytes) -> bytes:
    """Return how the round goes on after a move, and after the best one. For thinkers.

    ``matter`` is a MoveToExplain as msgpack; the result is two outlooks of the game, as msgpack.
    """
    task = msgspec.msgpack.decode(matter, type=MoveToExplain)
    puzzle = puzzle_named(task.game, task.puzzle)
    assert puzzle is not None
    position, game = PuzzlePosition(puzzle), game_named(task.game)
    ends = [
        [
            played_on(game, position.view, position.moves[place], Random(f"kontor puzzle {puzzle.id} {number}"))
            for number in range(IMAGINED_ROUNDS)
        ]
        for place in (task.move, puzzle.best)
    ]
    outlook = adapter_of(game.name).outlook
    return msgspec.msgpack.encode([outlook(position.view, each) for each in ends])


def outlooks_of(game: str, data: bytes) -> tuple[Any, Any]:
    """Return the outlooks from the bytes that :func:`explain` returned: of the move, and of the best one."""
    move, best = msgspec.msgpack.decode(data)
    kind = adapter_of(game).outlook_type
    return msgspec.convert(move, kind), msgspec.convert(best, kind)
