"""What a table shows of itself beside the game: its row, who sits there, the last of its talk.

Every transaction that changes any of it counts up ``tables.changes`` (``Change.take``). So one small question tells
whether what is in memory is still so, whoever else writes to the database. The time of the last move is asked for
besides: a database that was replaced by an older copy of itself, as when another server takes over for one that died,
counts again what it has counted before.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, select

from kontor.game import Value
from kontor.lru_cache import LruCache
from kontor.table.rows import SeatRow, TableRow, datetime_of, no_seat, rematch_of, seat_rows, table_row, version_of
from kontor.table.schema import chat
from kontor.table.values import ChatLine

_MOST: Final = 4096
"""Of how many tables table snapshots are in memory."""

OVER_IN_MEMORY: Final = 64
"""Of how many tables where the game is over."""

_CHAT_IN_MEMORY: Final = 200
"""How many of the last rows of a table's talk."""

_MOST_TOLD: Final = 500
"""Rows of a table's talk at once."""

_GREATEST: Final = 2**31 - 1
"""Number that databases are asked about."""


class TableSnapshot(Value, frozen=True):
    """A table at one moment. ``talk`` is the last of what was said, in its order."""

    row: TableRow
    seats: tuple[SeatRow, ...]
    rematch: str | None
    talk: tuple[ChatLine, ...]

    def sitting(self, seat: int) -> SeatRow:
        """One seat. Raises NoSeat."""
        if not 0 <= seat < len(self.seats):
            raise no_seat()
        return self.seats[seat]

    def with_seat(self, seat: SeatRow) -> TableSnapshot:
        """The same with one seat changed."""
        return replace(self, seats=(*self.seats[: seat.seat], seat, *self.seats[seat.seat + 1 :]))


class TableSnapshots:
    """The tables that were last looked at. What is given is what the transaction sees in which it is asked for."""

    def __init__(self, most: int = _MOST) -> None:
        self._kept: LruCache[str, TableSnapshot] = LruCache(most, OVER_IN_MEMORY, _is_over, _is_newer)

    def __len__(self) -> int:
        return len(self._kept)

    def snapshot(self, db: Connection, table: str) -> TableSnapshot:
        """How the table looks. Raises NoTable."""
        kept = self.in_memory(table)
        if kept is not None and _is_now(db, kept):
            return _with_rematch(db, kept)
        snapshot = _read(db, table_row(db, table))
        self.keep(snapshot)
        return snapshot

    def asked_for(self, db: Connection, table: str) -> TableSnapshot | None:
        """The same by one question; None if that is not enough. Raises NoTable."""
        kept = self.in_memory(table)
        if kept is None or _is_over(kept) or not _is_now(db, kept):
            return None
        return kept

    def of_taken(self, db: Connection, row: TableRow) -> TableSnapshot:
        """How a table looks that was taken, and of which nothing but the count of its changes is another yet."""
        kept = self.in_memory(row.id)
        if kept is not None and kept.row == replace(row, changes=row.changes - 1):
            return replace(kept, row=row)
        return _read(db, row)

    def keep(self, snapshot: TableSnapshot) -> None:
        """For later; an older face never takes the place of a newer one. Only what is on the disk is kept."""
        self._kept.keep(snapshot.row.id, snapshot)

    def in_memory(self, table: str) -> TableSnapshot | None:
        """How the table looked when it was last looked at here."""
        return self._kept.get(table)


def _is_now(db: Connection, snapshot: TableSnapshot) -> bool:
    return (snapshot.row.changes, snapshot.row.since) == version_of(db, snapshot.row.id)


def _is_over(snapshot: TableSnapshot) -> bool:
    return snapshot.row.status == "over"


def _is_newer(kept: TableSnapshot, snapshot: TableSnapshot) -> bool:
    return kept.row.changes <= snapshot.row.changes


def _with_rematch(db: Connection, snapshot: TableSnapshot) -> TableSnapshot:
    """The table of a rematch goes when all have left it, which changes nothing of the one before."""
    if snapshot.row.status != "over":
        return snapshot
    rematch = rematch_of(db, snapshot.row.id)
    return snapshot if rematch == snapshot.rematch else replace(snapshot, rematch=rematch)


def _read(db: Connection, row: TableRow) -> TableSnapshot:
    return TableSnapshot(row, seat_rows(db, row.id), rematch_of(db, row.id), said(db, row.id))


# ---------------------------------------------------------------------------------------------------- the talk

_SAID: Final = (
    select(chat.c.number, chat.c.kind, chat.c.seat, chat.c.name, chat.c.text, chat.c.at)
    .where(chat.c.table_id == bindparam("table"), chat.c.number > bindparam("since"))
    .order_by(chat.c.number.desc())
    .limit(bindparam("limit"))
)


def said(db: Connection, table: str, since: int = 0, limit: int = _CHAT_IN_MEMORY) -> tuple[ChatLine, ...]:
    """The last of what was said after the row ``since``, in its order."""
    asked = {"table": table, "since": max(0, min(since, _GREATEST)), "limit": max(0, min(limit, _MOST_TOLD))}
    rows = db.execute(_SAID, asked).all()
    return tuple(
        [ChatLine(row.number, row.kind, row.seat, row.name, row.text, datetime_of(row.at)) for row in reversed(rows)]
    )


def said_in_memory(snapshot: TableSnapshot, since: int, limit: int) -> tuple[ChatLine, ...] | None:
    """The same out of a table snapshot; None if that does not go back far enough."""
    talk, limit = snapshot.talk, max(0, min(limit, _MOST_TOLD))
    after = tuple([line for line in talk if line.number > since])
    if limit <= len(after):
        return after[len(after) - limit :]
    return after if len(talk) < _CHAT_IN_MEMORY or talk[0].number <= since + 1 else None
