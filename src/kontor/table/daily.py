"""When a day's summary is due: at an hour of its person's own clock, whatever is done to that clock twice a year."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

USUAL_HOUR: Final = 18
HOURS: Final = range(24)

_REGIONS: Final = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def zones() -> tuple[str, ...]:
    """The time zones that can be chosen, by their names in the IANA's database, as this machine has it."""
    places = sorted(zone for zone in available_timezones() if zone.partition("/")[0] in _REGIONS)
    return ("UTC", *places)


def next_time(now: int, hour: int, zone: str) -> int:
    """The next time after ``now`` (both in milliseconds since 1970) that it is that hour there. An hour that a day
    leaves out comes as much later; one that comes twice counts once, the first time."""
    there = _zone(zone)
    day = datetime.fromtimestamp(now / 1000, there).date()
    while (at := _milliseconds(datetime(day.year, day.month, day.day, hour, tzinfo=there))) <= now:
        day += timedelta(days=1)
    return at


def _milliseconds(local: datetime) -> int:
    return int(local.timestamp() * 1000)


def _zone(name: str) -> tzinfo:
    """UTC where the machine does not know it, or no more."""
    try:
        return ZoneInfo(name) if name in zones() else UTC
    except ZoneInfoNotFoundError:
        return UTC
