"""The tasks of thinkers about games: to choose a move, and to value all moves.

Both get a view, as bytes, never a state. The legal moves are not sent. Those of the seat to move follow from what it
sees, so any state imagined from the view has the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from kontor.game import AnyGame, Value
from kontor.players import Appraisal, Appraised, judge_named, player_named
from kontor.plugins import game_named


class TurnTask(Value, frozen=True):
    """A decision of a seat: the game, the view, and the bytes ``luck`` that seed the random numbers.

    ``player`` is the computer player that decides; it is empty for a judge's appraisal.
    """

    game: str
    view: msgspec.Raw
    luck: bytes
    player: str = ""


def turn_task(game: AnyGame, view: Any, luck: bytes, player: str = "") -> bytes:
    """Return a decision as bytes, to be sent to a thinker."""
    return msgspec.msgpack.encode(TurnTask(game.name, msgspec.Raw(msgspec.msgpack.encode(view)), luck, player))


def choose(matter: bytes) -> bytes:
    """Return the move, as bytes, that the task's computer player chooses."""
    given, view, moves = decoded_task(matter)
    move = player_named(given.game, given.player)(view, moves, random_from(given.luck))
    return msgspec.msgpack.encode(move)


def appraise(matter: bytes) -> bytes:
    """Return the judge's appraisal of the task's moves, as bytes."""
    given, view, moves = decoded_task(matter)
    return msgspec.msgpack.encode(judge_named(given.game).appraise(view, moves, random_from(given.luck)))


def random_from(luck: bytes) -> Random:
    """Return a random generator seeded with these bytes: the same bytes give the same numbers."""
    return Random(int.from_bytes(luck, "big"))


def move_of(game: AnyGame, answer: bytes) -> Any:
    """Return the move in an answer of :func:`choose`. Raises msgspec.DecodeError if it is not a move."""
    return msgspec.msgpack.decode(answer, type=game.move)


def appraisal_of(game: AnyGame, answer: bytes) -> Appraisal:
    """Return the appraisal in an answer of :func:`appraise`. Raises msgspec.DecodeError."""
    decoded = msgspec.msgpack.decode(answer, type=Appraisal)
    moves = [Appraised(msgspec.convert(each.move, game.move), each.chance, each.error) for each in decoded.moves]
    return Appraisal(tuple(moves), decoded.exact)


def decoded_task(matter: bytes) -> tuple[TurnTask, Any, Sequence[Any]]:
    """Return a task sent as bytes, its view, and its legal moves."""
    given = msgspec.msgpack.decode(matter, type=TurnTask)
    game = game_named(given.game)
    view = msgspec.msgpack.decode(given.view, type=game.view_type)
    return given, view, game.moves(game.imagine(view, Random(0).randrange))
