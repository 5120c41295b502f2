"""The steps of a record as each seat may know them: the log of a game that no table holds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from kontor.errors import NotAllowed, Unreadable
from kontor.plugins import game_named
from kontor.records import BadRecord, Record, replay
from kontor.tables.values import VisibleStep

_NEVER: Final = datetime(1729, 1, 1, tzinfo=UTC)
"""The time of all steps: a record holds none."""


class RecordLog:
    """The log of a record. A game that is over is open to all; of others only what is public is shown."""

    def __init__(self, record: Record) -> None:
        """Replay the record. Raises Unreadable if this Kontor has other rules."""
        self._game = game_named(record.header.game)
        self._record = record
        try:
            self._states = list(replay(record))
        except BadRecord as bad:
            raise Unreadable("", "This Kontor cannot replay the record: {why}", why=bad) from bad
        self._views: dict[tuple[int, int | None], Any] = {}

    @property
    def last(self) -> int:
        """Return the number of the line of the last step; line 1 is the header."""
        return len(self._record.steps) + 1

    @property
    def is_over(self) -> bool:
        """Return True if the game is over."""
        return self._record.ending is not None

    def events(self, seat: int | None, since: int = 0, until: int | None = None) -> tuple[VisibleStep, ...]:
        """Return the steps after the line ``since``, up to and with ``until``, as a seat may know them.

        Raises NotAllowed for a seat of a game that is not over.
        """
        if seat is not None and not self.is_over:
            raise NotAllowed("", "This game is not over: only what is public is shown.")
        first, last = max(since, 1), self.last if until is None else min(until, self.last)
        return tuple([self._step(number, seat) for number in range(first + 1, last + 1)])

    def _step(self, number: int, seat: int | None) -> VisibleStep:
        """Return the step of a line, of which the first state is on line 1."""
        before, after = self._states[number - 2 : number]
        event = self._game.event(before, self._record.steps[number - 2].action, after, seat)
        return VisibleStep(number, _NEVER, event, self._view(number - 1, seat), self._view(number, seat))

    def _view(self, number: int, seat: int | None) -> Any:
        key = number, seat
        if key not in self._views:
            self._views[key] = self._game.view(self._states[number - 1], seat)
        return self._views[key]
