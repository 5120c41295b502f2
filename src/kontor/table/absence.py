"""Who stays away from a table without a clock, so that the others may claim the game; and when they are reminded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kontor.table.rows import SeatRow, TableRow
from kontor.table.stored_times import past_time

_HOUR: Final = 3600 * 1000
AWAY: Final = 7 * 24 * _HOUR
"""Whoever has been to move for so long, and was not seen for so long (in milliseconds), has stayed away."""

REMINDED: Final = AWAY - 2 * 24 * _HOUR
"""Before that they are reminded."""


def plays(seat: SeatRow) -> bool:
    """Whether a person sits there who has not resigned; a computer player may stand in for them."""
    return seat.person is not None and not seat.resigned


def claimable(row: TableRow, sitting: Sequence[SeatRow], now: int) -> int | None:
    """The seat whose person has stayed away, if any. Where there is a clock it says who is late; and where it was
    agreed that nobody stands in for anybody, nobody does."""
    mover = _awaited(row, sitting)
    if mover is None or row.since is None or now - row.since < AWAY:
        return None
    return None if now - past_time(mover.visited, now) < AWAY else mover.seat


def reminded_at(row: TableRow, sitting: Sequence[SeatRow], now: int) -> int | None:
    """When whoever is to move is reminded that the others may claim the game soon; None where they never may."""
    mover = _awaited(row, sitting)
    return None if mover is None or row.since is None else max(row.since, past_time(mover.visited, now)) + REMINDED


def _awaited(row: TableRow, sitting: Sequence[SeatRow]) -> SeatRow | None:
    """Who is to move, where others may claim the game if they stay away."""
    if row.status != "playing" or row.pace != "none" or row.mover is None:
        return None
    if len(sitting) > 2 and row.stand_in == "never":
        return None
    mover = sitting[row.mover]
    return mover if plays(mover) and not mover.stood_in else None
