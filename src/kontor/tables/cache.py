"""The table cache: a bounded number of tables lately looked at, few of them with a finished game.

There is one rule: a cached table is valid as long as the database's row has its ``changes`` and its ``since``. Every
transaction that changes a table increases ``changes`` (``Change.take``), in any process; so one small query checks
whether the cached table is still valid. The time of the last move (``since``) is compared as well: after a failover
the database may be an older copy of itself. That copy counts again what was counted before, and may lack lines that
were acknowledged.

A process that alone can change the database notes the counter of its own last change, so it needs no query. The last
transaction to change the table makes the note, and only when that change is on the disk; without a note the database
is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import Lock
from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection

from kontor.lru_cache import LruCache
from kontor.tables import game_states, snapshots
from kontor.tables.game_states import GameState
from kontor.tables.rows import TableRow, rematch_of, table_row, version_of
from kontor.tables.snapshots import TableSnapshot

Reading = Callable[[], AbstractContextManager[Connection]]

_MOST: Final = 2048
"""Number of tables."""

_MOST_OVER: Final = 64
"""Number of tables with a finished game."""


@dataclass(frozen=True, slots=True)
class _CachedTable:
    """A table, and the game state that was last read.

    The log only grows: an older state is brought up to date with the lines added since.
    """

    snapshot: TableSnapshot
    game_state: GameState | None

    def is_now(self, db: Connection) -> bool:
        """Return True if the database's row has the same ``changes`` and ``since``."""
        row = self.snapshot.row
        return (row.changes, row.since) == version_of(db, row.id)


@dataclass(frozen=True, slots=True)
class _Note:
    """The last transaction to change a table, and the table's counter once that transaction is on the disk."""

    mark: object
    changes: int | None = None


class TableCache:
    """Cached tables; each call returns what the transaction sees in which it is made."""

    def __init__(self, most: int = _MOST, over: int = _MOST_OVER) -> None:
        self._tables: LruCache[str, _CachedTable] = LruCache(most, over, _is_over, _is_newer)
        self._notes: dict[str, _Note] = {}
        """Notes by table, the last change last; as many as ``_most_notes``."""
        self._most_notes = most
        self._noting = Lock()

    def __len__(self) -> int:
        return len(self._tables)

    # ------------------------------------------------------------------------------------------------ the table

    def snapshot(self, db: Connection, table: str) -> TableSnapshot:
        """Return the table's snapshot. Raises NoTable."""
        cached = self._tables.get(table)
        if cached is not None and cached.is_now(db):
            return _with_rematch(db, cached.snapshot)
        snapshot = snapshots.read(db, table_row(db, table))
        self.keep(snapshot, None if cached is None else cached.game_state)
        return snapshot

    def get_validated(self, db: Connection, table: str) -> TableSnapshot | None:
        """Return the cached snapshot if one query shows that it is valid, otherwise None. Raises NoTable."""
        cached = self._tables.get(table)
        return cached.snapshot if cached is not None and not _is_over(cached) and cached.is_now(db) else None

    def begin_change(self, table: str, mark: object) -> None:
        """Record, within a transaction, that the transaction of this mark changes the table."""
        with self._noting:
            self._notes.pop(table, None)
            self._notes[table] = _Note(mark)
            if len(self._notes) > self._most_notes:
                del self._notes[next(iter(self._notes))]

    def note(self, table: str, changes: int, mark: object) -> None:
        """Record that the changes counted by the transaction of this mark are on the disk."""
        with self._noting:
            note = self._notes.get(table)
            if note is not None and note.mark is mark:
                self._notes[table] = _Note(mark, changes)

    def get_noted(self, table: str) -> TableSnapshot | None:
        """Return the cached snapshot, without a query, if a note shows that it is valid; otherwise None."""
        cached, note = self._tables.get(table), self._notes.get(table)
        if cached is None or note is None or _is_over(cached) or note.changes != cached.snapshot.row.changes:
            return None
        return cached.snapshot

    def get_cached(self, table: str) -> TableSnapshot | None:
        """Return the cached snapshot, which may be out of date, or None."""
        cached = self._tables.get(table)
        return None if cached is None else cached.snapshot

    def read_taken(self, db: Connection, row: TableRow) -> tuple[TableSnapshot, GameState]:
        """Return the snapshot and game state of a table that was just taken. Raises Unreadable.

        Nothing of it may have been changed yet but the count of its changes.
        """
        cached = self._tables.get(row.id)
        if cached is not None and cached.snapshot.row == replace(row, changes=row.changes - 1):
            snapshot = replace(cached.snapshot, row=row)
        else:
            snapshot = snapshots.read(db, row)
        if cached is not None and cached.snapshot.row.changes >= row.changes:
            self._tables.forget(row.id)  # a cached table is never newer than one that was taken
        return snapshot, _load_game_state(db, snapshot, cached)

    # ------------------------------------------------------------------------------------------- its game state

    def game_state(self, reading: Reading, snapshot: TableSnapshot) -> GameState:
        """Return the game state at the moment of a snapshot, which may be past. Raises Unreadable.

        The game must have begun.
        """
        cached = self._tables.get(snapshot.row.id)
        cached_state = None if cached is None or cached.game_state is None else cached.game_state.at_row(snapshot.row)
        if cached_state is not None:
            return cached_state
        with reading() as db:
            game_state = _load_game_state(db, snapshot, cached)
        self.keep(snapshot, game_state)
        return game_state

    def keep(self, snapshot: TableSnapshot, game_state: GameState | None) -> None:
        """Cache a snapshot and its game state, unless a newer one is cached. They must be on the disk."""
        self._tables.keep(snapshot.row.id, _CachedTable(snapshot, game_state))


def _load_game_state(db: Connection, snapshot: TableSnapshot, cached: _CachedTable | None) -> GameState:
    row, cached_state = snapshot.row, None if cached is None else cached.game_state
    up_to_date = (
        None
        if cached_state is None
        else cached_state.at_row(row) or game_states.bring_up_to_date(db, row, cached_state)
    )
    return up_to_date or game_states.load(db, row, snapshot.seats)


def _is_over(cached: _CachedTable) -> bool:
    return cached.snapshot.row.status == "over"


def _is_newer(cached: _CachedTable, new: _CachedTable) -> bool:
    return _age(cached) <= _age(new)


def _age(table: _CachedTable) -> tuple[int, int]:
    """Return a key that is greater for newer tables."""
    return table.snapshot.row.changes, 0 if table.game_state is None else table.game_state.number


def _with_rematch(db: Connection, snapshot: TableSnapshot) -> TableSnapshot:
    """Return the snapshot with the current rematch.

    The table of a rematch is deleted when all have left it, which does not change the finished table's row.
    """
    if snapshot.row.status != "over":
        return snapshot
    rematch = rematch_of(db, snapshot.row.id)
    return snapshot if rematch == snapshot.rematch else replace(snapshot, rematch=rematch)
