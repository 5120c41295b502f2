"""Happenings on the page: in order and long enough; the end of a round stays a while, or until the reader goes on."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import Sail
from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.state import Roll, Shanghai
from kontor.tables.values import Tempo
from web.browsers import Chromium, known_as
from web.conftest import Served
from web.tables import Table, brought_there, open_known_table

pytestmark = pytest.mark.browser

COUNTS = """document.addEventListener("htmx:sse:before:message", () => {
  document.documentElement.dataset.heard = Number(document.documentElement.dataset.heard ?? 0) + 1;
})"""
LISTENS = """window.sounded = [];
document.addEventListener("kontor:sounded", (event) => window.sounded.push(event.detail))"""
MOVES = """document.getElementById("table").getAnimations({ subtree: true })
  .filter((one) => one.playState === "running").length"""


def before_the_end_of_a_round(served: Served, tempo: Tempo) -> Table:
    """Return a table of Shanghaien whose mover can end the round."""
    table = open_known_table(served.service, "shanghaien", Options(starter=0), 2, 1, tempo)
    return brought_there(table, "shanghaien", lambda view: view.step == "turn" and Shanghai() in table.moves)


@contextmanager
def page_of(chromium: Chromium, served: Served, path: str, token: str = "", *, clock: bool = False) -> Iterator[Page]:
    """Yield a page at a table; with ``clock``, its time stands still until the test runs it."""
    with chromium.new_context(base_url=served.address, viewport={"width": 1366, "height": 900}) as context:
        page = context.new_page()
        if token:
            known_as(page, served.address, token)
        if clock:
            page.clock.install()
        page.goto(path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        if clock:
            page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        yield page


def check_shown(page: Page, number: int) -> None:
    """Check that the page shows the table after this line."""
    expect(page.locator("#state")).to_have_attribute("data-version", re.compile(rf"^{number}\d{{5}}$"))


def has_heard(page: Page, frames: int) -> None:
    expect(page.locator("html")).to_have_attribute("data-heard", str(frames))


@pytest.mark.parametrize("reader", ["waits", "presses a key", "presses the mouse"])
def test_how_a_round_ended_stays_until_it_is_read_or_the_reader_goes_on(
    served: Served, chromium: Chromium, reader: str
) -> None:
    table = before_the_end_of_a_round(served, "brisk")
    with page_of(chromium, served, table.path, clock=True) as page:
        page.evaluate(COUNTS)
        table.play(Shanghai())
        ended = table.number
        check_shown(page, ended)
        expect(page.locator("#state")).to_have_attribute("data-stays", "3000")
        table.play(Roll())
        has_heard(page, 2)
        page.clock.run_for(2900)
        check_shown(page, ended)
        if reader == "waits":
            page.clock.run_for(200)
        elif reader == "presses a key":
            page.keyboard.press("Shift")
        else:
            page.mouse.click(5, 400)
        check_shown(page, table.number)


def test_y4_how_a_round_ended_stays_three_seconds_where_all_else_goes_at_once(
    served: Served, chromium: Chromium
) -> None:
    table = before_the_end_of_a_round(served, "at once")
    with page_of(chromium, served, table.path, clock=True) as page:
        page.evaluate(COUNTS)
        table.play(Shanghai())
        ended = table.number
        check_shown(page, ended)
        table.play(Roll())
        has_heard(page, 2)
        page.clock.run_for(2900)
        check_shown(page, ended)
        page.clock.run_for(200)
        check_shown(page, table.number)


def test_what_a_page_begins_with_does_not_keep_it(served: Served, chromium: Chromium) -> None:
    table = before_the_end_of_a_round(served, "calm")
    table.play(Shanghai())
    with page_of(chromium, served, table.path, clock=True) as page:
        expect(page.locator("#state")).to_have_attribute("data-stays", "4000")
        table.play(Roll())
        check_shown(page, table.number)


DELAYS = """of => [...document.querySelectorAll(of)].map((one) => {
  const style = getComputedStyle(one);
  return Math.max(...[...style.animationDelay.split(", "), ...style.transitionDelay.split(", ")].map(parseFloat));
})"""


def test_a_voyage_is_told_in_order_and_a_click_shows_the_end(served: Served, chromium: Chromium) -> None:
    """Check that the ship sails, stones walk, merchants pay in order, and then the next dice are rolled."""
    table = open_known_table(served.service, "dutchman", DutchmanOptions(players=3, starter=0), 3, 4)
    with page_of(chromium, served, table.path) as page:
        bills = 0
        while bills < 2:
            brought_there(table, "dutchman", lambda view: view.step == "sail")
            table.play(next(move for move in table.moves if isinstance(move, Sail)))
            check_shown(page, table.number)
            bills = page.locator(".df-bills li").count()
        expect(page.locator("#df-room")).to_have_class("chartroom sailed")
        assert page.evaluate(MOVES)
        stones, paid, rolled, narrated = (
            page.evaluate(DELAYS, of) for of in (".df-stone", ".df-bills li", ".df-rolled", ".df-told")
        )
        assert stones
        assert len(paid) == bills
        in_order = [0.0, stones[0], *paid, rolled[0], narrated[0]]
        assert in_order == sorted(in_order)
        assert len(set(in_order)) == len(in_order), "one thing after the other"
        page.mouse.click(5, 400)
        assert not page.evaluate(MOVES)


def test_sounds_are_off_until_they_are_asked_for_and_stay_as_they_are(served: Served, chromium: Chromium) -> None:
    table = before_the_end_of_a_round(served, "at once")
    first = table.mover
    other = table.service.tables.view(table.id).snapshot.seats[first].person
    assert other is not None
    with page_of(chromium, served, table.path, table.tokens[1 - first]) as page:
        switch = page.locator("#sounds")

        def take_sounds(count: int = 1) -> list[str]:
            """Return the next sounds, at least so many: how they are made is fetched with the first."""
            page.wait_for_function("(count) => window.sounded.length >= count", arg=count)
            names: list[str] = page.evaluate("window.sounded.splice(0)")
            return names

        page.evaluate(LISTENS)
        served.service.talk.say(table.id, other, "Ahoy")
        expect(page.locator("#chat")).to_contain_text("Ahoy")
        assert take_sounds(0) == []
        expect(switch).to_have_attribute("aria-pressed", "false")
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", "true")
        assert take_sounds() == ["turn"], "so one knows how loud it is"
        served.service.talk.say(table.id, other, "Hoy!")
        expect(page.locator("#chat")).to_contain_text("Hoy!")
        assert take_sounds() == ["talk"]
        table.play(Shanghai())
        check_shown(page, table.number)
        assert take_sounds() == ["turn"]
        table.play(Roll())
        check_shown(page, table.number)
        assert take_sounds() == ["dice"]
        page.reload()
        expect(switch).to_have_attribute("aria-pressed", "true")
        switch.click()
        page.evaluate(LISTENS)
        page.reload()
        expect(switch).to_have_attribute("aria-pressed", "false")
