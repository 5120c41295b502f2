"""Log of what happened since the reader's last move, and the whole log beside the table."""

from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from guests import play_one
from web.browsers import Pages
from web.conftest import Served
from web.guests import Guest
from web.positions import SEED, table_of

SIZES: Final = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1440, "height": 900}}
OLD: Final = 60
"""Number of log lines beyond which the first ones were dropped by a former fault."""


@pytest.fixture(autouse=True)
def same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the dice, because other games may end before the moment that a test looks for."""
    monkeypatch.setattr("kontor.tables.next_seeds.of_person", lambda *_: SEED)


def wait_for_lines(served: Served, guests: list[Guest], lines: int) -> str:
    """Return a table of the Holländer where the first guest is to move, and missed at least ``lines`` lines."""
    random = Random(11)
    table = table_of(served, guests, "dutchman")
    while True:
        info = served.service.tables.info(table)
        if info.mover == 0 and info.number > OLD:
            html = guests[0].get(f"/tables/{table}").html.partition('id="since-title"')[2].partition("</ul>")[0]
            if html.count("<li>") >= lines:
                return table
        if not play_one(served.service, table, random):
            table = table_of(served, guests, "dutchman")


def is_inside(line: Locator, room: Locator) -> bool:
    """Return True if a line is within the visible part of its container."""
    at, of = line.bounding_box(), room.bounding_box()
    assert at
    assert of
    return of["y"] - 1 <= at["y"] and at["y"] + at["height"] <= of["y"] + of["height"] + 1


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
@pytest.mark.parametrize("size", SIZES)
def test_since_your_last_move_the_newest_is_seen(served: Served, pages: Pages, size: str, scripts: bool) -> None:
    guests = [served.guest(name) for name in ("Anna", "Bernd", "Carla")]
    table = wait_for_lines(served, guests, 12)
    more: dict[str, Any] = {"viewport": SIZES[size], "java_script_enabled": scripts, "draws": True}
    with pages(guests[0], **more) as page:
        page.goto(f"/tables/{table}")
        section = page.locator(".since:visible")
        expect(section).to_have_count(1)
        lines = section.locator("li")
        room = section.locator(":scope > :not(h2)")
        section.scroll_into_view_if_needed()
        assert is_inside(lines.last, room)
        assert not is_inside(lines.first, room), "there are more than fit"
        room.hover()
        page.mouse.wheel(0, -5000)
        expect(lines.first).to_be_in_viewport()
        if size == "desk" and not scripts:
            events = [line.strip() for line in lines.all_text_contents()]
            assert steps_through(page, section.locator("a")) == events, "the same story, at the reader’s own pace"
    for guest in guests:
        guest.close()


def steps_through(page: Page, link: Locator) -> list[str]:
    """Return the texts of each step from the reader's last move to the present table."""
    events = []
    while True:
        with page.expect_navigation():  # a click returns before the next page is loaded
            link.click()
        events += [line.strip() for line in page.locator(".told li").all_text_contents()]
        if page.locator('#step-on[aria-disabled="true"]').count():
            return events
        link = page.locator("#step-on")


def test_on_a_phone_it_stands_between_the_table_and_the_drawers(served: Served, pages: Pages) -> None:
    guests = [served.guest(name) for name in ("Anna", "Bernd")]
    table = table_of(served, guests, "shanghaien")
    random = Random(3)
    while served.service.tables.info(table).mover != 0 or served.service.tables.info(table).number < OLD // 2:
        play_one(served.service, table, random)
    with pages(guests[0], viewport=SIZES["phone"]) as page:
        page.goto(f"/tables/{table}")
        room, section, drawers = (
            page.locator(part).bounding_box() for part in ("#sh-room", ".since:visible", ".drawers")
        )
        assert room
        assert section
        assert drawers
        assert room["y"] + room["height"] <= section["y"]
        assert section["y"] + section["height"] <= drawers["y"]
    for guest in guests:
        guest.close()


def texts(page: Page, where: str) -> list[str]:
    """Return the lines of a log."""
    return [" ".join(text.split()) for text in page.locator(f"{where} li").all_text_contents()]


UP: Final = """() => {
    const log = document.querySelector("#log .scroll");
    return log.scrollTop - log.clientHeight <= 1 - log.scrollHeight;
}"""
"""Script that is true at the beginning of the log.

The log is scrolled from its end, so positions are negative.
"""


@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
def test_the_log_beside_the_table_is_whole(served: Served, pages: Pages, game: str) -> None:
    guests = [served.guest(name) for name in ("Anna", "Bernd", "Carla")[: 2 if game == "shanghaien" else 3]]
    table = table_of(served, guests, game)
    random = Random(1)
    while served.service.tables.info(table).number <= OLD:
        assert play_one(served.service, table, random)
    with pages(guests[0], viewport=SIZES["desk"]) as page:
        page.goto(f"/tables/{table}/log")
        all_lines = [
            text.lstrip("0123456789 ") if not text.startswith("Round") else text for text in texts(page, "ol.log")
        ]
        page.goto(f"/tables/{table}")
        assert [text.lstrip("0123456789 ") for text in texts(page, "#log")] == all_lines
        log, first = page.locator("#log .scroll"), page.locator("#log li").first
        assert is_inside(page.locator("#log li").last, log)
        log.focus()
        page.keyboard.press("Home")
        page.wait_for_function(UP)  # browsers scroll gradually by keys
        assert is_inside(first, log)
        lines = page.locator("#log li").count()
        for _ in range(12):
            assert play_one(served.service, table, random)
        expect(page.locator("#log li").nth(lines)).to_be_attached()
        assert is_inside(first, log), "whoever reads what was is left there"
        log.focus()
        page.keyboard.press("End")
        expect(page.locator("#log li").last).to_be_in_viewport()
    for guest in guests:
        guest.close()
