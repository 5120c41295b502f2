"""API routes for holidays, with the same contents as the forms on one's own page."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.params import JSONBody

from kontor.holidays.site import HolidaysSite, TheHolidaysSite
from kontor.holidays.values import HolidayInfo, NewHoliday
from kontor.web.http.faults import NoPage, require_person_id
from kontor.web.http.programs import PLAY, READ, REFUSED, TheProgram, spending
from kontor.web.http.site import in_reading_thread


@get("/api/me/holiday", responses=REFUSED, security=READ)
@in_reading_thread
def my_holidays(site: TheHolidaysSite, program: TheProgram) -> HolidayInfo:
    """Return the state of one's holidays; 404 on a server without them."""
    return _state(site, require_person_id(program))


@post("/api/me/holiday", responses=REFUSED, security=PLAY, status_code=200)
@spending("name")
def begin_holiday(site: TheHolidaysSite, program: TheProgram, data: JSONBody[NewHoliday]) -> HolidayInfo:
    """Begin a holiday now, or change the last day of the present one."""
    person = require_person_id(program)
    site.holidays.begin(person, data.until, site.holiday_days)
    return _state(site, person)


@delete("/api/me/holiday", responses=REFUSED, security=PLAY)
@spending("name")
def end_holiday(site: TheHolidaysSite, program: TheProgram) -> None:
    """End the present holiday; the day counts."""
    site.holidays.end(require_person_id(program))


def _state(site: HolidaysSite, person: str) -> HolidayInfo:
    state = site.holidays_of(person)
    if state is None:
        raise NoPage
    return state


ROUTES = (my_holidays, begin_holiday, end_holiday)
