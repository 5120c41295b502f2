"""Stored times as they are compared with the present.

A clock that was ahead leaves times in the database that are still to come. They count for nothing: whoever compares a
stored time with the present asks here first, or gives a query the same bounds.
"""

from __future__ import annotations

from typing import Final

from kontor.work.incidents import note_incident

SLACK: Final = 2 * 60 * 1000
"""Milliseconds by which the clocks of two machines may differ."""


def past_time(time: int | None, now: int) -> int:
    """Return when something happened; 0 if it never did, or if a clock that was ahead has noted it."""
    if time is None:
        return 0
    if time > now + SLACK:
        _note_ahead()
        return 0
    return time


def is_to_come(time: int, now: int, most: int) -> bool:
    """Return True if a time is still to come, unless it is more than ``most`` milliseconds away: then a clock that
    was ahead has noted it.
    """
    if time > now + most + SLACK:
        _note_ahead()
        return False
    return time > now


def _note_ahead() -> None:
    note_incident("time from the future", "A time in the database lies in the future and is ignored")
