"""Presence of people who have the table open: shown to people seated there, by the minute and no finer.

Each process knows by its streams who is there. It writes this when somebody comes, every few minutes while they stay,
and a minute after they went. What a process has written before it died counts for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final

from sqlalchemy import update

from kontor.errors import NoTable
from kontor.storage.errors import StorageFailure
from kontor.storage.schema import seats
from kontor.storage.stored_times import past_time
from kontor.tables.rows import SeatRow
from kontor.tables.transactions import TableChange, TableTransactions

_MINUTE: Final = 60 * 1000

GONE_AFTER: Final = _MINUTE
"""Milliseconds after a page was closed until its person is away: it may be reloading, or have lost its network."""

_WRITTEN_EVERY: Final = 5 * _MINUTE
_BELIEVED_FOR: Final = 2 * _WRITTEN_EVERY + _MINUTE

Present = tuple[str, str]
"""The ids of a table and of a person who sits there."""


def is_here(seat: SeatRow, now: int) -> bool:
    """Return True if the person at the seat has the table open."""
    return seat.here and now - past_time(seat.visited, now) < _BELIEVED_FOR


class Presence:
    """The presence of the people whose streams this process serves."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions
        self._present: Callable[[], Collection[Present]] = tuple
        self._seen: dict[Present, int] = {}
        self._written: dict[Present, int] = {}

    def attend(self, present: Callable[[], Collection[Present]]) -> None:
        """Set the function that returns who has which table open, of those who sit there.

        It may be called from any thread.
        """
        self._present = present

    def note(self) -> None:
        """Write who came and who went. To be called every second or so, always by the same thread."""
        now = self._transactions.now()
        for attendee in self._present():
            self._seen[attendee] = now
            if not 0 <= now - self._written.get(attendee, -_WRITTEN_EVERY) < _WRITTEN_EVERY:
                self._write(attendee, now, here=True)
        for attendee in [attendee for attendee, at in self._seen.items() if not 0 <= now - at < GONE_AFTER]:
            self._write(attendee, self._seen.pop(attendee), here=False)
            self._written.pop(attendee, None)

    def _write(self, attendee: Present, at: int, *, here: bool) -> None:
        self._written[attendee] = at
        with suppress(StorageFailure, NoTable), self._transactions.changing() as change:
            _note_seat(change, *attendee, at, here=here)


def _note_seat(change: TableChange, table: str, person: str, at: int, *, here: bool) -> None:
    """Write the presence of a person, and mark the table as changed for all who look at it."""
    row = change.take(table)
    if row.status == "over":
        return
    own_seats = (seats.c.table_id == table) & (seats.c.person == person)
    change.db.execute(update(seats).where(own_seats).values(visited=at, here=here))
    change.touch(table)
