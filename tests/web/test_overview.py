"""Overview in a browser (Y4): who gets which card stays until it could be read, then goes with the next roll."""

from typing import Any, Final

import pytest
from playwright.sync_api import expect

from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.state import Roll, Shanghai
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.tables import brought_there, open_known_table
from web.test_double_presses import LATER, STILL_CLOCK

NO_LONG_TIMERS: Final = """
    const begin = window.setTimeout;
    window.setTimeout = (done, wait, ...more) => wait > 2500 ? 0 : begin(done, wait, ...more);
    window.messages = 0;
    document.addEventListener("htmx:sse:before:message", () => { window.messages++; });
"""
"""Script that ignores long timers, so that nothing goes on by itself, and counts the messages of the stream."""


@pytest.mark.parametrize("tempo", ["brisk", "at once"])
@pytest.mark.parametrize("reader", ["other", "spectator"])
def test_y4_the_overview_is_kept_for_reading_and_goes_with_the_others_roll(
    served: Served, chromium: Chromium, tempo: Any, reader: str
) -> None:
    options = Options(starter=0)
    table = open_known_table(served.service, "shanghaien", options, 2, 1, tempo)
    brought_there(table, "shanghaien", lambda view: view.round == 1 and Shanghai() in table.moves)
    token = table.token if reader == "other" else None  # the mover ends this round, so the other begins the next
    with browsing(chromium, served.address, token) as page:
        page.add_init_script(STILL_CLOCK + NO_LONG_TIMERS)
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        page.keyboard.press("Shift")  # otherwise the second half of this press would fall on the overview
        table.play(Shanghai())
        expect(page.locator("#sh-got-1")).to_be_visible()
        assert page.locator("#state").get_attribute("data-stays") == "3000"
        before = page.evaluate("messages")
        table.play(Roll())
        page.wait_for_function("before => messages > before", arg=before)
        page.keyboard.press("Shift")
        expect(page.locator("#sh-got-1")).to_be_visible()
        page.evaluate(LATER)
        page.keyboard.press("Shift")
        expect(page.locator("#sh-got-1")).to_have_count(0)
        expect(page.locator(".settled")).to_have_count(0)
