"""Comparisons of stored times with the present.

A clock that was ahead leaves times in the database that are still to come. They are ignored: before comparing a
stored time with the present, call a function of this module, or give a query the same bounds.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from kontor.work.incidents import note_incident

SLACK: Final = 2 * 60 * 1000
"""Milliseconds by which the clocks of two machines may differ."""


def past_time(time: int | None, now: int) -> int:
    """Return the time; 0 if it is None, or if it lies in the future, written by a clock that was ahead."""
    if time is None:
        return 0
    if time > now + SLACK:
        _note_ahead()
        return 0
    return time


def is_to_come(time: int, now: int, most: int) -> bool:
    """Return True if a time is still to come and at most ``most`` milliseconds away.

    A time further away was written by a clock that was ahead.
    """
    if time > now + most + SLACK:
        _note_ahead()
        return False
    return time > now


def _note_ahead() -> None:
    note_incident("time from the future", "A time in the database lies in the future and is ignored")


def datetime_of(milliseconds: int) -> datetime:
    """Return the time that the database stores as milliseconds."""
    return datetime.fromtimestamp(milliseconds // 1000, UTC).replace(microsecond=milliseconds % 1000 * 1000)


def maybe_datetime(milliseconds: int | None) -> datetime | None:
    """Return the time that the database stores as milliseconds, or None for None."""
    return None if milliseconds is None else datetime_of(milliseconds)


def milliseconds_of(time: datetime) -> int:
    """Return a time as the database stores it, in milliseconds."""
    return round(time.timestamp() * 1000)
