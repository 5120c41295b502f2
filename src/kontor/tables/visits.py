"""Visits to tables, so that regular visitors do not count as away, and computer players do not play for nobody.

Where a person plays, computer players move until it is that person's turn. Among themselves they wait when nobody has
looked at the table for some minutes; a person with an open stream of it looks all the time. Visits are recorded in
the database, for another process may play for the computer players. No rule of a game depends on them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy import BindParameter, bindparam, select, update

from kontor.lru_cache import LruCache
from kontor.storage.errors import StorageFailure
from kontor.storage.schema import pairings, seats, tables
from kontor.tables.looks import VISIBLE_FOR, note_look
from kontor.tables.rows import SeatRow, is_machine, seat_rows
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.transactions import TableChange, TableTransactions

_MINUTE: Final = 60 * 1000
_HOUR: Final = 60 * _MINUTE

UNWATCHED: Final = 5 * _MINUTE
"""Milliseconds for which computer players go on among themselves after a visit."""

_MOST_LOOKS: Final = 4096
_AT_ONCE: Final = 500
"""Number of tables in a statement."""


class Visits:
    """Visits of people to tables.

    Where the database cannot be written people can look all the same, and nobody else sees any change by it.
    """

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions
        self._noted_at: dict[str, int] = {}
        """Times when visits to tables within the last minute were recorded."""
        self._looks: LruCache[tuple[str, str], int] = LruCache(_MOST_LOOKS, 0, lambda _: False)
        """The table's change counter at the last recorded look, by table and person."""

    def note(self, snapshot: TableSnapshot, person: str | None) -> None:
        """Record that the person, or somebody without a name, looks at the table."""
        if person is not None and _is_to_be_noted(snapshot, person, self._transactions.now()):
            self._note_person(snapshot.row.id, person)
        if _plays_alone(snapshot):
            self._note([snapshot.row.id])
        if person is not None and self.is_notified(person):
            self._note_look(snapshot, person)

    def note_watched(self) -> None:
        """Record that everybody with an open stream looks at this moment."""
        cache = self._transactions.cache
        snapshots = {table: cache.get_cached(table) for table in self._transactions.watched()}
        self._note([table for table, snapshot in snapshots.items() if snapshot is None or _plays_alone(snapshot)])

    def is_notified(self, person: str) -> bool:
        """Return True if the person has a notification channel, so that it matters what they see."""
        notifiable = self._transactions.notifiable
        cached = notifiable.knows(person)
        return self._transactions.ask(lambda db: notifiable.has(db, person)) if cached is None else cached

    def note_visible(self, table: str, person: str, visible: bool) -> None:
        """Record whether the page of the table is visible to the person.

        While it is, or until no report comes for a while, they need no notification of what happens there.
        """
        with suppress(StorageFailure), self._transactions.changing() as change:
            until = change.now + VISIBLE_FOR if visible else 0
            note_look(change.db, table, person, {"at": change.now, "visible": until})

    def _note_look(self, snapshot: TableSnapshot, person: str) -> None:
        """Record that a person with a notification channel has seen the table, once for each state of it."""
        look = (snapshot.row.id, person)
        if self._looks.get(look) == snapshot.row.changes or person not in {seat.person for seat in snapshot.seats}:
            return
        with suppress(StorageFailure), self._transactions.changing() as change:
            note_look(change.db, snapshot.row.id, person, {"at": change.now})
        self._looks.keep(look, snapshot.row.changes)

    def _note_person(self, table: str, person: str) -> None:
        with suppress(StorageFailure), self._transactions.changing() as change:
            change.take(table)
            is_seat = (seats.c.table_id == table) & (seats.c.person == person)
            change.db.execute(update(seats).where(is_seat).values(visited=change.now))

    def _note(self, table_ids: Sequence[str]) -> None:
        """Record visits to tables, once a minute for each."""
        now = self._transactions.now()
        lately = {table: at for table, at in self._noted_at.items() if 0 <= now - at < _MINUTE}
        new = [table for table in table_ids if table not in lately]
        self._noted_at = lately | dict.fromkeys(new, now)
        for first in range(0, len(new), _AT_ONCE):
            with suppress(StorageFailure), self._transactions.changing() as change:
                _note_tables(change, new[first : first + _AT_ONCE])


def _note_tables(change: TableChange, table_ids: Collection[str]) -> None:
    # Skip tables that another transaction is changing, so that nobody waits here.
    query = select(tables.c.id).where(tables.c.id.in_(table_ids), _PLAYS_ALONE)
    free = query.with_for_update(key_share=True, skip_locked=True)
    change.db.execute(update(tables).where(tables.c.id.in_(free)).values(visited=change.now))


_PLAYS_ALONE: Final = (tables.c.status == "playing") & tables.c.visited.is_not(None)


def _plays_alone(snapshot: TableSnapshot) -> bool:
    return snapshot.row.status == "playing" and are_alone(snapshot.seats)


def are_alone(sitting: Sequence[SeatRow]) -> bool:
    """Return True if computer players move for all seats."""
    return all(map(is_machine, sitting))


_PAIRED: Final = select(pairings.c.tournament).where(pairings.c.table_id == bindparam("table")).limit(1)


def note_seating(change: TableChange, table: str) -> None:
    """Record whether only computer players move at the table, after a change of who does.

    In a tournament they go on without visits, for others wait for the next round.
    """
    alone = are_alone(seat_rows(change.db, table)) and change.db.scalar(_PAIRED, {"table": table}) is None
    visited = change.now if alone else None
    change.db.execute(update(tables).where(tables.c.id == table).values(visited=visited))


LAST_LOOK: Final[BindParameter[int]] = bindparam("last_look")
GOES_ON: Final = tables.c.visited.is_(None) | (tables.c.visited > LAST_LOOK)
"""Condition for tables at which computer players move on their turn: a person plays there, or somebody has looked at
the table since ``last_look``."""


def _is_to_be_noted(snapshot: TableSnapshot, person: str, now: int) -> bool:
    """Return True if the person's visit matters, and was not recorded within the hour.

    It matters at a table without a clock, where they have a seat.
    """
    if snapshot.row.status != "playing" or snapshot.row.pace != "none":
        return False
    own_seats = [seat for seat in snapshot.seats if seat.person == person]
    return any(seat.visited is None or not 0 <= now - seat.visited < _HOUR for seat in own_seats)
