"""What is asked about positions that are looked into: what the moves are worth, and what a computer player would do.

It is thought out by the thinkers of the server after all that tables ask for. What a view is worth is always the
same, so it does not matter who asked, nor which process of a server answers.
"""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, Final

import msgspec

from kontor.game import AnyGame, Refusal
from kontor.players import Appraisal
from kontor.plugins import game_named
from kontor.thinking import NoAnswer, Thinking
from kontor.thinking.thinkers import Asker
from kontor.thinking.turn_tasks import appraisal_of, appraise, choose, move_of, turn_task

_log = logging.getLogger(__name__)

AT_HAND: Final = 1024
"""Answers that are kept."""

WAITING: Final = 40
"""Questions that wait at most, and of one origin half of them; of one person a few."""

_OF_ONE: Final = 4


class TooBusy(Refusal):
    """Too many positions wait to be thought about."""


@dataclass(eq=False)
class PositionQuestion:
    """What was asked about a position: ``found`` is an Appraisal, or the move of a player, once it has been thought;
    ``failed`` says that it will not be. ``place`` is the place in the line, 1 for what is thought about now."""

    number: int
    asker: Asker
    found: Any = None
    failed: bool = False
    thought: Future[bytes] = field(default_factory=Future)
    place: int = 0


class PositionQuestions:
    """The questions about positions of a server. Safe to use from any thread."""

    def __init__(self, thinkers: Thinking) -> None:
        self._thinkers = thinkers
        self._asked: OrderedDict[bytes, PositionQuestion] = OrderedDict()
        self._waiting: dict[int, PositionQuestion] = {}
        self._count = 0
        self._lock = Lock()

    def appraisal(self, game: str, view: Any, asker: Asker) -> PositionQuestion:
        """What the moves of whoever is to move are worth, by their view. Raises TooBusy where it cannot be asked."""
        return self._ask(game_named(game), view, "", asker)

    def move(self, game: str, view: Any, player: str, asker: Asker) -> PositionQuestion:
        """What a computer player does. Raises TooBusy."""
        return self._ask(game_named(game), view, player, asker)

    def knows(self, game: str, view: Any, player: str = "") -> bool:
        """Whether it has been asked already."""
        with self._lock:
            return _key(game_named(game), view, player) in self._asked

    def _ask(self, game: AnyGame, view: Any, player: str, asker: Asker) -> PositionQuestion:
        key = _key(game, view, player)
        with self._lock:
            known = self._asked.get(key)
            if known is not None and not known.failed:
                self._asked.move_to_end(key)
                known.place = 1 + sum(number < known.number for number in self._waiting)
                return known
            self._check_room(asker)
            self._count += 1
            question = PositionQuestion(self._count, asker, place=len(self._waiting) + 1)
            self._asked[key] = self._waiting[question.number] = question
            while len(self._asked) > AT_HAND:
                self._asked.popitem(last=False)
        work = choose if player else appraise
        question.thought = self._thinkers.submit(work, turn_task(game, view, key, player), asker, low_priority=True)
        read: Callable[[AnyGame, bytes], Appraisal | Any] = move_of if player else appraisal_of
        question.thought.add_done_callback(partial(self._settle, game, question, read))
        return question

    def _check_room(self, asker: Asker) -> None:
        others = [waiting.asker for waiting in self._waiting.values()]
        if (
            len(others) >= WAITING
            or sum(other.origin == asker.origin for other in others) >= WAITING // 2
            or sum(other == asker for other in others) >= _OF_ONE
        ):
            raise TooBusy("", "Too many positions are being analysed. Try again in a minute.")

    def _settle(
        self,
        game: AnyGame,
        question: PositionQuestion,
        read: Callable[[AnyGame, bytes], Any],
        thought: Future[bytes],
    ) -> None:
        try:
            question.found = read(game, thought.result())
        except (NoAnswer, CancelledError, msgspec.DecodeError) as failed:
            why = failed if isinstance(failed, NoAnswer) else type(failed).__name__
            _log.error("A position of %s was not analysed: %s", game.name, why)
            question.failed = True
        with self._lock:
            self._waiting.pop(question.number, None)


def _key(game: AnyGame, view: Any, player: str) -> bytes:
    """What is asked, and what random numbers are drawn from: the same question has the same answer."""
    told = msgspec.msgpack.encode((game.name, game.version, player, view))
    return hashlib.sha256(b"kontor analysis " + told).digest()
