"""Computer players: they find the tables where it is their turn, have thinkers choose a move, and play it.

Their state is in the database alone, so that after a crash they continue from there. Their random numbers follow from
the line, so they choose the same again. A move is appended under the number of the line it was chosen for. So it is
played once or not at all, even if others move meanwhile.

Of all processes that have the server open, only the leader does this; when it is gone, another does.

At tables without people, computer players stop while nobody looks (``visits``).

The thinking itself happens in the thinkers. Tables that have waited longest come first, and while one table's player
thinks, the moves of the others are played. Only a few tables of one host are thought about at a time. All tables
opened from one network share thinkers, so that the computer players of others need not wait for them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, Literal, Self, TypeVar

import msgspec

from kontor.ahead.values import AheadTurn
from kontor.errors import Conflict, NotNow, NotYourTurn
from kontor.moving.values import ForcedTurn
from kontor.players.uniform import choose as uniform
from kontor.plugins import game_named
from kontor.server.composition import KontorServer
from kontor.storage.errors import StorageFailure
from kontor.tables import turn_inputs
from kontor.tables.tempos import pauses
from kontor.tables.values import MachineTurn
from kontor.thinking import NoAnswer
from kontor.thinking.thinkers import Ask, Asker
from kontor.thinking.turn_tasks import choose, move_of, random_from, turn_task
from kontor.work.failing_items import FailingItems
from kontor.work.failures import safe_traceback
from kontor.work.loops import STOP_TIMEOUT, Loop

_LOG = logging.getLogger(__name__)

_FORCED: Final = 0.3
"""Factor of the pause for a move that everybody sees is forced: rolling, or placing the only die.

If it applied to every move without an alternative, a quick move would reveal what a hand holds.
"""

_NEW_ROUND: Final = 2.0
"""Factor of the pause after the end of a round, which takes longer to read than a move (Y4)."""

_LEAST_NEW_ROUND: Final = 3.0
"""Seconds of the shortest pause after the end of a round, at any tempo (Y4)."""

_SEARCH_INTERVAL: Final = 1.0
"""Seconds between two searches if no change is heard of."""

_POLL_INTERVAL: Final = 0.05
"""Seconds between two searches while no computer player is to move, however many changes are heard of.

If people move a hundred times a second, not each of their moves may start a search.
"""

_AHEAD_INTERVAL: Final = 0.5
"""Seconds between two looks for turns at which moves were given ahead, however many changes are heard of."""

_MOST_AT_ONCE: Final = 2
"""The most tables of one host that are thought about at the same time."""

_RETRY_DELAY: Final = 30.0
"""Seconds for which a table is left alone after a failure."""

Turn = TypeVar("Turn", MachineTurn, AheadTurn, ForcedTurn)

News = Literal["a forced move", "a move", "a round"]
"""News before a computer player's move: the end of a round, or a move; or that its own move is forced."""


def move_delay(waiting: MachineTurn, news: News) -> float:
    """Return the least number of seconds between the move before and a computer player's move.

    In that time the others see what happened; the computer player may think meanwhile.
    """
    delay = pauses(waiting.tempo, waiting.pace).move
    if news == "a round":
        return max(_LEAST_NEW_ROUND, delay * _NEW_ROUND, waiting.waits)
    return max(delay * _FORCED if news == "a forced move" else delay, waiting.waits)


@dataclass(frozen=True, slots=True)
class _PendingMove:
    """The pending move of a computer player after the line ``number`` of a table with so many moves ``undone``.

    ``answer`` is None if there is only one legal move; ``host`` is the person who opened the table.
    """

    host: str
    number: int
    undone: int
    moves: Sequence[Any]
    luck: bytes
    answer: Future[bytes] | None
    news: News

    def is_ripe(self) -> bool:
        """Return True if the thinking is done."""
        return self.answer is None or self.answer.done()


