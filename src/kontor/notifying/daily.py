"""Times of the daily summaries: at an hour of a person's own time zone, also when its clock changes."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

USUAL_HOUR: Final = 18
HOURS: Final = range(24)

_REGIONS: Final = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def zones() -> tuple[str, ...]:
    """Return the names of the time zones that can be chosen, from this machine's copy of the IANA database."""
    places = sorted(zone for zone in available_timezones() if zone.partition("/")[0] in _REGIONS)
    return ("UTC", *places)


def next_time(now: int, hour: int, zone: str) -> int:
    """Return the next time after ``now`` (both in milliseconds since 1970) that it is that hour in the zone.

    The hour comes once on each day that the zone has. An hour that comes twice counts once, the first time. For an
    hour that a day leaves out see :func:`_time_on`.
    """
    time_zone = _zone(zone)
    day = datetime.fromtimestamp(now / 1000, time_zone).date()
    while (at := _time_on(day, hour, time_zone)) is None or at <= now:
        day += timedelta(days=1)
    return at


def day_of(at: int, zone: str) -> date:
    """Return the day of a time in the zone."""
    return datetime.fromtimestamp(at / 1000, _zone(zone)).date()


def time_on(day: date, hour: int, zone: str) -> int | None:
    """Return when the hour comes on a day in the zone, in milliseconds; None if the zone lacks the day."""
    return _time_on(day, hour, _zone(zone))


def _time_on(day: date, hour: int, time_zone: tzinfo) -> int | None:
    """Return when the hour comes on that day, in milliseconds.

    If the clock skips the hour, return a time as much later. If that would be the next day (Nuuk, in the night of the
    change), return a time as much earlier. Return None for a day that the zone leaves out (Apia, 2011-12-30).
    """
    for fold in (0, 1):
        at = datetime(day.year, day.month, day.day, hour, fold=fold, tzinfo=time_zone).timestamp()
        if datetime.fromtimestamp(at, time_zone).date() == day:
            return int(at * 1000)
    return None


def _zone(name: str) -> tzinfo:
    """Return the time zone, or UTC if the machine does not know it, or not any longer."""
    try:
        return ZoneInfo(name) if name in zones() else UTC
    except ZoneInfoNotFoundError:
        return UTC
