"""Reminders, summaries and quiet hours as each person chooses them, by a clock that tests set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folders import with_database
from guests import Clock, as_of, query
from kontor.errors import BadText
from kontor.notifying.daily import zones
from kontor.notifying.quiet_hours import AHEAD, quiet_span, time_before_quiet
from kontor.notifying.values import LEADS, Rhythm
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.values import Pace
from notifying.mailbox import Mailbox
from notifying.test_notifications import BASE, Players, in_both, texts

BERLIN: Final = ZoneInfo("Europe/Berlin")
DAY: Final = Pace("slow", 24 * 3600)
TWO_DAYS: Final = Pace("slow", 48 * 3600)
HOUR: Final = 3_600_000


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if getattr(request, "param", "sqlite") == "sqlite":
        return with_database(tmp_path)
    address: str = request.getfixturevalue("database")
    return address


@pytest.fixture
def players(place: Place) -> Iterator[Players]:
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        players = Players(service, clock, mailbox)
        players.confirm_mail(players.anna, "anna@mail.example")
        yield players


def berlin(year: int, month: int, day: int, hour: int) -> datetime:
    """Return an hour in Berlin, of which there is one."""
    return datetime(year, month, day, hour, tzinfo=BERLIN).astimezone(UTC)


def mails_until(players: Players, end: datetime, step: timedelta = timedelta(minutes=5)) -> list[tuple[str, str]]:
    """Let time pass; return when in Berlin which mail came."""
    came = []
    while players.clock.time < end:
        players.clock.time = min(end, players.clock.time + step)
        local = players.clock.time.astimezone(BERLIN)
        came += [(f"{local:%d %H:%M %Z}", str(mail["Subject"])) for mail in players.mails()]
    return came


def start(players: Players, time: datetime, pace: Pace) -> str:
    """Open a table at which it becomes Anna's turn at a time."""
    players.clock.time = time
    table = players.table(pace)
    players.until(table, players.anna)
    return table


@pytest.mark.parametrize("lead", LEADS)
def test_a_reminder_comes_as_many_hours_before_the_end_as_chosen_but_not_in_the_first_half(
    players: Players, lead: int
) -> None:
    players.choose("never", lead=lead)
    begun = berlin(2026, 3, 3, 12)
    start(players, begun, TWO_DAYS)
    (mail,) = mails_until(players, begun + timedelta(days=2))
    due = begun + timedelta(hours=48 - min(lead, 24))
    assert mail == (f"{due.astimezone(BERLIN):%d %H:%M} CET", "Your time is running out: Shanghaien")


@in_both
def test_a_turn_in_quiet_hours_is_told_when_they_end(players: Players) -> None:
    players.choose("once", zone="Europe/Berlin", quiet_from=22, quiet_to=7)
    start(players, berlin(2026, 3, 3, 23), TWO_DAYS)
    assert mails_until(players, berlin(2026, 3, 4, 12)) == [("04 07:00 CET", "Your turn: Shanghaien")]


def test_what_is_no_longer_true_when_quiet_hours_end_is_not_told(players: Players) -> None:
    players.choose("once", zone="Europe/Berlin", quiet_from=22, quiet_to=7)
    table = start(players, berlin(2026, 3, 3, 23), TWO_DAYS)
    assert mails_until(players, berlin(2026, 3, 4, 1)) == []
    players.until(table, players.bernd)
    assert mails_until(players, berlin(2026, 3, 4, 12)) == []


@in_both
def test_a_reminder_that_falls_in_quiet_hours_comes_before_them(players: Players) -> None:
    players.choose("never", zone="Europe/Berlin", lead=6, quiet_from=22, quiet_to=7)
    start(players, berlin(2026, 3, 3, 8), DAY)
    (mail,) = mails_until(players, berlin(2026, 3, 4, 8))
    assert mail == ("03 21:55 CET", "Your time is running out: Shanghaien")


