"""Hints at tables for practice: what the judge thinks of the moves of whoever is to move, by what that seat sees.

A hint is for the one seat and the one line it was asked for. That it was given is told to all at the table, and kept;
what it says is kept in memory only, for it can be thought again at any time.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Final

import msgspec

from kontor.game import AnyGame, Refusal
from kontor.games import game_named
from kontor.players import Appraisal
from kontor.table.errors import NoHint
from kontor.table.house import House
from kontor.table.machines import Ask
from kontor.thinking import NoAnswer
from kontor.thinking.thoughts import appraisal_of, appraise, turn

_LOG = logging.getLogger(__name__)

_MOST: Final = 1000
"""Hints in memory; the oldest make room."""

Key = tuple[str, int, int]
"""A table, a seat, and the number of the last line that it had seen."""


@dataclass(eq=False)
class Hint:
    """What was asked about the decision after the line ``number``. ``found`` is there once it has been thought;
    ``failed`` says that it will not be, unless somebody asks again. ``answer`` is the same for those who wait."""

    number: int
    found: Appraisal | None = None
    failed: bool = False
    answer: Future[Appraisal] = field(default_factory=Future)


class Hints:
    """The hints of a house. Safe to use from any thread."""

    def __init__(self, house: House, ask: Ask) -> None:
        """``ask`` is ``Thinkers.submit``."""
        self._house = house
        self._ask = ask
        self._kept: OrderedDict[Key, Hint] = OrderedDict()
        self._lock = Lock()

    def of(self, table: str, seat: int, number: int) -> Hint | None:
        """What the seat has asked about its decision after a line, if it has."""
        return self._kept.get((table, seat, number))

    def ask(self, table: str, seat: int) -> Hint:
        """A hint for the seat, which is to move; asked twice, it is the same. Raises NotAllowed where there are no
        hints, NotYourTurn, NotNow, StoodIn."""
        seen, luck, game = self._house.practise(table, seat)
        key = table, seat, seen.number
        with self._lock:
            known = self._kept.get(key)
            if known is not None and not known.failed:
                return known
            hint = self._kept[key] = Hint(seen.number)
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        thought = self._ask(appraise, turn(game_named(game), seen.view, luck))
        thought.add_done_callback(partial(self._settle, key, hint, game_named(game)))
        return hint

    def _settle(self, key: Key, hint: Hint, game: AnyGame, thought: Future[bytes]) -> None:
        """What was thought is shown, and that it was; or it is said that nothing was thought."""
        try:
            # Whoever looks after it was told to all shall find it.
            hint.found = found = appraisal_of(game, thought.result())
            self._house.hinted(*key)
        except Refusal as moved_on:
            self._fail(key, hint, moved_on)
        except (NoAnswer, CancelledError, msgspec.DecodeError) as failed:
            why = failed if isinstance(failed, NoAnswer) else type(failed).__name__
            _LOG.error("The judge of %s failed: %s", game.name, why)
            self._fail(key, hint, NoHint("", "No hint could be found. Try again."))
        else:
            hint.answer.set_result(found)

    def _fail(self, key: Key, hint: Hint, why: Refusal) -> None:
        hint.found, hint.failed = None, True
        hint.answer.set_exception(why)
        self._house.stir(key[0])
