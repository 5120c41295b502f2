"""A table at one moment: all that a page shows of it is consistent, also while the table changes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Protocol

from kontor.errors import NotAllowed, NotNow
from kontor.game import CHANCE
from kontor.lazy_attribute import lazy_attribute
from kontor.storage.stored_times import datetime_of
from kontor.tables import infos, snapshots
from kontor.tables.cache import Reading, TableCache
from kontor.tables.game_states import FIRST, GameState, LogEntry, fold
from kontor.tables.rows import no_seat
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.values import SPOKEN, ChatLine, SeatView, TableInfo, VisibleStep

_LEFT_OUT: Final = (*SPOKEN, "rematch")
"""Kinds of chat rows that are left out for a reader who does not want to hear the person."""


class VisibleLog(Protocol):
    """The steps of a game, as each seat may know them: those of a table, or of a record."""

    def events(self, seat: int | None, since: int = 0, until: int | None = None) -> tuple[VisibleStep, ...]:
        """Return the steps after the line ``since``, up to and with ``until``, as a seat may know them."""


class GameLog:
    """The log of a table at one moment, with the state after each line; for the server alone.

    Usually it is in memory. Lines that are not are read when needed; they are the same later, since a log only grows.
    """

    def __init__(self, snapshot: TableSnapshot, cache: TableCache, reading: Reading) -> None:
        self._snapshot = snapshot
        self._cache = cache
        self.reading = reading
        self._visible_steps: dict[int | None, tuple[VisibleStep, ...]] = {}
        self._views: dict[tuple[int, int | None], Any] = {}

    @lazy_attribute
    def game_state(self) -> GameState:
        """Return the game state. Raises NotNow, Unreadable."""
        if self._snapshot.row.status == "waiting":
            raise NotNow("", "The game has not begun yet.")
        return self._cache.game_state(self.reading, self._snapshot)

    @lazy_attribute
    def entries(self) -> tuple[LogEntry, ...]:
        """Return all lines, with the states they led to."""
        with self.reading() as db:
            return tuple(fold(db, self._snapshot.row, self._snapshot.seats))

    def visible_steps(self, seat: int | None) -> tuple[VisibleStep, ...]:
        """Return all lines as a seat may know them."""
        if seat not in self._visible_steps:
            in_memory = self.game_state.tail[0].number == FIRST
            self._visible_steps[seat] = self.visible_steps_of(
                self.game_state.tail if in_memory else self.entries, seat
            )
        return self._visible_steps[seat]

    def visible_steps_of(self, lines: Sequence[LogEntry], seat: int | None) -> tuple[VisibleStep, ...]:
        """Return all lines but the first, each with the seat's views before and after."""
        visible = []
        for before, after in pairwise(lines):
            assert after.step
            event = self.game_state.game.event(before.state, after.step.action, after.state, seat)
            visible.append(
                VisibleStep(
                    after.number,
                    datetime_of(after.at),
                    event,
                    self.view_after(before, seat),
                    self.view_after(after, seat),
                )
            )
        return tuple(visible)

    @lazy_attribute
    def begins_round(self) -> bool:
        """Return True if the last move ended a round; later outcomes of chance do not count as moves."""
        tail = self.game_state.tail
        for after, before in pairwise(reversed(tail)):
            if after.step is not None and after.step.seat != CHANCE:
                return bool(self.view_after(before, None).round != self.view_after(tail[-1], None).round)
        return False

    def view_after(self, line: LogEntry, seat: int | None) -> Any:
        """Return the seat's view after a line."""
        key = line.number, seat
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self.game_state.game.view(line.state, seat)
        return view


class TableView:
    """A table at one moment, for one person or for a reader without a person."""

    def __init__(self, snapshot: TableSnapshot, person: str | None, now: int, log: GameLog) -> None:
        """Make a view; callers use ``TableQueries.view``.

        ``now`` is in milliseconds; ``snapshot`` and ``log`` are for the server alone.
        """
        self.snapshot = snapshot
        self.person = person
        self._now = now
        self.log = log

    def for_person(self, person: str | None) -> TableView:
        """Return the same moment for another person; nothing computed for one is reused for the other."""
        return TableView(self.snapshot, person, self._now, self.log)

    @lazy_attribute
    def info(self) -> TableInfo:
        """Return the table from outside."""
        return infos.info(self.snapshot, self.person, self._now)

    @property
    def left(self) -> float | None:
        """Return the mover's remaining seconds, 0 or negative if they are late; None without a clock."""
        deadline = self.snapshot.row.deadline
        return None if deadline is None else (deadline - self._now) / 1000

    def chat_lines(self, since: int = 0, limit: int = 200) -> tuple[ChatLine, ...]:
        """Return the last chat rows after the row ``since``, at most 500.

        Chat of people whom the person does not want to hear is left out, and so are their offers of a rematch.
        """
        rows = snapshots.chat_rows_in_memory(self.snapshot, since, limit)
        if rows is None:
            with self.log.reading() as db:
                rows = snapshots.chat_rows(db, self.snapshot.row.id, since, limit)
        unheard = {speaker for reader, speaker in self.snapshot.unheard if reader == self.person}
        return tuple(
            [
                row.line
                for row in rows
                if row.line.number <= self.last_chat_number
                and not (row.line.kind in _LEFT_OUT and row.person in unheard)
            ]
        )

    @property
    def last_chat_number(self) -> int:
        """Return the number of the last chat row, also if it is left out for the person."""
        return self.snapshot.talk[-1].line.number if self.snapshot.talk else 0

    def look(self, seat: int | None) -> SeatView:
        """Return what a seat sees and may do; None is a spectator.

        Raises NotNow before the start, NotAllowed, NoSeat, Unreadable.
        """
        self._check_may_look(seat)
        game_state = self.log.game_state
        state = game_state.state
        row = self.snapshot.row
        acts = seat is not None and seat == state.mover and row.status == "playing" and not row.paused
        moves: Sequence[Any] = game_state.game.moves(state) if acts else ()
        return SeatView(game_state.number, self.log.view_after(game_state.tail[-1], seat), moves)

    def events(self, seat: int | None, since: int = 0, until: int | None = None) -> tuple[VisibleStep, ...]:
        """Return the lines after ``since``, up to and with ``until``, as a seat may know them.

        Raises what ``look`` raises.
        """
        self._check_may_look(seat)
        game_state = self.log.game_state
        since = max(since, FIRST)
        until = game_state.number if until is None else min(until, game_state.number)
        if since >= until:
            return ()
        if since == FIRST and until == game_state.number:
            return self.log.visible_steps(seat)
        lines = game_state.tail if game_state.tail[0].number <= since else self.log.entries
        first = lines[0].number
        return self.log.visible_steps_of(lines[since - first : until + 1 - first], seat)

    def _check_may_look(self, seat: int | None) -> None:
        if self.snapshot.row.status == "waiting":
            raise NotNow("", "The game has not begun yet.")
        if seat is None:
            if not self.snapshot.row.watch:
                raise NotAllowed("", "Only people seated at this table can see the game.")
        elif not 0 <= seat < len(self.snapshot.seats):
            raise no_seat()
