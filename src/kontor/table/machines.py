"""Computer players: they find the tables where it is their turn, have others think about it, and play as people do.

Nothing is kept but in the database, so that after a crash they go on where they were; and since their random numbers
follow from the line, they think the same again. A move is appended under the number of the line it was thought for:
whoever else was there meanwhile, it is played once or not at all.

Of all processes that have the server open one does this, which leads; when it is gone, another does.

Where no person plays, nobody moves while nobody looks (``visits``).

Nobody thinks in here. Who has waited longest is asked about first, and while one table's player ponders the moves of
the others are played. However many tables somebody opens, only a few of them are thought about at a time, and however
many people somebody is, they share thinkers: the others' players need not wait for them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, Literal, Self

import msgspec

from kontor.players.uniform import choose as uniform
from kontor.plugins import game_named
from kontor.table import playing
from kontor.table.errors import Conflict, NotNow, NotYourTurn, StorageFailure
from kontor.table.service import TableService
from kontor.table.tempos import pauses
from kontor.table.values import MachineTurn
from kontor.thinking import NoAnswer
from kontor.thinking.thinkers import Asker, Work
from kontor.thinking.turn_tasks import choose, move_of, random_from, turn_task
from kontor.work.failing_items import FailingItems
from kontor.work.failures import safe_traceback
from kontor.work.loops import STOP_TIMEOUT, Loop

_LOG = logging.getLogger(__name__)

_FORCED: Final = 0.3
"""Of the pause, where everybody sees that there is nothing to decide: rolling, or putting the one die that there is.
Were it so wherever there is one move only, a quick move would tell what a hand holds."""

_NEW_ROUND: Final = 2.0
"""Of the pause, where a round has just ended: how it ended is more to read than a move is (Y4)."""

_LEAST_NEW_ROUND: Final = 3.0
"""Seconds of the shortest pause there, whatever the tempo is (Y4)."""

_SEARCH_INTERVAL: Final = 1.0
"""After how many seconds to look again if nothing is heard."""

_POLL_INTERVAL: Final = 0.05
"""Seconds between two looks while it is no computer player's turn anywhere, however much is heard of the tables:
where people move a hundred times a second, each of their moves would have all computer players looked for."""

_MOST_AT_ONCE: Final = 2
"""Tables of one host that are thought about at the same time."""

_RETRY_DELAY: Final = 30.0
"""For how many seconds a table is left alone where something failed."""

Ask = Callable[[Work, bytes, Asker], Future[bytes]]
"""``ask(work, matter, asker)`` gives ``work(matter)`` in the future, or NoAnswer: ``Thinkers.submit``."""


News = Literal["a forced move", "a move", "a round"]
"""What there is to see before a computer player moves: how a round ended, or a move; and whether there is nothing to
decide."""


def move_delay(waiting: MachineTurn, news: News) -> float:
    """How many seconds after the move before it a computer player moves at the earliest, so that the others see what
    happened. It may think meanwhile."""
    delay = pauses(waiting.tempo, waiting.pace).move
    if news == "a round":
        return max(_LEAST_NEW_ROUND, delay * _NEW_ROUND, waiting.waits)
    return max(delay * _FORCED if news == "a forced move" else delay, waiting.waits)


@dataclass(frozen=True, slots=True)
class _PendingMove:
    """What a computer player is asked on a line, of a table with so many moves ``undone``; ``answer`` is None where
    there is one move only; ``host`` has opened the table."""

    host: str
    number: int
    undone: int
    moves: Sequence[Any]
    luck: bytes
    answer: Future[bytes] | None
    news: News

    def is_ripe(self) -> bool:
        """Whether it has been thought."""
        return self.answer is None or self.answer.done()


class Machines(Loop):
    """All computer players of a server::

    with Thinkers() as thinkers, TableService.open(folder) as server, Machines(server, thinkers.submit):
        ...  # serve
    """

    def __init__(
        self, service: TableService, ask: Ask, pause: Callable[[MachineTurn, News], float] = move_delay
    ) -> None:
        """``pause(waiting, news)`` is in seconds."""
        super().__init__("computer players")
        self._service = service
        self._ask = ask
        self._pause = pause
        self._thoughts: dict[str, _PendingMove] = {}
        self._failing = FailingItems(self.name, first=_RETRY_DELAY)
        self._next = _SEARCH_INTERVAL
        self._asked = -_SEARCH_INTERVAL
        self._leads = False
        self._away = False

    # -------------------------------------------------------------------------------------------------- in a thread

    def start(self) -> Self:
        """Begin to play, in a thread of its own."""
        self._service.listen(self._heard)
        return super().start()

    def stop(self, timeout: float = STOP_TIMEOUT) -> None:
        """End after the present move. What is being thought will not be played."""
        super().stop(timeout)
        for thought in self._thoughts.values():
            _forget(thought)

    def _heard(self, table: str) -> None:
        """Most changes are people's moves, where no computer player is next."""
        if not self._service.listing.is_for_people(table):
            self.wake()

    def once(self) -> float:
        """Play once, if this process leads; return the seconds until the next look."""
        try:
            self._once()
            self._away = False
        except StorageFailure as failure:
            if not self._away:
                _LOG.warning("Computer players wait: %s", failure)
            self._away = True
        if not self._thoughts:
            self._stop.wait(_POLL_INTERVAL)
        return self._next

    def _once(self) -> None:
        self._next = _SEARCH_INTERVAL
        if monotonic() - self._asked >= _SEARCH_INTERVAL:
            self._asked = monotonic()
            self._leads = False  # unless it is found out that it does
            self._leads = self._service.leads()
            _guarded("Noting who looks at tables", self._service.visits.note_watched)
            _guarded("Noting who is at a table", self._service.presence.note)
        if self._leads:
            self.one_round()
        else:
            self._forget_all_but(())

    # ------------------------------------------------------------------------------------------------------ a round

    def one_round(self) -> int:
        """Each computer player whose turn it is, is asked once; and moves, if it has thought and its pause is over.
        Returns how many moved."""
        self._next = _SEARCH_INTERVAL
        _guarded("What time brings", self._service.upkeep.apply_deadlines)
        turns = self._service.listing.machine_turns()
        self._forget_all_but(turns)
        for waiting in turns:
            if waiting.table not in self._thoughts and self._may_begin(waiting):
                self._attempt(waiting, self._begin)
        return sum(self._attempt(waiting, self._play) for waiting in turns if self._is_due(waiting))

    def _may_begin(self, waiting: MachineTurn) -> bool:
        """Whether nothing has just failed there, and its host's other tables leave room."""
        if self._failing.is_resting(waiting.table):
            return False
        thoughts = self._thoughts.values()
        return sum(thought.host == waiting.host and not thought.is_ripe() for thought in thoughts) < _MOST_AT_ONCE

    def _forget_all_but(self, turns: Sequence[MachineTurn]) -> None:
        """What was thought for a line that is another's by now is in vain."""
        due = {waiting.table: (waiting.number, waiting.undone) for waiting in turns}
        thoughts = self._thoughts.items()
        for table in [table for table, thought in thoughts if due.get(table) != (thought.number, thought.undone)]:
            _forget(self._thoughts.pop(table))

    def _attempt(self, waiting: MachineTurn, act: Callable[[MachineTurn], bool]) -> bool:
        """Act at a table. A table that fails is left alone for a while, so that it can't stop the others."""
        try:
            return act(waiting)
        except StorageFailure:
            raise
        except Exception as error:  # noqa: BLE001 (one table that cannot be played must not stop the others)
            self._failing.failed(waiting.table, error, f"A turn at a table of {waiting.game}")
            return False

    def _begin(self, waiting: MachineTurn) -> bool:
        """Lets the computer player think; not if somebody else was quicker."""
        now = self._service.table_view(waiting.table)
        try:
            seen, luck = playing.think(now, waiting.seat)
        except NotYourTurn:
            return False
        if not seen.moves:
            return False
        answer = None
        if len(seen.moves) > 1:
            task = turn_task(game_named(waiting.game), seen.view, luck, waiting.player)
            answer = self._ask(choose, task, Asker(waiting.origin, waiting.host))
            answer.add_done_callback(lambda _: self.wake())
        news: News = "a move"
        if now.log.begins_round:
            news = "a round"
        elif answer is None and playing.is_plainly_forced(now):
            news = "a forced move"
        undone = now.info.undone
        self._thoughts[waiting.table] = _PendingMove(
            waiting.host, seen.number, undone, seen.moves, luck, answer, news
        )
        return True

    def _is_due(self, waiting: MachineTurn) -> bool:
        """Whether it has thought, and its pause is over."""
        thought = self._thoughts.get(waiting.table)
        if self._stop.is_set() or thought is None or not thought.is_ripe():
            return False
        left = self._pause(waiting, thought.news) - waiting.waited
        if left > 0:
            self._next = min(self._next, left)
        return left <= 0

    def _play(self, waiting: MachineTurn) -> bool:
        """Whether the computer player has moved; not if somebody else was quicker."""
        thought = self._thoughts.pop(waiting.table)
        move = _move(waiting, thought)
        try:
            self._service.play_machine(waiting.table, waiting.seat, thought.number, move, thought.undone)
        except (Conflict, NotYourTurn, NotNow):  # NotNow: the people have ended the game meanwhile
            return False
        self._failing.succeeded(waiting.table)
        return True


def _move(waiting: MachineTurn, thought: _PendingMove) -> Any:
    """What the computer player chose; where it failed, any move, for the others cannot wait for ever."""
    if thought.answer is None:
        return thought.moves[0]
    player = f"The computer player {waiting.player} of {waiting.game}"
    try:
        move = move_of(game_named(waiting.game), thought.answer.result())
        if move in thought.moves:
            return move
        _LOG.error("%s chose what is no move", player)
    except msgspec.DecodeError:
        _LOG.error("%s chose what is no move", player)
    except (NoAnswer, CancelledError) as failed:
        _LOG.error("%s failed: %s", player, failed)
    return uniform(None, thought.moves, random_from(thought.luck))


def _forget(thought: _PendingMove) -> None:
    if thought.answer is not None:
        thought.answer.cancel()


def _guarded(what: str, do: Callable[[], object]) -> None:
    """Log any error but StorageFailure, so that one part of a round can't stop the others. The error's message is not
    logged: it can quote what is hidden from players."""
    try:
        do()
    except StorageFailure:
        raise
    except Exception as error:  # noqa: BLE001 (as above)
        _LOG.error("%s failed: %s", what, safe_traceback(error))
