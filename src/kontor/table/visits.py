"""Who looks at a table: so that nobody is away who comes now and then, and computer players do not play for nobody.

Where a person plays, computer players move until it is that person's turn. Among themselves they wait while nobody
has looked at the table for some minutes: who has a stream of it open looks all the time. It is noted in the database,
for another process may play for them. No rule of a game depends on it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy import BindParameter, bindparam, select, update

from kontor.lru_cache import LruCache
from kontor.table.changes import Change
from kontor.table.errors import StorageFailure
from kontor.table.outbox import VISIBLE_FOR, note_look
from kontor.table.rows import SeatRow, is_machine, seat_rows
from kontor.table.schema import pairings, seats, tables
from kontor.table.table_snapshots import TableSnapshot
from kontor.table.transactions import Transactions

_MINUTE: Final = 60 * 1000
_HOUR: Final = 60 * _MINUTE

UNWATCHED: Final = 5 * _MINUTE
"""For how many milliseconds computer players go on among themselves after somebody has looked."""

_MOST_LOOKS: Final = 4096
_AT_ONCE: Final = 500
"""Tables in a statement."""


class Visits:
    """Who has looked at which table. Where it cannot be written one can look all the same, and nobody else sees
    anything new by it.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._noted: dict[str, int] = {}
        """Tables that somebody has looked at within the last minute, and when that was noted."""
        self._looks: LruCache[tuple[str, str], int] = LruCache(_MOST_LOOKS, 0, lambda _: False)
        """At which tables a person was noted to have looked, and how often the table had been changed then."""

    def note(self, snapshot: TableSnapshot, person: str | None) -> None:
        """The person, or somebody without a name, looks at the table."""
        if person is not None and _is_to_be_noted(snapshot, person, self._transactions.now()):
            self._note_person(snapshot.row.id, person)
        if _plays_alone(snapshot):
            self._note([snapshot.row.id])
        if person is not None and self.is_notified(person):
            self._note_look(snapshot, person)

    def note_watched(self) -> None:
        """Those who have a stream open look at this moment."""
        cache = self._transactions.cache
        seen = {table: cache.in_memory(table) for table in self._transactions.watched()}
        self._note([table for table, snapshot in seen.items() if snapshot is None or _plays_alone(snapshot)])

    def is_notified(self, person: str) -> bool:
        """Whether the person has a way by which they are notified, so that it matters what they see."""
        hearers = self._transactions.hearers
        known = hearers.knows(person)
        return self._transactions.ask(lambda db: hearers.has(db, person)) if known is None else known

    def note_visible(self, table: str, person: str, visible: bool) -> None:
        """The person has the page of the table before their eyes, or no more: until then, or until nothing is heard
        of it for a while, they need not be told what happens there.
        """
        with suppress(StorageFailure), self._transactions.changing() as change:
            until = change.now + VISIBLE_FOR if visible else 0
            note_look(change.db, table, person, {"at": change.now, "visible": until})

    def _note_look(self, snapshot: TableSnapshot, person: str) -> None:
        """Of whoever is notified of turns: what they have seen is no news. Once for each state of a table."""
        look = (snapshot.row.id, person)
        if self._looks.get(look) == snapshot.row.changes or person not in {seat.person for seat in snapshot.seats}:
            return
        with suppress(StorageFailure), self._transactions.changing() as change:
            note_look(change.db, snapshot.row.id, person, {"at": change.now})
        self._looks.keep(look, snapshot.row.changes)

    def _note_person(self, table: str, person: str) -> None:
        with suppress(StorageFailure), self._transactions.changing() as change:
            change.take(table)
            here = (seats.c.table_id == table) & (seats.c.person == person)
            change.db.execute(update(seats).where(here).values(visited=change.now))

    def _note(self, looked_at: Sequence[str]) -> None:
        """Once a minute for each."""
        now = self._transactions.now()
        lately = {table: at for table, at in self._noted.items() if 0 <= now - at < _MINUTE}
        new = [table for table in looked_at if table not in lately]
        self._noted = lately | dict.fromkeys(new, now)
        for first in range(0, len(new), _AT_ONCE):
            with suppress(StorageFailure), self._transactions.changing() as change:
                _note_tables(change, new[first : first + _AT_ONCE])


def _note_tables(change: Change, looked_at: Collection[str]) -> None:
    # Who is just changing one of them goes first: nobody waits for anybody here.
    here = select(tables.c.id).where(tables.c.id.in_(looked_at), _PLAYS_ALONE)
    free = here.with_for_update(key_share=True, skip_locked=True)
    change.db.execute(update(tables).where(tables.c.id.in_(free)).values(visited=change.now))


_PLAYS_ALONE: Final = (tables.c.status == "playing") & tables.c.visited.is_not(None)


def _plays_alone(snapshot: TableSnapshot) -> bool:
    return snapshot.row.status == "playing" and are_alone(snapshot.seats)


def are_alone(sitting: Sequence[SeatRow]) -> bool:
    """Whether computer players move for all seats."""
    return all(map(is_machine, sitting))


_PAIRED: Final = select(pairings.c.tournament).where(pairings.c.table_id == bindparam("table")).limit(1)


def note_seating(change: Change, table: str) -> None:
    """Somebody is stood in for, or has come back: from now on computer players are alone there, or no longer. In a
    tournament they go on all the same, for others wait for the next round.
    """
    alone = are_alone(seat_rows(change.db, table)) and change.db.scalar(_PAIRED, {"table": table}) is None
    visited = change.now if alone else None
    change.db.execute(update(tables).where(tables.c.id == table).values(visited=visited))


LAST_LOOK: Final[BindParameter[int]] = bindparam("last_look")
GOES_ON: Final = tables.c.visited.is_(None) | (tables.c.visited > LAST_LOOK)
"""Whether computer players move at a table where it is their turn: a person plays there, or somebody has looked since
``last_look``."""


def _is_to_be_noted(snapshot: TableSnapshot, person: str, now: int) -> bool:
    """Whether the person, who looks at the table, was not seen there within the hour, and it matters."""
    if snapshot.row.status != "playing" or snapshot.row.pace != "none":
        return False
    mine = [seat for seat in snapshot.seats if seat.person == person]
    return any(seat.visited is None or not 0 <= now - seat.visited < _HOUR for seat in mine)
