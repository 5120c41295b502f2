"""Holidays of a person, for that person."""

from __future__ import annotations

from datetime import date, datetime

from kontor.game import Value


class Holiday(Value, frozen=True):
    """A holiday, from when to when."""

    begins: datetime
    ends: datetime


class HolidayInfo(Value, frozen=True):
    """The state of a person's holidays. Days are those of universal time."""

    today: date
    last_day: date | None
    """The last day of the present holiday; None if the person is not on holiday."""
    left: int
    """Number of days left this year, those of the present holiday taken off."""
    latest: date
    """The latest day on which a holiday that begins or goes on today can end."""


class NewHoliday(Value, frozen=True, forbid_unknown_fields=True):
    """A holiday that begins now, or the present one with another last day (of universal time)."""

    until: date
