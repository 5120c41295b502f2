"""Beliefs of a seat, as tasks for thinkers: to calculate the prices of bargains is too slow for a request."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from kontor.analysis.adapter import BeliefTable, adapter_of, seat_names
from kontor.game import AnyGame, Value
from kontor.plugins import game_named
from kontor.words import Words


class BeliefTask(Value, frozen=True):
    """A view of a game, and the language of the beliefs."""

    game: str
    view: msgspec.Raw
    language: str


def belief_task(game: AnyGame, view: Any, language: str) -> bytes:
    """Return a view as an encoded task for the thinkers."""
    return msgspec.msgpack.encode(BeliefTask(game.name, msgspec.Raw(msgspec.msgpack.encode(view)), language))


def believe(matter: bytes) -> bytes:
    """Return encoded tables of what the seat of a task's view can believe."""
    task = msgspec.msgpack.decode(matter, type=BeliefTask)
    game, words = game_named(task.game), _words(task.language)
    view = msgspec.msgpack.decode(task.view, type=game.view_type)
    names = seat_names(words, game.seats(view.options))
    return msgspec.msgpack.encode(adapter_of(task.game).beliefs(words, names, view))


def beliefs_of(game: AnyGame, answer: bytes) -> tuple[BeliefTable, ...]:
    """Return the decoded result of :func:`believe`, for any game. Raises msgspec.DecodeError."""
    return msgspec.msgpack.decode(answer, type=tuple[BeliefTable, ...])


@lru_cache(maxsize=8)
def _words(language: str) -> Words:
    return Words(language)