def test_a_reminder_that_falls_in_quiet_hours_just_begun_comes_after_them_if_there_is_time(players: Players) -> None:
    players.choose("never", zone="Europe/Berlin", lead=12, quiet_from=22, quiet_to=7)
    start(players, berlin(2026, 3, 3, 23), Pace("slow", 12 * 3600))
    assert mails_until(players, berlin(2026, 3, 4, 11)) == [("04 07:00 CET", "Your time is running out: Shanghaien")]


def test_a_reminder_does_not_come_before_quiet_hours_in_the_first_half_of_the_time(players: Players) -> None:
    players.choose("never", zone="Europe/Berlin", lead=12, quiet_from=21, quiet_to=9)
    start(players, berlin(2026, 3, 3, 20), DAY)
    assert [when for when, _ in mails_until(players, berlin(2026, 3, 4, 20))] == ["04 09:00 CET"]


def test_it_does_if_quiet_hours_end_too_late(players: Players) -> None:
    players.choose("never", zone="Europe/Berlin", lead=6, quiet_from=13, quiet_to=12)
    start(players, berlin(2026, 3, 3, 12), DAY)
    assert [when for when, _ in mails_until(players, berlin(2026, 3, 4, 12))] == ["03 12:55 CET"]


def test_both_tells_of_each_turn_and_sums_up_once_a_day_with_links(players: Players) -> None:
    players.clock.time = berlin(2026, 3, 3, 11)
    players.choose("both", zone="Europe/Berlin", hour=18, lead=0)
    table = start(players, berlin(2026, 3, 3, 12), Pace("slow", 72 * 3600))
    players.clock.tick(minutes=1)
    assert [str(mail["Subject"]) for mail in players.mails()] == ["Your turn: Shanghaien"]
    players.clock.time = berlin(2026, 3, 3, 18)
    (mail,) = players.mails()
    assert mail["Subject"] == "A game is waiting for you"
    plain, html = (text.replace("\r", "") for text in texts(mail))
    assert f"Shanghaien: You have 2 days left.\nhttps://games.example/tables/{table}" in plain
    assert f'<a href="https://games.example/tables/{table}">Shanghaien: You have 2 days left.</a>' in html


def test_hours_chosen_anew_move_a_reminder_that_waits(players: Players) -> None:
    players.choose("never", zone="Europe/Berlin", lead=1)
    start(players, berlin(2026, 3, 3, 12), DAY)
    assert mails_until(players, berlin(2026, 3, 3, 18)) == []
    players.choose("never", zone="Europe/Berlin", lead=12)
    assert [when for when, _ in mails_until(players, berlin(2026, 3, 4, 12))] == ["04 00:00 CET"]


def test_reminders_that_are_switched_on_during_a_turn_come_also_with_quiet_hours(players: Players) -> None:
    players.choose("never", zone="Europe/Berlin", lead=0, quiet_from=1, quiet_to=2)
    start(players, berlin(2026, 3, 3, 12), DAY)
    assert mails_until(players, berlin(2026, 3, 3, 13)) == []
    players.choose("never", zone="Europe/Berlin", lead=6, quiet_from=1, quiet_to=2)
    assert [when for when, _ in mails_until(players, berlin(2026, 3, 4, 12))] == ["04 06:00 CET"]


@in_both
@pytest.mark.parametrize(("day", "month"), [(29, 3), (25, 10)])
def test_on_the_nights_when_clocks_change_each_is_told_once(players: Players, day: int, month: int) -> None:
    """At two o'clock, an hour that one night leaves out and the other has twice."""
    players.clock.time = berlin(2026, month, day - 1, 11)
    players.choose("both", zone="Europe/Berlin", hour=2, lead=3)
    table = start(players, berlin(2026, month, day - 1, 12), Pace("slow", 72 * 3600))
    other = players.table(Pace("slow", 18 * 3600))
    players.until(other, players.anna)
    came = mails_until(players, berlin(2026, month, day, 12))
    summary = f"{day} 03:00 CEST" if month == 3 else f"{day} 02:00 CEST"
    assert [mail for mail in came if "waiting" in mail[1]] == [(summary, "2 games are waiting for you")]
    assert sorted(subject for _, subject in came) == [
        "2 games are waiting for you",
        "Your time is running out: Shanghaien",
        "Your turn: Shanghaien",
        "Your turn: Shanghaien",
    ]
    assert players.service.tables.info(table).status == "playing"


