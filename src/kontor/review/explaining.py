"""How a round would go on after one move or another: played on in imagined rounds, to explain why one was better.

The numbers of a review come from the judge alone; this is only what they are explained by. Both moves are tried in
the same imagined states, with the same luck.
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
"""So many rounds are imagined for each move."""


class DecisionToExplain(Value, frozen=True):
    """A decision to be explained: the record (its bytes), the step from 1, and the best move."""

    record: bytes
    step: int
    best: Any


def explain(matter: bytes) -> bytes:
    """How the round of a Turn goes on: a TurningPoint, both as msgpack."""
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
    """The turning point out of the bytes that :func:`explain` gave."""
    found = msgspec.msgpack.decode(data, type=TurningPoint)
    kind = adapter_of(game.name).outlook_type
    return TurningPoint(found.step, msgspec.convert(found.played, kind), msgspec.convert(found.best, kind))


def played_on(game: AnyGame, view: Any, move: Any, luck: Random) -> tuple[Any, tuple[Any, ...]]:
    """A round played on from a state that the view could come from: the last view, and what all saw happen."""
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
