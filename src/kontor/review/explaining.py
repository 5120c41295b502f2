"""Imagined rounds after the played and the best move, to explain why the best was better.

The numbers of a review come from the judge alone; the imagined rounds only explain them. Both moves are tried in the
same imagined states, with the same luck.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import msgspec

from kontor.game import CHANCE, OVER, AnyGame, Value
from kontor.players import player_named
from kontor.plugins import game_named
from kontor.records import decode, replay
from kontor.review.adapter import adapter_of
from kontor.review.judging import luck_of
from kontor.review.values import TurningPoint

IMAGINED_ROUNDS: Final = 40
"""Number of rounds imagined for each move."""


class DecisionToExplain(Value, frozen=True):
    """A decision to be explained: the record (its bytes), the step (from 1), and the best move."""

    record: bytes
    step: int
    best: Any


def explain(matter: bytes) -> bytes:
    """Return the TurningPoint of a DecisionToExplain, both as msgpack."""
    turn = msgspec.msgpack.decode(matter, type=DecisionToExplain)
    record = decode(turn.record)
    game = game_named(record.header.game)
    state = list(replay(record))[turn.step - 1]
    view = game.view(state, state.mover)
    moves = record.steps[turn.step - 1].action, msgspec.convert(turn.best, game.move)
    seed = luck_of(record, turn.step - 1, state.mover).getrandbits(64)
    played, best = (
        [played_on(game, view, move, Random(f"{seed} {number}")) for number in range(IMAGINED_ROUNDS)]
        for move in moves
    )
    outlook = adapter_of(game.name).outlook
    return msgspec.msgpack.encode(TurningPoint(turn.step, outlook(view, played), outlook(view, best)))


def turning_point_of(game: AnyGame, data: bytes) -> TurningPoint:
    """Decode the turning point that :func:`explain` returned."""
    turning_point = msgspec.msgpack.decode(data, type=TurningPoint)
    kind = adapter_of(game.name).outlook_type
    return TurningPoint(
        turning_point.step, msgspec.convert(turning_point.played, kind), msgspec.convert(turning_point.best, kind)
    )


def played_on(game: AnyGame, view: Any, move: Any, luck: Random) -> tuple[Any, tuple[Any, ...]]:
    """Play a round to its end from an imagined state; return the last view and what the seat saw happen.

    The state is one that agrees with the view.
    """
    choose, seat = player_named(game.name, adapter_of(game.name).plays_on), view.mover
    state = game.imagine(view, luck.randrange)
    happened: list[Any] = []
    action = move
    while True:
        after = game.play(state, action)
        happened += game.event(state, action, after, seat).happened
        if after.mover == OVER or after.round != state.round:
            return game.view(after, seat), tuple(happened)
        state = after
        if state.mover == CHANCE:
            action = game.chance(state).draw(luck.randrange)
        else:
            action = choose(game.view(state, state.mover), game.moves(state), luck)
