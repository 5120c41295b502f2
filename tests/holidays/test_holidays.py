"""Holidays of people at their tables, and how many they have. The clock of these servers is set by hand."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, update

from folders import with_database
from guests import ME, OPEN, Clock, query, shanghaien
from kontor.errors import BadText, NotAllowed, NotNow
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import seats, tables
from kontor.tables.advance import begin
from kontor.tables.values import Pace
from tables.test_clocks import DAY, LIVE, Two, run
from timeouts import waited_for
from tournaments.test_tournaments import of_pairs, start_tournament, tables_now

TODAY = date(2026, 3, 1)  # that of Clock
MIDNIGHT = datetime(2026, 3, 11, tzinfo=UTC)
"""The end of a holiday until the tenth."""

WAITING = "SELECT 1 FROM pg_locks WHERE NOT granted"
on_postgresql = pytest.mark.parametrize(
    "place", [pytest.param("postgresql", marks=pytest.mark.postgresql)], indirect=True
)
"""Mark of tests of what happens only where several write at once."""


def go(two: Two, last_day: date = date(2026, 3, 10), days: int = 30) -> None:
    """Let the mover go on holiday."""
    two.service.holidays.begin(two.mover, last_day, days)


def holiday_notices(two: Two) -> list[str]:
    lines = two.service.tables.view(two.table).chat_lines()
    return [line.kind for line in lines if line.kind in ("holiday", "is back")]


def test_on_holiday_the_clock_stands_still_and_then_goes_on(service: KontorServer, clock: Clock) -> None:
    two = Two(service, DAY, stand_in="at once")
    clock.tick(hours=20)
    service.upkeep.apply_deadlines()
    left = timedelta(hours=4)
    deadline = service.tables.info(two.table).deadline
    assert deadline is not None
    slack = deadline - clock.time - left
    go(two)
    info = service.tables.info(two.table, two.other)
    assert (info.deadline, info.late, info.resumes) == (None, None, MIDNIGHT)
    assert info.seats[two.seat].holiday == MIDNIGHT
    assert info.seats[1 - two.seat].holiday is None
    line = service.tables.view(two.table).chat_lines()[-1]
    assert (line.kind, line.text) == ("holiday", "2026-03-10")
    clock.time = MIDNIGHT - timedelta(seconds=1)
    service.upkeep.apply_deadlines()
    assert service.tables.info(two.table).deadline is None
    clock.tick(seconds=3)
    service.upkeep.apply_deadlines()
    info = service.tables.info(two.table)
    assert info.deadline == clock.time + left + slack
    assert info.seats[two.seat].holiday is None
    assert not two.stood_in


def test_a_holiday_can_be_ended_early_and_the_day_counts(service: KontorServer, clock: Clock) -> None:
    two = Two(service, DAY)
    deadline = service.tables.info(two.table).deadline
    assert deadline is not None
    go(two)
    clock.tick(hours=40)
    service.holidays.end(two.mover)
    info = service.tables.info(two.table)
    assert info.deadline == deadline + timedelta(hours=40)
    assert service.tables.view(two.table).chat_lines()[-1].kind == "is back"
    state = service.holidays.of(two.mover, 30)
    assert (state.left, state.last_day) == (27, None)
    with pytest.raises(NotNow):
        service.holidays.end(two.mover)


@pytest.mark.parametrize("paused", [False, True], ids=["in play", "in a pause"])
def test_a_holiday_does_not_stop_a_clock_that_has_run_out(service: KontorServer, clock: Clock, paused: bool) -> None:
    two = Two(service, DAY)
    clock.tick(days=1, seconds=1)
    if paused:
        service.early_endings.propose(two.table, two.seat, two.mover, "pause")
        service.early_endings.agree(two.table, two.other, "pause")
    go(two)
    if paused:
        service.pauses.end(two.table, two.mover)
    info = service.tables.info(two.table)
    assert (info.late, info.resumes, info.seats[two.seat].holiday) == (two.seat, None, MIDNIGHT)
    two.stand_in()
    assert two.stood_in
    service.clocks.come_back(two.table, two.seat, two.mover)
    assert service.tables.info(two.table).resumes == MIDNIGHT, "their next turn has time again"


def test_more_time_rescues_a_late_person_on_holiday(service: KontorServer, clock: Clock) -> None:
    two = Two(service, DAY)
    clock.tick(days=3)
    go(two)
    service.clocks.give_time(two.table, two.seat, two.other)
    assert service.tables.info(two.table).resumes == MIDNIGHT
    service.holidays.end(two.mover)
    assert service.tables.info(two.table).deadline == clock.time + timedelta(days=1)


def test_a_turn_that_comes_during_the_holiday_waits_for_its_end(service: KontorServer, clock: Clock) -> None:
    two = Two(service, DAY)
    service.holidays.begin(two.other, date(2026, 3, 10), 30)
    assert service.tables.info(two.table).deadline is not None, "the mover is not on holiday"
    while service.tables.info(two.table).mover == two.seat:
        seen = service.tables.view(two.table).look(two.seat)
        service.moves.play(two.table, two.seat, seen.number, seen.moves[0])
    info = service.tables.info(two.table)
    assert (info.deadline, info.resumes) == (None, MIDNIGHT)
    clock.time = MIDNIGHT + timedelta(seconds=1)
    service.upkeep.apply_deadlines()
    assert service.tables.info(two.table).deadline == clock.time + timedelta(days=1)


def test_a_person_on_holiday_may_move_all_the_same(service: KontorServer, clock: Clock) -> None:
    two = Two(service, DAY)
    go(two)
    assert service.tables.info(two.table, two.mover).my_turn
    clock.tick(days=5)
    two.roll()
    assert service.tables.info(two.table).seats[two.seat].reserve is None


def test_live_tables_go_on_and_tables_without_a_clock_are_not_claimed(service: KontorServer, clock: Clock) -> None:
    live, free = Two(service), Two(service, Pace())
    service.holidays.begin(live.mover, date(2026, 3, 10), 30)
    assert service.tables.info(live.table).deadline is not None
    assert service.tables.info(live.table).seats[live.seat].holiday is None
    service.holidays.begin(free.mover, date(2026, 3, 10), 30)
    clock.tick(days=9)
    assert service.tables.info(free.table).claimable is None
    clock.tick(days=8)
    service.upkeep.apply_deadlines()
    assert service.tables.info(free.table).claimable is None
    clock.tick(days=7)
    assert service.tables.info(free.table).claimable == free.seat


def test_a_holiday_counts_at_tables_that_begin_meanwhile(service: KontorServer) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    service.holidays.begin(anna, date(2026, 3, 10), 30)
    service.holidays.begin(bernd, date(2026, 3, 10), 30)
    table = service.opening.open(anna, shanghaien(ME, OPEN, pace=DAY))
    service.opening.sit(table, 1, bernd)
    assert service.tables.info(table).deadline is None
    live = service.opening.open(anna, shanghaien(ME, OPEN, pace=LIVE))
    service.opening.sit(live, 1, bernd)
    assert service.tables.info(live).deadline is not None


def test_a_holiday_is_not_announced_twice_for_the_same_day(service: KontorServer) -> None:
    two = Two(service, DAY)
    for day in (10, 10, 12):
        go(two, date(2026, 3, day))
    assert holiday_notices(two) == ["holiday", "holiday"]


@on_postgresql
def test_a_holiday_counts_where_the_game_begins_in_the_same_instant(service: KontorServer, place: Place) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    table = service.opening.open(anna, shanghaien(ME, OPEN, pace=DAY))
    with ThreadPoolExecutor(1) as pool:
        with service._transactions.changing() as change:
            change.take(table)
            change.db.execute(update(seats).where(seats.c.table_id == table, seats.c.seat == 1).values(person=bernd))
            begin(change, table)
            leaving = pool.submit(service.holidays.begin, anna, date(2026, 3, 10), 30)
            waited_for(lambda: leaving.done() or query(place, WAITING))
        leaving.result()
    info = service.tables.info(table)
    assert (info.status, info.seats[0].holiday) == ("playing", MIDNIGHT)
    assert (info.deadline is None) == (info.mover == 0)


@on_postgresql
def test_a_table_that_is_closed_in_the_instant_of_a_holiday_is_passed_over(
    service: KontorServer, place: Place
) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, OPEN, pace=DAY))
    with ThreadPoolExecutor(1) as pool:
        with service._transactions.changing() as change:
            change.db.execute(delete(tables).where(tables.c.id == table))
            leaving = pool.submit(service.holidays.begin, anna, date(2026, 3, 10), 30)
            waited_for(lambda: leaving.done() or query(place, WAITING))
        leaving.result()
    assert service.holidays.of(anna, 30).last_day == date(2026, 3, 10)


@pytest.mark.parametrize("breaks", [False, True])
def test_in_tournaments_the_organiser_decides(service: KontorServer, breaks: bool) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(pace=DAY, rounds=1, breaks=breaks))
    view = service.tournaments.view(tournament)
    assert view.info.breaks == breaks
    (table,) = tables_now(view)
    mover = service.tables.info(table).mover
    assert mover is not None
    for person in persons:
        service.holidays.begin(person, date(2026, 3, 10), 30)
    assert (service.tables.info(table).deadline is None) == breaks
    assert service.tables.info(table).breaks == breaks
    own, other = sorted(persons, key=lambda person: service.tables.seats_of(table, person).mine != (mover,))
    if breaks:
        service.clocks.give_time(table, mover, other)
        service.early_endings.propose(table, mover, own, "pause")
        return
    with pytest.raises(NotAllowed, match="tournament"):
        service.clocks.give_time(table, mover, other)
    with pytest.raises(NotAllowed, match="tournament"):
        service.early_endings.propose(table, mover, own, "pause")


def test_a_pause_in_a_holiday_and_a_holiday_in_a_pause(service: KontorServer, clock: Clock) -> None:
    two = Two(service, DAY)
    clock.tick(hours=1)
    go(two)
    service.early_endings.propose(two.table, two.seat, two.mover, "pause")
    service.early_endings.agree(two.table, two.other, "pause")
    clock.tick(days=1)
    service.holidays.end(two.mover)
    assert service.tables.info(two.table).paused
    go(two)
    clock.tick(days=1)
    service.pauses.end(two.table, two.mover)
    assert service.tables.info(two.table).deadline is None, "still on holiday"
    service.holidays.end(two.mover)
    assert service.tables.info(two.table).deadline == clock.time + timedelta(hours=23)


def test_nobody_has_more_days_than_the_operator_gives(service: KontorServer, clock: Clock) -> None:
    anna = service.people.guest("Anna")[0].id
    assert service.holidays.of(anna, 5).latest == date(2026, 3, 5)
    with pytest.raises(NotNow, match="left in 2026"):
        service.holidays.begin(anna, date(2026, 3, 6), 5)
    with pytest.raises(NotNow, match="left in 2026"):
        service.holidays.begin(anna, date.max, 5)
    with pytest.raises(BadText, match="past"):
        service.holidays.begin(anna, date(2026, 2, 28), 5)
    with pytest.raises(NotAllowed, match="no holidays"):
        service.holidays.begin(anna, TODAY, 0)
    service.holidays.begin(anna, date(2026, 3, 3), 5)
    service.holidays.begin(anna, date(2026, 3, 5), 5)  # longer
    assert service.holidays.of(anna, 5).left == 0
    service.holidays.begin(anna, date(2026, 3, 2), 5)  # shorter
    assert service.holidays.of(anna, 5).left == 3
    clock.tick(days=2)
    assert service.holidays.of(anna, 5).last_day is None


def test_over_the_end_of_the_year_days_count_in_their_own_year(service: KontorServer, clock: Clock) -> None:
    anna = service.people.guest("Anna")[0].id
    clock.time = datetime(2026, 12, 27, 9, tzinfo=UTC)
    with pytest.raises(NotNow, match="left in 2027"):
        service.holidays.begin(anna, date(2027, 1, 6), 5)
    service.holidays.begin(anna, date(2027, 1, 5), 5)
    assert service.holidays.of(anna, 5).left == 0
    clock.time = datetime(2027, 1, 1, 9, tzinfo=UTC)
    assert service.holidays.of(anna, 5).last_day == date(2027, 1, 5)
    service.holidays.end(anna)
    assert service.holidays.of(anna, 5).left == 4


def test_holidays_are_in_ones_own_data_and_go_with_the_person(service: KontorServer) -> None:
    two = Two(service, DAY)
    go(two)
    holiday = service.export.of(two.mover).holidays[0]
    assert holiday.ends == MIDNIGHT
    assert service.export.of(two.other).holidays == ()
    name = service.tables.info(two.table).seats[two.seat].name
    service.leaving.leave(two.mover, name)
    with service._transactions.reading() as db:
        assert not db.exec_driver_sql("SELECT * FROM holidays").all()


def test_who_is_merged_while_on_holiday_is_back_at_their_tables(service: KontorServer, clock: Clock) -> None:
    two, anni = Two(service, DAY), service.people.guest("Anni")[0].id
    deadline = service.tables.info(two.table).deadline
    assert deadline is not None
    go(two)
    clock.tick(days=2)
    service.merging.merge(anni, service.recovery.new_code(two.mover))
    info = service.tables.info(two.table, anni)
    assert (info.mine, info.seats[two.seat].holiday) == ((two.seat,), None)
    assert info.deadline == deadline + timedelta(days=2)
    assert service.holidays.of(anni, 30).last_day is None
    assert holiday_notices(two) == ["holiday", "is back"]


@pytest.mark.parametrize("both", [False, True], ids=["one on holiday", "both on holiday"])
def test_the_holiday_of_who_is_kept_counts_at_the_tables_of_the_other(
    service: KontorServer, clock: Clock, both: bool
) -> None:
    own, others = Two(service, DAY), Two(service, DAY)
    deadline = service.tables.info(others.table).deadline
    assert deadline is not None
    go(own)
    if both:
        go(others, date(2026, 3, 20))
    service.merging.merge(own.mover, service.recovery.new_code(others.mover))
    info = service.tables.info(others.table)
    assert (info.deadline, info.resumes, info.seats[others.seat].holiday) == (None, MIDNIGHT, MIDNIGHT)
    assert holiday_notices(others)[-1] == "holiday"
    assert holiday_notices(own) == ["holiday"], "there it was known"
    clock.tick(days=2)
    service.holidays.end(own.mover)
    assert service.tables.info(others.table).deadline == deadline + timedelta(days=2)


def test_people_who_are_merged_keep_the_days_of_both(service: KontorServer, clock: Clock) -> None:
    anna, other = (service.people.guest(name)[0].id for name in ("Anna", "Ann"))
    service.holidays.begin(anna, TODAY, 30)
    service.holidays.begin(other, date(2026, 3, 3), 30)
    clock.tick(days=1)
    code = service.recovery.new_code(other)
    service.merging.merge(anna, code)
    state = service.holidays.of(anna, 30)
    assert (state.left, state.last_day) == (28, None)


Events = st.lists(
    st.tuples(st.just("closed"), st.integers(1, 50))
    | st.tuples(st.sampled_from(["think", "holiday", "pause"]), st.integers(1, 6)),
    min_size=1,
    max_size=10,
)
"""Events: hours in which the program is closed, or heartbeats while it runs; few, because each takes a while."""


@pytest.mark.long
@settings(deadline=None)
@given(Events)
def test_a_clock_neither_loses_nor_gains_time_by_holidays(events: list[tuple[str, int]]) -> None:
    running = 0
    with TemporaryDirectory() as folder:
        place, clock = with_database(Path(folder)), Clock()
        service = KontorServer.open(place, clock)
        two = Two(service, Pace("slow", 60 * 24 * 3600))
        for event, length in events:
            if event == "closed":
                service.close()
                clock.tick(hours=length)
                two.service = service = KontorServer.open(place, clock)
                continue
            if event == "holiday":
                service.holidays.begin(two.mover, clock.time.date() + timedelta(days=40), 366)
                run(service, clock, length * 10)
                service.holidays.end(two.mover)
            elif event == "pause":
                service.early_endings.propose(two.table, two.seat, two.mover, "pause")
                service.early_endings.agree(two.table, two.other, "pause")
                run(service, clock, length * 10)
                service.pauses.end(two.table, two.other)
            else:
                run(service, clock, length * 10)
                running += length * 10
            info = service.tables.info(two.table)
            assert info.deadline == clock.time + timedelta(seconds=60 * 24 * 3600 - running)
        service.close()
