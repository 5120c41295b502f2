"""One's own tables in the lobby: whose turn, for how long, the time left, and what was said last."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from guests import shanghaien
from kontor.server.composition import KontorServer
from kontor.tables.values import Pace, SeatPlan
from kontor.web.pages.languages import words_in
from kontor.web.pages.moments import left_text, moment, since_text, time_text, until_text
from web.browsers import Pages
from web.conftest import Served
from web.guests import Guest

DAY = 24 * 3600


def seat(service: KontorServer, host: str, other: str, **more: Pace) -> str:
    table = service.opening.open(host, shanghaien(SeatPlan("me"), SeatPlan("open"), **more))
    service.opening.sit(table, 1, other)
    return table


@contextmanager
def anna_and_bernd(served: Served) -> Iterator[tuple[Guest, str, str]]:
    """Yield Anna's browser, her id, and that of Bernd."""
    (anna, token), (bernd, _) = (served.service.people.guest(name) for name in ("Anna", "Bernd"))
    with served.guest() as guest:
        guest.client.cookies.set("kontor", token)
        yield guest, anna.id, bernd.id


def mover(service: KontorServer, table: str) -> int:
    number = service.tables.info(table).mover
    assert number is not None
    return number


def test_own_tables_tell_what_waits(served: Served) -> None:
    service = served.service
    with anna_and_bernd(served) as (anna, anna_id, bernd_id):
        table = seat(service, anna_id, bernd_id, pace=Pace("slow", DAY * 2, 0))
        service.talk.say(table, bernd_id, f"Until   tomorrow! {'o' * 90}")
        card = anna.get("/").html.partition(f'id="mine-{table}"')[2].partition("</a>")[0]
        assert ("Your turn" if mover(service, table) == 0 else "Bernd to move") in card
        assert "just now, 47 hours left" in card or "just now, 2 days left" in card
        assert "Bernd: Until tomorrow! oooo" in card
        assert card.count("o") < 120
        service.blocking.put(table, anna_id, "seat-1", "mute")
        assert "tomorrow" not in anna.get("/").html


def test_the_latest_message_is_that_of_each_table(served: Served) -> None:
    service = served.service
    with anna_and_bernd(served) as (_, anna_id, bernd_id):
        tables = [seat(service, anna_id, bernd_id) for _ in range(2)]
        for at, table in enumerate(tables):
            for text in ("First", f"Last of {at}"):
                service.talk.say(table, bernd_id, text)
        talk = service.listing.latest_talk(anna_id, tables)
        assert {table: line.text for table, line in talk.lines.items()} == {
            table: f"Last of {at}" for at, table in enumerate(tables)
        }
        assert service.listing.latest_talk(anna_id, []).lines == {}
        assert timedelta(0) <= talk.at - talk.lines[tables[0]].at < timedelta(minutes=5)


@pytest.mark.browser
def test_times_are_the_readers_own_from_the_second_page_on(served: Served, pages: Pages) -> None:
    with (
        anna_and_bernd(served) as (anna, anna_id, bernd_id),
        pages(anna, timezone_id="Asia/Tokyo", locale="en-GB") as page,
    ):
        table = seat(served.service, anna_id, bernd_id, pace=Pace("slow", DAY, 0))
        page.goto("/")
        page.goto(f"/tables/{table}")
        deadline = served.service.tables.info(table).deadline
        assert deadline
        local = deadline + timedelta(hours=9)
        expect(page.locator("#clock-now")).to_have_text(f"until {local:%a} {local:%H:%M}")


def test_the_words_of_a_zone_tell_its_times_and_share_the_caches_of_their_language() -> None:
    tokyo, known_nowhere = words_in("de", "Asia/Tokyo"), words_in("de", "Atlantis/Poseidonis")
    time = datetime(2026, 3, 1, 19, 30, tzinfo=UTC)
    assert time_text(tokyo, time) == "02.03.2026 04:30"
    assert time_text(known_nowhere, time) == time_text(words_in("de"), time) == "01.03.2026 19:30 UTC"
    assert "data-moment" not in moment(tokyo, time)
    assert "data-moment" in moment(known_nowhere, time)
    assert until_text(tokyo, time, time - timedelta(days=2)) == "bis Mo 04:30"
    assert until_text(tokyo, time, time - timedelta(days=9)) == "bis 02.03.2026 04:30"
    assert tokyo == words_in("de") != words_in("fr", "Asia/Tokyo")
    assert len({tokyo, words_in("de")}) == 1


@pytest.mark.parametrize(
    ("seconds", "since", "left"),
    [
        (10, "just now", "less than a minute left"),
        (60, "for one minute", "one minute left"),
        (119 * 60, "for 119 minutes", "119 minutes left"),
        (3 * 3600, "for 3 hours", "3 hours left"),
        (DAY * 2, "for 2 days", "2 days left"),
    ],
)
def test_a_time_is_told_in_its_largest_unit(seconds: int, since: str, left: str) -> None:
    assert since_text(words_in("en"), seconds) == since
    assert left_text(words_in("en"), seconds) == left
