"""Hints at tables for practice: what the judge thinks of the moves of whoever is to move, by what that seat sees.

A hint is for the one seat and the one line it was asked for. That it was given is told to all at the table, and what
it says is kept until the seat asks again: so it can be asked for at one process and shown by another.
"""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

import msgspec

from kontor.game import AnyGame, Refusal
from kontor.plugins import game_named
from kontor.review.advising import Advice, advice_of, advise
from kontor.table import playing
from kontor.table.errors import NoHint
from kontor.table.machines import Ask
from kontor.table.service import TableService
from kontor.thinking import NoAnswer
from kontor.thinking.thinkers import Asker
from kontor.thinking.turn_tasks import turn_task

_LOG = logging.getLogger(__name__)

Key = tuple[str, int, int]
"""A table, a seat, and the number of the last line that it had seen."""


@dataclass(eq=False)
class Hint:
    """What was asked about the decision after the line ``number``. ``found`` is there once it has been thought;
    ``failed`` says that it will not be, unless somebody asks again. ``answer`` is the same for those who wait."""

    number: int
    found: Advice | None = None
    failed: bool = False
    answer: Future[Advice] = field(default_factory=Future)


class Hints:
    """The hints of a server. Safe to use from any thread."""

    def __init__(self, service: TableService, ask: Ask) -> None:
        """``ask`` is ``Thinkers.submit``."""
        self._service = service
        self._ask = ask
        self._thinking: dict[Key, Hint] = {}
        self._lock = Lock()

    def of(self, table: str, seat: int, number: int) -> Hint | None:
        """What the seat has asked about its decision after a line, if it has."""
        kept = self._kept(table, seat, number)
        if kept is not None and kept.found is not None:
            return kept
        return self._thinking.get((table, seat, number)) or kept

    def ask(self, table: str, seat: int) -> Hint:
        """A hint for the seat, which is to move; asked twice, it is the same. Raises NotAllowed where there are no
        hints, NotYourTurn, NotNow, StoodIn, Conflict."""
        now = self._service.table_view(table)
        seen, luck, game = playing.practise(now, seat)
        asker = Asker(now.snapshot.row.origin, now.snapshot.row.host)
        key = table, seat, seen.number
        known = self._kept(*key)
        if known is not None and known.found is not None:
            known.answer.set_result(known.found)
            return known
        with self._lock:
            thinking = self._thinking.get(key)
            if thinking is not None:
                return thinking
            hint = self._thinking[key] = Hint(seen.number)
        try:
            self._service.hints.begin(*key)
            thought = self._ask(advise, turn_task(game_named(game), seen.view, luck), asker)
        except Refusal as refusal:
            self._forget(key, hint, refusal)
            raise
        thought.add_done_callback(partial(self._settle, key, hint, game_named(game)))
        return hint

    def _kept(self, table: str, seat: int, number: int) -> Hint | None:
        """What the server remembers. What a Kontor of other judges has written may not be read: then nobody asked."""
        kept = self._service.hints.get(table, seat, number)
        if kept is None:
            return None
        hint = Hint(kept.number, failed=kept.failed)
        if kept.found is not None:
            try:
                hint.found = advice_of(game_named(self._service.info(table).game), kept.found)
            except msgspec.DecodeError:
                return None
        return hint

    def _settle(self, key: Key, hint: Hint, game: AnyGame, thought: Future[bytes]) -> None:
        """What was thought is shown, and that it was; or it is said that nothing was thought."""
        try:
            data = thought.result()
            found = advice_of(game, data)
            # In one transaction it is kept and told to all: nobody is shown a hint of which the others know nothing.
            self._service.hints.give(*key, data)
            hint.found = found
        except Refusal as moved_on:
            self._fail(key, hint, moved_on)
        except (NoAnswer, CancelledError, msgspec.DecodeError) as failed:
            why = failed if isinstance(failed, NoAnswer) else type(failed).__name__
            _LOG.error("The judge of %s failed: %s", game.name, why)
            self._fail(key, hint, NoHint("", "No hint was found. Try again."))
        else:
            self._thinking.pop(key, None)
            hint.answer.set_result(found)

    def _fail(self, key: Key, hint: Hint, why: Refusal) -> None:
        self._forget(key, hint, why)
        # Where that cannot be written either, others wait for it for a minute.
        with suppress(Refusal):
            self._service.hints.fail(*key)

    def _forget(self, key: Key, hint: Hint, why: Refusal) -> None:
        hint.found, hint.failed = None, True
        self._thinking.pop(key, None)
        hint.answer.set_exception(why)
