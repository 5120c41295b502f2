"""Days of holiday: counted whole, in universal time, each in its own year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta

from kontor.game import Value
from kontor.storage.stored_times import datetime_of, milliseconds_of


class Span(Value, frozen=True):
    """A holiday as it is stored, in milliseconds; at ``ends`` it is over."""

    begins: int
    ends: int


def day_of(now: int) -> date:
    """Return the day of a time, in universal time."""
    return datetime_of(now).date()


def end_of(day: date) -> int:
    """Return the time at which a day ends, in milliseconds."""
    return milliseconds_of(datetime.combine(day + timedelta(days=1), time(), UTC))


def taken_days(spans: Iterable[Span]) -> frozenset[date]:
    """Return the days on which holidays fall."""
    return frozenset(day for span in spans for day in _days_of(span))


def _days_of(span: Span) -> Iterator[date]:
    day, last = day_of(span.begins), day_of(max(span.begins, span.ends - 1))
    while day <= last:
        yield day
        day += timedelta(days=1)


def latest_day(others: Iterable[Span], begins: int, days: int) -> date:
    """Return the last day of the longest holiday that can begin beside the others, with ``days`` days a year.

    It is the day before, if none can begin; and at most the last of the next year.
    """
    taken = taken_days(others)
    used = Counter(day.year for day in taken)
    first = day_of(begins)
    last = first - timedelta(days=1)
    while True:
        day = last + timedelta(days=1)
        used[day.year] += day not in taken
        if used[day.year] > days or day.year > first.year + 1:
            return last
        last = day
