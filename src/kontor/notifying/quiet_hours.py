"""Hours of a person's own time zone in which nothing is sent to them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from kontor.game import Value
from kontor.notifying import daily

_MINUTE: Final = 60 * 1000

AHEAD: Final = 5 * _MINUTE
"""Milliseconds before quiet hours at which a reminder is sent that would fall in them."""


class QuietSpan(Value, frozen=True):
    """Quiet hours of one night, from ``start`` until before ``end`` (in milliseconds since 1970)."""

    start: int
    end: int


def quiet_span(at: int, first: int, last: int, zone: str) -> QuietSpan | None:
    """Return the quiet hours in which a time falls; None if it falls in none.

    They begin at the hour ``first`` and end at the hour ``last`` of the zone; if both are the same, there are none.
    Nor are there any in a night in which both fall together, because its clock skips the hour between.
    """
    if first == last:
        return None
    day = daily.day_of(at, zone)
    for date in (day - timedelta(days=1), day):
        start = daily.time_on(date, first, zone)
        if start is not None and start <= at:
            end = daily.time_on(date if first < last else date + timedelta(days=1), last, zone)
            if end is None:  # a day that the zone leaves out
                end = daily.next_time(start, last, zone)
            if at < end:
                return QuietSpan(start, end)
    return None


def time_before_quiet(at: int, now: int, first: int, last: int, zone: str) -> int:
    """Return when a reminder is sent that is due at a time: before quiet hours in which it falls.

    If these have begun, it keeps its time: it is sent after them.
    """
    span = quiet_span(at, first, last, zone)
    return at if span is None or now >= span.start else span.start - AHEAD