class Machines(Loop):
    """All computer players of a server.

    Example::

        with Thinkers() as thinkers, KontorServer.open(folder) as server, Machines(server, thinkers.submit):
            ...  # serve
    """

    def __init__(
        self, service: KontorServer, ask: Ask, pause: Callable[[MachineTurn, News], float] = move_delay
    ) -> None:
        """Create the loop; ``pause(waiting, news)`` returns seconds."""
        super().__init__("computer players")
        self._service = service
        self._ask = ask
        self._pause = pause
        self._thoughts: dict[str, _PendingMove] = {}
        self._failing = FailingItems(self.name, first=_RETRY_DELAY)
        self._next = _SEARCH_INTERVAL
        self._checked_at = -_SEARCH_INTERVAL
        self._ahead_at = -_AHEAD_INTERVAL
        self._leads = False
        self._away = False

    # -------------------------------------------------------------------------------------------------- in a thread

    def start(self) -> Self:
        """Begin to play, in a thread of its own."""
        self._service.listen(self._service.only_moves.note_change)
        self._service.listen(self._wake_for)
        return super().start()

    def stop(self, timeout: float = STOP_TIMEOUT) -> None:
        """End after the present move. Moves still being chosen are not played."""
        super().stop(timeout)
        for thought in self._thoughts.values():
            _forget(thought)

    def _wake_for(self, table: str) -> None:
        """Wake the loop, unless no computer player is next.

        Most changes are people's moves, after which none is.
        """
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
        if monotonic() - self._checked_at >= _SEARCH_INTERVAL:
            self._checked_at = monotonic()
            self._leads = False  # until it is known again
            self._leads = self._service.leads()
            _run_guarded("Noting who looks at tables", self._service.visits.note_watched)
            _run_guarded("Noting who is at a table", self._service.presence.note)
        if self._leads:
            self.one_round()
        else:
            self._forget_all_but(())

    # ------------------------------------------------------------------------------------------------------ a round

    def one_round(self) -> int:
        """Ask each computer player whose turn it is once, and play the moves that are due; return how many moved.

        A move is due once it was chosen and the pause is over.
        """
        self._next = _SEARCH_INTERVAL
        _run_guarded("Looking for moves given ahead", self._play_ahead)
        _run_guarded("What time brings", self._service.upkeep.apply_deadlines)
        turns = self._service.listing.machine_turns()
        self._forget_all_but(turns)
        for waiting in turns:
            if waiting.table not in self._thoughts and self._may_begin(waiting):
                self._attempt(waiting, self._begin)
        return sum(self._attempt(waiting, self._play) for waiting in turns if self._is_due(waiting))

    def _play_ahead(self) -> None:
        """Play moves given ahead, and only moves, twice a second: before time runs out for those who are late."""
        now = monotonic()
        if now - self._ahead_at < _AHEAD_INTERVAL:
            return
        for turn in self._service.moves_ahead.due():
            if not self._failing.is_resting(turn.table):
                self._attempt(turn, self._service.moves_ahead.play)
        for forced in self._service.only_moves.due():
            if not self._failing.is_resting(forced.table):
                self._attempt(forced, self._service.only_moves.play)
        self._ahead_at = now

    def _may_begin(self, waiting: MachineTurn) -> bool:
        """Return True if the table has not just failed, and the limit of its host is not reached."""
        if self._failing.is_resting(waiting.table):
            return False
        thoughts = self._thoughts.values()
        return sum(thought.host == waiting.host and not thought.is_ripe() for thought in thoughts) < _MOST_AT_ONCE

    def _forget_all_but(self, turns: Sequence[MachineTurn]) -> None:
        """Drop pending moves for lines that are not the last of their tables any more."""
        due = {waiting.table: (waiting.number, waiting.undone) for waiting in turns}
        thoughts = self._thoughts.items()
        for table in [table for table, thought in thoughts if due.get(table) != (thought.number, thought.undone)]:
            _forget(self._thoughts.pop(table))

    def _attempt(self, waiting: Turn, act: Callable[[Turn], bool]) -> bool:
        """Act at a table. A table that fails is left alone for a while, so that it can't stop the others."""
        try:
            return act(waiting)
        except StorageFailure:
            raise
        except Exception as error:  # noqa: BLE001 (one table that cannot be played must not stop the others)
            self._failing.failed(waiting.table, error, f"A turn at a table of {waiting.game}")
            return False

    def _begin(self, waiting: MachineTurn) -> bool:
        """Let the computer player think; return False if somebody else was quicker."""
        now = self._service.tables.view(waiting.table)
        try:
            seat_view, luck = turn_inputs.think(now, waiting.seat)
        except NotYourTurn:
            return False
        if not seat_view.moves:
            return False
        answer = None
        if len(seat_view.moves) > 1:
            task = turn_task(game_named(waiting.game), seat_view.view, luck, waiting.player)
            answer = self._ask(choose, task, Asker(waiting.origin, waiting.host))
            answer.add_done_callback(lambda _: self.wake())
        news: News = "a move"
        if now.log.begins_round:
            news = "a round"
        elif answer is None and turn_inputs.is_plainly_forced(now):
            news = "a forced move"
        undone = now.info.undone
        self._thoughts[waiting.table] = _PendingMove(
            waiting.host, seat_view.number, undone, seat_view.moves, luck, answer, news
        )
        return True

    def _is_due(self, waiting: MachineTurn) -> bool:
        """Return True if the move was chosen, and the pause is over."""
        thought = self._thoughts.get(waiting.table)
        if self._stop.is_set() or thought is None or not thought.is_ripe():
            return False
        remaining = self._pause(waiting, thought.news) - waiting.waited
        if remaining > 0:
            self._next = min(self._next, remaining)
        return remaining <= 0

    def _play(self, waiting: MachineTurn) -> bool:
        """Play the move; return False if somebody else was quicker."""
        thought = self._thoughts.pop(waiting.table)
        move = _move(waiting, thought)
        try:
            self._service.moves.play_machine(waiting.table, waiting.seat, thought.number, move, thought.undone)
        except (Conflict, NotYourTurn, NotNow):  # NotNow: the people have ended the game meanwhile
            return False
        self._failing.succeeded(waiting.table)
        return True


def _move(waiting: MachineTurn, thought: _PendingMove) -> Any:
    """Return the move that the computer player chose.

    If it failed, return a random move, as the others can't wait for ever.
    """
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


def _run_guarded(task_name: str, do: Callable[[], object]) -> None:
    """Log any error but StorageFailure, so that one part of a round can't stop the others.

    The error's message is not logged: it can quote what is hidden from players.
    """
    try:
        do()
    except StorageFailure:
        raise
    except Exception as error:  # noqa: BLE001 (as above)
        _LOG.error("%s failed: %s", task_name, safe_traceback(error))
