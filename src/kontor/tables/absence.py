"""Rules for people who stay away from a table without a clock: when others may claim the game, and the reminder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kontor.storage.stored_times import past_time
from kontor.tables.rows import SeatRow, TableRow

_HOUR: Final = 3600 * 1000
AWAY: Final = 7 * 24 * _HOUR
"""A person who has been to move and was not seen for this long (in milliseconds) has stayed away."""

REMINDED: Final = AWAY - 2 * 24 * _HOUR
"""Time (in milliseconds) after which the person is reminded, two days before the others may claim the game."""


def is_played_by_person(seat: SeatRow) -> bool:
    """Return True if a person sits there who has not resigned; a computer player may stand in for them."""
    return seat.person is not None and not seat.resigned


def claimable_seat(row: TableRow, sitting: Sequence[SeatRow], now: int) -> int | None:
    """Return the seat whose person has stayed away, if any.

    A clock decides by itself who is late. At tables where nobody may stand in, nobody may claim the game if there are
    more than two seats.
    """
    mover = _awaited_seat(row, sitting)
    if mover is None or row.since is None or now - row.since < AWAY:
        return None
    return None if now - past_time(mover.visited, now) < AWAY else mover.seat


def reminder_time(row: TableRow, sitting: Sequence[SeatRow], now: int) -> int | None:
    """Return when the person to move is reminded that others may soon claim the game; None if they never may."""
    mover = _awaited_seat(row, sitting)
    return None if mover is None or row.since is None else max(row.since, past_time(mover.visited, now)) + REMINDED


def _awaited_seat(row: TableRow, sitting: Sequence[SeatRow]) -> SeatRow | None:
    """Return the seat to move if others may claim the game once its person stays away."""
    if row.status != "playing" or row.pace != "none" or row.mover is None or row.stopped is not None:
        return None
    if len(sitting) > 2 and row.stand_in == "never":
        return None
    mover = sitting[row.mover]
    return mover if is_played_by_person(mover) and not mover.stood_in else None
