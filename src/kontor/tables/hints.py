"""Hints at tables for practice: what the judge thinks of the moves of the seat to move, by what that seat sees.

A hint is for the one seat and the one line it was asked for. Everybody at the table is told that it was given. Its
answer is stored until the seat asks again, so that one process can compute it and another can show it.
"""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

import msgspec

from kontor.errors import NoHint
from kontor.game import AnyGame, Refusal
from kontor.plugins import game_named
from kontor.review.advising import Advice, advice_of, advise
from kontor.tables import turn_inputs
from kontor.tables.reading import TableQueries
from kontor.tables.stored_results import StoredHints
from kontor.thinking import NoAnswer
from kontor.thinking.thinkers import Ask, Asker
from kontor.thinking.turn_tasks import turn_task

_LOG = logging.getLogger(__name__)

Key = tuple[str, int, int, int]
"""A table, a seat, the number of the last line that the seat had seen, and how many lines were taken back before."""


@dataclass(eq=False)
class Hint:
    """A hint about the decision after the line ``number``.

    ``advice`` is set once it was computed. ``failed`` means that it will not be, unless somebody asks again.
    ``answer`` is a future of the same, for callers who wait.
    """

    number: int
    advice: Advice | None = None
    failed: bool = False
    answer: Future[Advice] = field(default_factory=Future)


class Hints:
    """The hints of a server. Safe to use from any thread."""

    def __init__(self, tables: TableQueries, stored: StoredHints, ask: Ask) -> None:
        """Create the hints at ``tables``, kept in ``stored``; ``ask`` is ``Thinkers.submit``."""
        self._tables = tables
        self._stored = stored
        self._ask = ask
        self._thinking: dict[Key, Hint] = {}
        self._lock = Lock()

    def of(self, table: str, seat: int, number: int, undone: int) -> Hint | None:
        """Return the hint that the seat has asked for after a line, and after so many were ``undone``, if any."""
        stored = self._load_stored(table, seat, number)
        if stored is not None and stored.advice is not None:
            return stored
        return self._thinking.get((table, seat, number, undone)) or stored

    def ask(self, table: str, seat: int) -> Hint:
        """Return a hint for the seat, which is to move; asked twice, it is the same.

        Raises NotAllowed if the table has no hints, NotYourTurn, NotNow, StoodIn, Conflict.
        """
        now = self._tables.view(table)
        seat_view, luck, game = turn_inputs.practise(now, seat)
        asker = Asker(now.snapshot.row.origin, now.snapshot.row.host)
        key = table, seat, seat_view.number, now.snapshot.row.undone
        stored = self._load_stored(table, seat, seat_view.number)
        if stored is not None and stored.advice is not None:
            stored.answer.set_result(stored.advice)
            return stored
        with self._lock:
            thinking = self._thinking.get(key)
            if thinking is not None:
                return thinking
            hint = self._thinking[key] = Hint(seat_view.number)
        try:
            self._stored.begin(*key)
            thought = self._ask(advise, turn_task(game_named(game), seat_view.view, luck), asker)
        except Refusal as refusal:
            self._forget(key, hint, refusal)
            raise
        thought.add_done_callback(partial(self._settle, key, hint, game_named(game)))
        return hint

    def _load_stored(self, table: str, seat: int, number: int) -> Hint | None:
        """Return the stored hint; None if there is none, or one that only a Kontor with other judges can read."""
        stored = self._stored.get(table, seat, number)
        if stored is None:
            return None
        hint = Hint(stored.number, failed=stored.failed)
        if stored.advice is not None:
            try:
                hint.advice = advice_of(game_named(self._tables.info(table).game), stored.advice)
            except msgspec.DecodeError:
                return None
        return hint

    def _settle(self, key: Key, hint: Hint, game: AnyGame, thought: Future[bytes]) -> None:
        """Store and show the result of thinking, or mark the hint as failed."""
        try:
            data = thought.result()
            advice = advice_of(game, data)
            # One transaction stores the hint and tells everybody, so that no hint is shown of which the others do not
            # know.
            self._stored.give(*key, data)
            hint.advice = advice
        except Refusal as refusal:
            self._fail(key, hint, refusal)
        except (NoAnswer, CancelledError, msgspec.DecodeError) as failed:
            why = failed if isinstance(failed, NoAnswer) else type(failed).__name__
            _LOG.error("The judge of %s failed: %s", game.name, why)
            self._fail(key, hint, NoHint("", "No hint was found. Try again."))
        else:
            self._thinking.pop(key, None)
            hint.answer.set_result(advice)

    def _fail(self, key: Key, hint: Hint, why: Refusal) -> None:
        self._forget(key, hint, why)
        # If the failure can't be written either, those who wait for the hint do so for a minute.
        with suppress(Refusal):
            self._stored.fail(*key)

    def _forget(self, key: Key, hint: Hint, why: Refusal) -> None:
        hint.advice, hint.failed = None, True
        self._thinking.pop(key, None)
        hint.answer.set_exception(why)
