"""Times on pages: in the reader's own time zone if their browser has told it, else in UTC until scripts tell it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Final, Literal
from zoneinfo import ZoneInfo, available_timezones

from markupsafe import Markup

from kontor.words import Words, mark

_WEEK: Final = timedelta(days=6)
"""The time for which the name of a weekday tells which day is meant."""

_HOUR: Final = 60
_DAY: Final = 24 * _HOUR
"""Minutes."""

_Unit = Literal["minutes", "hours", "days"]

_WEEKDAYS: Final = (mark("Mon"), mark("Tue"), mark("Wed"), mark("Thu"), mark("Fri"), mark("Sat"), mark("Sun"))


@cache
def _zone_names() -> frozenset[str]:
    return frozenset(available_timezones())


def zone_named(name: str) -> tzinfo | None:
    """Return the time zone of a name in the IANA database; None if there is none."""
    return ZoneInfo(name) if name in _zone_names() else None


def time_text(words: Words, time: datetime) -> str:
    """Return a day and the time of day, in the reader's time zone; in UTC if that is unknown."""
    local = time.astimezone(words.zone or UTC)
    text = f"{words.day(local.date())} {local:%H:%M}"
    return text if words.zone else words.say("{time} UTC", time=text)


def moment(words: Words, time: datetime) -> Markup:
    """Return a time; one in UTC is shown in the reader's own time zone by scripts."""
    utc = time.astimezone(UTC).isoformat(timespec="seconds")
    text = time_text(words, time)
    if words.zone:
        return Markup('<time datetime="{}">{}</time>').format(utc, text)
    return Markup('<time datetime="{}" data-moment>{}</time>').format(utc, text)


def until_text(words: Words, deadline: datetime, since: datetime | None) -> str:
    """Return until when somebody has time who has had it ``since`` a time."""
    if words.zone is None or since is None or deadline - since > _WEEK:
        return words.say("until {time}", time=time_text(words, deadline))
    local = deadline.astimezone(words.zone)
    day = words.say(_WEEKDAYS[local.weekday()])
    return words.say("until {time}", time=words.say("{weekday} {time}", weekday=day, time=f"{local:%H:%M}"))


def since_text(words: Words, seconds: float) -> str:
    """Return for how long something has been so, in the largest unit of which there are two."""
    match _in_largest_unit(round(seconds / 60)):
        case 0, _:
            return words.say("just now")
        case count, "minutes":
            return words.count("for one minute", "for {n} minutes", count)
        case count, "hours":
            return words.count("for one hour", "for {n} hours", count)
        case count, _:
            return words.count("for one day", "for {n} days", count)


def left_text(words: Words, seconds: float) -> str:
    """Return how much time is left, in the largest unit of which there are two."""
    match _in_largest_unit(int(seconds / 60)):
        case 0, _:
            return words.say("less than a minute left")
        case count, "minutes":
            return words.count("one minute left", "{n} minutes left", count)
        case count, "hours":
            return words.count("one hour left", "{n} hours left", count)
        case count, _:
            return words.count("one day left", "{n} days left", count)


def _in_largest_unit(minutes: int) -> tuple[int, _Unit]:
    """Return a time in the largest unit of which there are two; a past one is 0."""
    if minutes < 2 * _HOUR:
        return max(0, minutes), "minutes"
    return (minutes // _HOUR, "hours") if minutes < 2 * _DAY else (minutes // _DAY, "days")
