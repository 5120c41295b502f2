"""Tables in play, and the seats that a person still plays there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import update

from kontor.errors import NotAllowed, NotNow
from kontor.storage.schema import seats
from kontor.tables.absence import is_played_by_person
from kontor.tables.rows import SeatRow, TableRow, seat_rows
from kontor.tables.transactions import TableChange


def take_playing(change: TableChange, table: str) -> tuple[TableRow, tuple[SeatRow, ...]]:
    """Take the table; return its row and its seats. Raises NotNow unless it is being played."""
    row = change.take(table)
    if row.status == "waiting":
        raise NotNow("", "The game has not begun yet.")
    if row.status == "over":
        raise NotNow("", "The game is over.")
    return row, seat_rows(change.db, table)


def own_seats_of(sitting: Sequence[SeatRow], person: str) -> list[SeatRow]:
    """Return the seats that the person still plays. Raises NotAllowed if there are none."""
    own_seats = [seat for seat in sitting if is_played_by_person(seat) and seat.person == person]
    if not own_seats:
        raise NotAllowed("", "Only the players at this table can do this.")
    return own_seats


def own_seat_of(own_seats: Sequence[SeatRow], seat: int) -> SeatRow:
    """Return the one of these seats that has the number. Raises NotAllowed if there is none."""
    own_seat = next((sitting for sitting in own_seats if sitting.seat == seat), None)
    if own_seat is None:
        raise NotAllowed("", "This is not your seat.")
    return own_seat


def update_seats(change: TableChange, table: str, sitting: Sequence[SeatRow], **values: Any) -> None:
    """Write the same values to several seats."""
    places = [seat.seat for seat in sitting]
    change.db.execute(update(seats).where(seats.c.table_id == table, seats.c.seat.in_(places)).values(**values))
