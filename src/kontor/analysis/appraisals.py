"""Questions about analysed positions: what the moves are worth, a computer player's move, and a seat's beliefs.

The thinkers of the server answer them after all requests of tables. An answer depends only on the view, so it is the
same for every asker and in every process of the server.
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

from kontor.analysis.believing import belief_task, beliefs_of, believe
from kontor.game import AnyGame, Refusal
from kontor.plugins import game_named
from kontor.thinking import NoAnswer, Thinking
from kontor.thinking.thinkers import Asker, Work
from kontor.thinking.turn_tasks import appraisal_of, appraise, choose, move_of, turn_task

_log = logging.getLogger(__name__)

AT_HAND: Final = 1024
"""The number of questions that are cached."""

WAITING: Final = 40
"""The most questions in the queue; one origin may have half of them, and one person ``_OF_ONE``."""

_OF_ONE: Final = 4

_BELIEFS: Final = "beliefs in"
"""The part of a key that other questions fill with the name of a computer player."""


class TooBusy(Refusal):
    """A refusal because too many positions are in the queue."""


@dataclass(eq=False)
class PositionQuestion:
    """A question about a position, and its answer.

    ``answer`` is None until it has come: an Appraisal, a player's move, or tables of beliefs. ``failed`` is true if
    there will be no answer. ``place`` is the place in the queue; 1 is next or at work.
    """

    number: int
    asker: Asker
    answer: Any = None
    failed: bool = False
    thought: Future[bytes] = field(default_factory=Future)
    place: int = 0


class PositionQuestions:
    """The questions of a server about positions. They can be used from any thread."""

    def __init__(self, thinkers: Thinking) -> None:
        self._thinkers = thinkers
        self._questions: OrderedDict[bytes, PositionQuestion] = OrderedDict()
        self._waiting: dict[int, PositionQuestion] = {}
        self._count = 0
        self._lock = Lock()

    def appraisal(self, game: str, view: Any, asker: Asker) -> PositionQuestion:
        """Ask what the moves of the mover are worth by their view. Raises TooBusy."""
        rules = game_named(game)
        key = _key(rules, view, "")
        return self._ask(rules, key, appraise, turn_task(rules, view, key), appraisal_of, asker)

    def move(self, game: str, view: Any, player: str, asker: Asker) -> PositionQuestion:
        """Ask for a computer player's move. Raises TooBusy."""
        rules = game_named(game)
        key = _key(rules, view, player)
        return self._ask(rules, key, choose, turn_task(rules, view, key, player), move_of, asker)

    def beliefs(self, game: str, view: Any, language: str, asker: Asker) -> PositionQuestion:
        """Ask, in a language, what the view's seat can believe. Raises TooBusy."""
        rules = game_named(game)
        key = _key(rules, view, f"{_BELIEFS} {language}")
        return self._ask(rules, key, believe, belief_task(rules, view, language), beliefs_of, asker)

    def knows(self, game: str, view: Any, player: str = "") -> bool:
        """Return True if the appraisal, or the move of ``player``, is cached or in the queue."""
        with self._lock:
            return _key(game_named(game), view, player) in self._questions

    def _ask(
        self,
        game: AnyGame,
        key: bytes,
        work: Work,
        matter: bytes,
        read: Callable[[AnyGame, bytes], Any],
        asker: Asker,
    ) -> PositionQuestion:
        with self._lock:
            cached = self._questions.get(key)
            if cached is not None and not cached.failed:
                self._questions.move_to_end(key)
                cached.place = 1 + sum(number < cached.number for number in self._waiting)
                return cached
            self._check_room(asker)
            self._count += 1
            question = PositionQuestion(self._count, asker, place=len(self._waiting) + 1)
            self._questions[key] = self._waiting[question.number] = question
            while len(self._questions) > AT_HAND:
                self._questions.popitem(last=False)
        question.thought = self._thinkers.submit(work, matter, asker, low_priority=True)
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
            question.answer = read(game, thought.result())
        except (NoAnswer, CancelledError, msgspec.DecodeError) as failed:
            why = failed if isinstance(failed, NoAnswer) else type(failed).__name__
            _log.error("A position of %s was not analysed: %s", game.name, why)
            question.failed = True
        with self._lock:
            self._waiting.pop(question.number, None)


def _key(game: AnyGame, view: Any, player: str) -> bytes:
    """Return the key of a question, which also seeds its random numbers: equal questions have equal answers."""
    encoded = msgspec.msgpack.encode((game.name, game.version, player, view))
    return hashlib.sha256(b"kontor analysis " + encoded).digest()
