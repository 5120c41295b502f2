"""Days of holiday, counted in their own years."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from kontor.holidays.days import Span, day_of, end_of, latest_day, taken_days
from kontor.storage.stored_times import milliseconds_of

_FIRST = milliseconds_of(datetime(2026, 1, 1, tzinfo=UTC))
_HOUR = 3_600_000
Hours = st.integers(0, 2 * 365 * 24)


def span(begin: str, end: str) -> Span:
    return Span(*(milliseconds_of(datetime.fromisoformat(text).replace(tzinfo=UTC)) for text in (begin, end)))


def test_each_day_counts_whole_and_once() -> None:
    two_on_a_day = [span("2026-05-01T08:00", "2026-05-01T09:00"), span("2026-05-01T23:00", "2026-05-03T00:00")]
    assert taken_days(two_on_a_day) == {date(2026, 5, 1), date(2026, 5, 2)}
    assert taken_days([Span(_FIRST, _FIRST)]) == {date(2026, 1, 1)}


def test_over_the_end_of_a_year_days_count_in_their_own() -> None:
    begins = milliseconds_of(datetime(2026, 12, 20, 15, 0, tzinfo=UTC))
    assert latest_day([], begins, 30) == date(2027, 1, 30)
    assert latest_day([span("2026-02-01T00:00", "2026-02-20T00:00")], begins, 30) == date(2026, 12, 30)
    assert latest_day([], begins, 0) == date(2026, 12, 19)
    assert latest_day([], begins, 366) == date(2027, 12, 31)


@given(st.lists(st.tuples(Hours, st.integers(0, 500)), max_size=5), Hours, st.integers(0, 40))
def test_no_year_has_more_days_than_it_may(others: list[tuple[int, int]], begin: int, days: int) -> None:
    spans = [Span(_FIRST + at * _HOUR, _FIRST + (at + length) * _HOUR) for at, length in others]
    begins = _FIRST + begin * _HOUR
    taken, last = taken_days(spans), latest_day(spans, begins, days)
    first = day_of(begins)

    def new_days(until: date) -> set[date]:
        return set() if until < first else set(taken_days([Span(begins, end_of(until))])) - taken

    for year in {day.year for day in new_days(last)}:
        assert sum(day.year == year for day in taken | new_days(last)) <= days
    following = last + timedelta(days=1)
    used = sum(day.year == following.year for day in taken | new_days(following))
    assert used > days or following.year > first.year + 1
