"""Routes of holidays: the forms on one's own page."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from litestar import Response, post

from kontor.errors import BadText
from kontor.holidays.site import TheHolidaysSite
from kontor.web.http.faults import refused_on_your_page, require_person_id
from kontor.web.http.sessions import TheForm, TheVisitor
from kontor.web.http.site import in_acting_thread, redirect

_PART: Final = "holidays"
"""The part of one's own page."""

_HERE: Final = f"/you?open={_PART}#{_PART}"


@post("/you/holiday")
@in_acting_thread
@refused_on_your_page(_PART)
def begin(site: TheHolidaysSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """Begin a holiday, or change its last day."""
    person = require_person_id(visitor)
    site.spend("name", visitor)
    site.holidays.begin(person, _day(form.get("until", "")), site.holiday_days)
    return redirect(_HERE)


@post("/you/holiday/end")
@in_acting_thread
@refused_on_your_page(_PART)
def end(site: TheHolidaysSite, visitor: TheVisitor, form: TheForm) -> Response[Any]:
    """End the present holiday."""
    person = require_person_id(visitor)
    site.spend("name", visitor)
    site.holidays.end(person)
    return redirect(_HERE)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise BadText("", "Choose the last day of your holiday.") from error


ROUTES = (begin, end)
