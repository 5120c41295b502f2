"""How a round would go on after one move or another: played on in imagined rounds, to explain why one was better.

The numbers of a review come from the judge alone; this is only what they are explained by. Both moves are tried in
the same imagined states, with the same luck.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from kontor.game import CHANCE, OVER, AnyGame, Value
from kontor.games import game_named
from kontor.players import player_named
from kontor.records import decode, replay
from kontor.review.judging import luck_of
from kontor.review.manners import MANNERS
from kontor.review.values import Turning

PLAYS_ON: Final = "greedy"
"""The player by whom imagined rounds are played on, for all seats: quick, and sound."""

ROUNDS: Final = 50
"""So many rounds are imagined for each move."""


class Turn(Value, frozen=True):
    """A decision to be explained: the record (its bytes), the step from 1, and the best move."""

    record: bytes
    step: int
    best: Any


def foreseen(turn: Turn) -> Turning:
    """How the round goes on after the move that was played, and after the best one."""
    record = decode(turn.record)
    game = game_named(record.header.game)
    state = list(replay(record))[turn.step - 1]
    played = record.steps[turn.step - 1].action
    view = game.view(state, state.mover)
    seed = luck_of(record, turn.step - 1, state.mover).getrandbits(64)
    outlook = MANNERS[game.name].outlook
    one, other = (
        outlook(view, [_played_on(game, view, move, Random(f"{seed} {number}")) for number in range(ROUNDS)])
        for move in (played, turn.best)
    )
    return Turning(turn.step, one, other)


def _played_on(game: AnyGame, view: Any, move: Any, luck: Random) -> tuple[Any, tuple[Any, ...]]:
    """A round played on from a state that the view could come from: the last view, and what all saw happen."""
    choose, seat = player_named(game.name, PLAYS_ON), view.mover
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