@pytest.mark.parametrize(("day", "month", "zone"), [(29, 3, "CEST"), (25, 10, "CET")])
def test_quiet_hours_of_a_night_when_clocks_change_end_by_the_new_clock(
    players: Players, day: int, month: int, zone: str
) -> None:
    players.choose("once", zone="Europe/Berlin", quiet_from=22, quiet_to=7)
    start(players, berlin(2026, month, day - 1, 23), TWO_DAYS)
    assert mails_until(players, berlin(2026, month, day, 12)) == [(f"{day} 07:00 {zone}", "Your turn: Shanghaien")]


Hours = st.integers(0, 23)
Times = st.integers(1_700_000_000_000, 2_000_000_000_000)


@given(Times, Hours, Hours, st.sampled_from(zones()))
def test_a_time_is_quiet_exactly_within_the_span_of_its_night(at: int, first: int, last: int, zone: str) -> None:
    span = quiet_span(at, first, last, zone)
    if span is None:
        return
    assert first != last
    assert span.start <= at < span.end
    assert span.end - span.start <= ((last - first) % 24 + 2) * HOUR, "Troll puts its clock back by two hours"
    assert quiet_span(span.start, first, last, zone) == span
    assert quiet_span(span.end - 1, first, last, zone) == span
    after = quiet_span(span.end, first, last, zone)
    assert after is None or after.start == span.end, "the hour comes again at once"


@pytest.mark.parametrize(
    ("zone", "changed"),
    [
        ("Europe/Berlin", datetime(2026, 3, 29, 1, tzinfo=UTC)),
        ("America/New_York", datetime(2026, 3, 8, 7, tzinfo=UTC)),
        ("America/Santiago", datetime(2026, 9, 6, 4, tzinfo=UTC)),
        ("America/Nuuk", datetime(2026, 3, 29, 1, tzinfo=UTC)),
    ],
)
def test_quiet_hours_are_no_longer_in_a_night_that_leaves_out_an_hour(zone: str, changed: datetime) -> None:
    at = int(changed.timestamp() * 1000)
    for first in range(24):
        for last in range(24):
            for near in range(at - 2 * HOUR, at + 2 * HOUR, HOUR // 2):
                span = quiet_span(near, first, last, zone)
                assert span is None or span.end - span.start <= ((last - first) % 24 + 1) * HOUR


@given(Times, Times, Hours, Hours, st.sampled_from(zones()))
def test_a_reminder_never_comes_late_because_of_quiet_hours_to_come(
    at: int, now: int, first: int, last: int, zone: str
) -> None:
    moved = time_before_quiet(at, now, first, last, zone)
    assert moved <= at
    span = quiet_span(at, first, last, zone)
    if span is None or now >= span.start:
        assert moved == at
    else:
        assert moved == span.start - AHEAD


@in_both
def test_choices_from_before_there_were_rhythms_are_kept(place: Place) -> None:
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        players = Players(service, clock, mailbox)
        players.confirm_mail(players.anna, "anna@mail.example")
        players.confirm_mail(players.bernd, "bernd@mail.example")
    anna, bernd = players.anna.id, players.bernd.id
    as_of(place, "0036")
    query(place, "UPDATE notification_settings SET hour = 7, reminders = (1 = 0) WHERE person = ?", anna)
    with KontorServer.open(place, clock) as service:
        (annas,), (bernds,) = service.ways.of(anna).ways, service.ways.of(bernd).ways
    assert annas.rhythm == Rhythm(hour=7, lead=0)
    assert bernds.rhythm == Rhythm()


def test_other_hours_cannot_be_chosen(players: Players) -> None:
    (way,) = players.service.ways.of(players.anna.id).ways
    for wrong in (Rhythm(lead=5), Rhythm(lead=-1), Rhythm(quiet_from=24), Rhythm(quiet_to=-1), Rhythm(hour=24)):
        with pytest.raises(BadText):
            players.service.ways.choose(players.anna.id, {way.id: wrong}, "en", BASE)
