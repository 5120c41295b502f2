"""What thinkers are asked about games: which move, and what the moves are worth.

Both are asked by a view, as bytes, never by a state. The legal moves need not be sent: those of the seat to move
follow from what it sees, so they are those of any state that is imagined from the view.
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
    """A decision of a seat: the game, the view, and what random numbers are drawn from. ``player`` is the computer
    player that decides; empty for a judgement."""

    game: str
    view: msgspec.Raw
    luck: bytes
    player: str = ""


def turn_task(game: AnyGame, view: Any, luck: bytes, player: str = "") -> bytes:
    """A turn, as it is sent."""
    return msgspec.msgpack.encode(TurnTask(game.name, msgspec.Raw(msgspec.msgpack.encode(view)), luck, player))


def choose(matter: bytes) -> bytes:
    """The move that the computer player of a turn chooses."""
    given, view, moves = decoded_task(matter)
    move = player_named(given.game, given.player)(view, moves, random_from(given.luck))
    return msgspec.msgpack.encode(move)


def appraise(matter: bytes) -> bytes:
    """What the judge thinks of the moves of a turn."""
    given, view, moves = decoded_task(matter)
    return msgspec.msgpack.encode(judge_named(given.game).appraise(view, moves, random_from(given.luck)))


def random_from(luck: bytes) -> Random:
    """What is drawn from. The same bytes give the same numbers."""
    return Random(int.from_bytes(luck, "big"))


def move_of(game: AnyGame, answer: bytes) -> Any:
    """What :func:`choose` gave. Raises msgspec.DecodeError where it is no move at all."""
    return msgspec.msgpack.decode(answer, type=game.move)


def appraisal_of(game: AnyGame, answer: bytes) -> Appraisal:
    """What :func:`appraise` gave. Raises msgspec.DecodeError."""
    found = msgspec.msgpack.decode(answer, type=Appraisal)
    moves = [Appraised(msgspec.convert(each.move, game.move), each.chance, each.error) for each in found.moves]
    return Appraisal(tuple(moves), found.exact)


def decoded_task(matter: bytes) -> tuple[TurnTask, Any, Sequence[Any]]:
    """A turn as it was sent, with its view and its legal moves."""
    given = msgspec.msgpack.decode(matter, type=TurnTask)
    game = game_named(given.game)
    view = msgspec.msgpack.decode(given.view, type=game.view_type)
    return given, view, game.moves(game.imagine(view, Random(0).randrange))
