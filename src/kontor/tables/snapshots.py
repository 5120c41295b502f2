"""Snapshots of a table beside its game: its row, its seats, the last of its chat."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, select

from kontor.game import Value
from kontor.people import blocks
from kontor.storage.schema import chat
from kontor.storage.stored_times import datetime_of
from kontor.tables.rows import Rematch, SeatRow, TableRow, no_seat, rematch_of, seat_rows
from kontor.tables.values import ChatLine, ChatRow

_CHAT_IN_MEMORY: Final = 200
"""Number of a table's last chat rows in memory."""

_MOST_TOLD: Final = 500
"""Greatest number of chat rows in one answer."""

_GREATEST: Final = 2**31 - 1
"""Greatest number that a database accepts in a query."""


class TableSnapshot(Value, frozen=True):
    """A table at one moment.

    ``talk`` holds the last chat rows, in order. ``unheard`` holds pairs of persons: the first does not want to hear
    the second, who has spoken.
    """

    row: TableRow
    seats: tuple[SeatRow, ...]
    rematch: Rematch | None
    talk: tuple[ChatRow, ...]
    unheard: frozenset[tuple[str, str]] = frozenset()

    def sitting(self, seat: int) -> SeatRow:
        """Return one seat. Raises NoSeat."""
        if not 0 <= seat < len(self.seats):
            raise no_seat()
        return self.seats[seat]

    def with_seat(self, seat: SeatRow) -> TableSnapshot:
        """Return the snapshot with one seat changed."""
        return replace(self, seats=(*self.seats[: seat.seat], seat, *self.seats[seat.seat + 1 :]))


def read(db: Connection, row: TableRow) -> TableSnapshot:
    """Return the snapshot of the table with this row."""
    return TableSnapshot(
        row, seat_rows(db, row.id), rematch_of(db, row.id), chat_rows(db, row.id), blocks.unheard(db, row.id)
    )


# -------------------------------------------------------------------------------------------------------- chat

_SAID: Final = (
    select(chat.c.number, chat.c.kind, chat.c.seat, chat.c.name, chat.c.text, chat.c.at, chat.c.person)
    .where(chat.c.table_id == bindparam("table"), chat.c.number > bindparam("since"))
    .order_by(chat.c.number.desc())
    .limit(bindparam("limit"))
)


def chat_rows(db: Connection, table: str, since: int = 0, limit: int = _CHAT_IN_MEMORY) -> tuple[ChatRow, ...]:
    """Return the last ``limit`` chat rows after the row ``since``, in order."""
    parameters = {"table": table, "since": max(0, min(since, _GREATEST)), "limit": max(0, min(limit, _MOST_TOLD))}
    rows = db.execute(_SAID, parameters).all()
    return tuple(
        [
            ChatRow(ChatLine(row.number, row.kind, row.seat, row.name, row.text, datetime_of(row.at)), row.person)
            for row in reversed(rows)
        ]
    )


def chat_rows_in_memory(snapshot: TableSnapshot, since: int, limit: int) -> tuple[ChatRow, ...] | None:
    """Return the same from a table snapshot; None if that does not go back far enough."""
    talk, limit = snapshot.talk, max(0, min(limit, _MOST_TOLD))
    after = tuple([row for row in talk if row.line.number > since])
    if limit <= len(after):
        return after[len(after) - limit :]
    return after if len(talk) < _CHAT_IN_MEMORY or talk[0].line.number <= since + 1 else None
