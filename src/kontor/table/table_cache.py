"""The tables that were last looked at, kept in memory: a bounded number of them, and few whose game is over.

There is one rule: what is kept is the table as long as the database's row has its ``changes`` and its ``since``.
Every transaction that changes anything of a table counts up the first (``Change.take``), whoever makes it; so one
small question tells whether what is in memory is still so. The time of the last move is asked for besides: a database
that was replaced by an older copy of itself, as when another server takes over for one that died, counts again what
it has counted before, and may have lost lines that were acknowledged.

A process that alone can change the database notes how far it has counted, so of what it has changed itself it need
not ask. A note is made by whoever was the last to change the table, and only when that is on the disk; without one
the database is asked.
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
from kontor.table import game_states, table_snapshots
from kontor.table.game_states import GameState
from kontor.table.rows import TableRow, rematch_of, table_row, version_of
from kontor.table.table_snapshots import TableSnapshot

Reading = Callable[[], AbstractContextManager[Connection]]

_MOST: Final = 2048
"""Of how many tables."""

_MOST_OVER: Final = 64
"""Of how many where the game is over."""


@dataclass(frozen=True, slots=True)
class _CachedTable:
    """A table, and how its game stood when anybody last asked for that. The log only grows: what is older is brought
    on by the lines that came since.
    """

    snapshot: TableSnapshot
    game_state: GameState | None

    def is_now(self, db: Connection) -> bool:
        """The one rule."""
        row = self.snapshot.row
        return (row.changes, row.since) == version_of(db, row.id)


@dataclass(frozen=True, slots=True)
class _Note:
    """Which transaction was the last to change a table, and how far it has counted once that is on the disk."""

    mark: object
    changes: int | None = None


class TableCache:
    """What is given is what the transaction sees in which it is asked for."""

    def __init__(self, most: int = _MOST, over: int = _MOST_OVER) -> None:
        self._kept: LruCache[str, _CachedTable] = LruCache(most, over, _is_over, _is_newer)
        self._notes: LruCache[str, _Note] = LruCache(most, 0, lambda _: False)
        self._noting = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    # ------------------------------------------------------------------------------------------------ the table

    def snapshot(self, db: Connection, table: str) -> TableSnapshot:
        """How the table looks. Raises NoTable."""
        kept = self._kept.get(table)
        if kept is not None and kept.is_now(db):
            return _with_rematch(db, kept.snapshot)
        snapshot = table_snapshots.read(db, table_row(db, table))
        self.keep(snapshot, None if kept is None else kept.game_state)
        return snapshot

    def asked_for(self, db: Connection, table: str) -> TableSnapshot | None:
        """The same by one question; None if that is not enough. Raises NoTable."""
        kept = self._kept.get(table)
        return kept.snapshot if kept is not None and not _is_over(kept) and kept.is_now(db) else None

    def begin_change(self, table: str, mark: object) -> None:
        """Within a transaction: it changes the table, and is known by its mark."""
        with self._noting:
            self._notes.keep(table, _Note(mark))

    def note(self, table: str, changes: int, mark: object) -> None:
        """What the transaction with that mark has counted is on the disk."""
        with self._noting:
            note = self._notes.get(table)
            if note is not None and note.mark is mark:
                self._notes.keep(table, _Note(mark, changes))

    def noted(self, table: str) -> TableSnapshot | None:
        """As ``asked_for``, without a question; None if the database has to be asked."""
        kept, note = self._kept.get(table), self._notes.get(table)
        if kept is None or note is None or _is_over(kept) or note.changes != kept.snapshot.row.changes:
            return None
        return kept.snapshot

    def in_memory(self, table: str) -> TableSnapshot | None:
        """How the table looked when it was last looked at here."""
        kept = self._kept.get(table)
        return None if kept is None else kept.snapshot

    def of_taken(self, db: Connection, row: TableRow) -> tuple[TableSnapshot, GameState]:
        """A table that was taken, and of which nothing but the count of its changes is another yet. Raises
        Unreadable.
        """
        kept = self._kept.get(row.id)
        if kept is not None and kept.snapshot.row == replace(row, changes=row.changes - 1):
            snapshot = replace(kept.snapshot, row=row)
        else:
            snapshot = table_snapshots.read(db, row)
        if kept is not None and kept.snapshot.row.changes >= row.changes:
            self._kept.forget(row.id)  # nothing is newer than what was taken
        return snapshot, _stands(db, snapshot, kept)

    # ------------------------------------------------------------------------------------------------- its game

    def game_state(self, reading: Reading, snapshot: TableSnapshot) -> GameState:
        """How the game stands at the moment of a snapshot, which may be past; it has begun. Raises Unreadable."""
        kept = self._kept.get(snapshot.row.id)
        known = None if kept is None or kept.game_state is None else kept.game_state.at_row(snapshot.row)
        if known is not None:
            return known
        with reading() as db:
            game_state = _stands(db, snapshot, kept)
        self.keep(snapshot, game_state)
        return game_state

    def keep(self, snapshot: TableSnapshot, game_state: GameState | None) -> None:
        """For later; an older moment never takes the place of a newer one. Only what is on the disk is kept."""
        self._kept.keep(snapshot.row.id, _CachedTable(snapshot, game_state))


def _stands(db: Connection, snapshot: TableSnapshot, kept: _CachedTable | None) -> GameState:
    row, known = snapshot.row, None if kept is None else kept.game_state
    brought_on = None if known is None else known.at_row(row) or game_states.brought_on(db, row, known)
    return brought_on or game_states.load(db, row, snapshot.seats)


def _is_over(kept: _CachedTable) -> bool:
    return kept.snapshot.row.status == "over"


def _is_newer(kept: _CachedTable, new: _CachedTable) -> bool:
    return _age(kept) <= _age(new)


def _age(table: _CachedTable) -> tuple[int, int]:
    """The greater, the newer."""
    return table.snapshot.row.changes, 0 if table.game_state is None else table.game_state.number


def _with_rematch(db: Connection, snapshot: TableSnapshot) -> TableSnapshot:
    """The table of a rematch goes when all have left it, which changes nothing of the one before."""
    if snapshot.row.status != "over":
        return snapshot
    rematch = rematch_of(db, snapshot.row.id)
    return snapshot if rematch == snapshot.rematch else replace(snapshot, rematch=rematch)
