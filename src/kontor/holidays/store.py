"""Holidays of people: begun, changed and ended, in the database and at their tables."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from kontor.errors import BadText, NotAllowed, NotNow
from kontor.holidays.days import Span, day_of, end_of, latest_day, taken_days
from kontor.holidays.values import Holiday, HolidayInfo
from kontor.people.person_rows import take_person
from kontor.storage.schema import holidays
from kontor.storage.stored_times import datetime_of
from kontor.tables.holiday_clocks import begin_holiday, end_holiday
from kontor.tables.transactions import TableChange, TableTransactions

USUAL_DAYS: Final = 30
"""Days of holiday a year, where the operator has not set another number."""


class Holidays:
    """Holidays of people."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def of(self, person: str, days: int) -> HolidayInfo:
        """Return the state of the person's holidays."""
        now = self._transactions.now()
        with self._transactions.reading() as db:
            spans = _spans(db, person)
        current = _current(spans, now)
        others = tuple([span for span in spans if span != current])
        today = day_of(now)
        return HolidayInfo(
            today=today,
            last_day=day_of(current.ends - 1) if current else None,
            left=max(0, days - sum(day.year == today.year for day in taken_days(spans))),
            latest=latest_day(others, current.begins if current else now, days),
        )

    def begin(self, person: str, last_day: date, days: int) -> None:
        """Begin a holiday now, or change the last day of the present one. Raises NotAllowed, BadText, NotNow."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            now = change.now
            if not days:
                raise NotAllowed("", "On this server there are no holidays.")
            if last_day < day_of(now):
                raise BadText("", "The last day of a holiday cannot be in the past.")
            spans = _spans(change.db, person)
            current = _current(spans, now)
            begins = current.begins if current else now
            others = [span for span in spans if span != current]
            latest = latest_day(others, begins, days)
            if last_day > latest:
                year = (latest + timedelta(days=1)).year
                raise NotNow("", "You do not have that many days of holiday left in {year}.", year=year)
            ends = end_of(last_day)  # the calendar's very last day has none, but it is later than the latest
            change.db.execute(delete(holidays).where(_is_row(person, begins)))
            change.db.execute(insert(holidays).values(person=person, begins=begins, ends=ends))
            begin_holiday(change, person, ends)

    def end(self, person: str) -> None:
        """End the present holiday; the day counts. Raises NotNow if there is none."""
        with self._transactions.changing() as change:
            take_person(change.db, person)
            if not _end_current(change, person):
                raise NotNow("", "You are not on holiday.")


def holidays_of(db: Connection, person: str) -> tuple[Holiday, ...]:
    """Return all holidays of a person, for their own data."""
    return tuple([Holiday(datetime_of(span.begins), datetime_of(span.ends)) for span in _spans(db, person)])


def end_for_merge(change: TableChange, other: str) -> None:
    """End the present holiday of a person who becomes another, while the seats still are theirs."""
    _end_current(change, other)


def merge(change: TableChange, person: str, other: str) -> None:
    """Give the other's holidays to the person, whose present one then counts at the other's tables, too."""
    own_spans = {span.begins: span for span in _spans(change.db, person)}
    for span in _spans(change.db, other):
        same = own_spans.get(span.begins)
        if same is not None:
            change.db.execute(delete(holidays).where(_is_row(other, span.begins)))
            longer = update(holidays).where(_is_row(person, span.begins))
            change.db.execute(longer.values(ends=max(span.ends, same.ends)))
    change.db.execute(update(holidays).where(holidays.c.person == other).values(person=person))
    current = _current(_spans(change.db, person), change.now)
    if current is not None:
        begin_holiday(change, person, current.ends)


def _end_current(change: TableChange, person: str) -> bool:
    current = _current(_spans(change.db, person), change.now)
    if current is None:
        return False
    change.db.execute(update(holidays).where(_is_row(person, current.begins)).values(ends=change.now))
    end_holiday(change, person)
    return True


def _is_row(person: str, begins: int) -> ColumnElement[bool]:
    return (holidays.c.person == person) & (holidays.c.begins == begins)


def _spans(db: Connection, person: str) -> tuple[Span, ...]:
    query = select(holidays.c.begins, holidays.c.ends).where(holidays.c.person == person).order_by(holidays.c.begins)
    return tuple([Span(*row) for row in db.execute(query)])


def _current(spans: tuple[Span, ...], now: int) -> Span | None:
    return next((span for span in spans if span.begins <= now < span.ends), None)
