"""One's own tables in the lobby: whose turn, for how long, the time left, and what was said last."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from guests import shanghaien
from kontor.server.composition import KontorServer
from kontor.tables.values import Pace, SeatPlan
from web.browsers import Pages
from web.conftest import Served
from web.guests import Guest

DAY = 24 * 3600


def seat(service: KontorServer, host: str, other: str, **more: Pace) -> str:
    """Open a table for two, seat both, and return its id."""
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
