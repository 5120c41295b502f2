"""Parts of a server that the routes of holidays use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.holidays.store import USUAL_DAYS, Holidays
from kontor.holidays.values import HolidayInfo
from kontor.tables.site import TablesSite


@dataclass(frozen=True, kw_only=True)
class HolidaysSite(TablesSite):
    """A server on the web, with its holidays."""

    holidays: Holidays
    holiday_days: int = USUAL_DAYS
    """Days of holiday that each person has a year; 0: there are none."""

    def holidays_of(self, person: str) -> HolidayInfo | None:
        """Return the state of a person's holidays; None where there are none."""
        return self.holidays.of(person, self.holiday_days) if self.holiday_days else None


TheHolidaysSite = NamedDependency[SkipValidation[HolidaysSite]]
