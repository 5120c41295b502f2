"""Keys at a table: each control with a key shows it, and for those who use keys the focus is on the next decision."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import Sail
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Number, Place, Roll
from timeouts import waited_for
from web.browsers import MOVING, Chromium, Pages, browsing
from web.conftest import Served
from web.tables import Table, brought_there, open_known_table

pytestmark = pytest.mark.browser

STOPS: Final = """() => {
  const all = [...document.querySelectorAll("a, button, input, summary, select, [tabindex]")];
  return all.filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true })).map((one) =>
    one.closest("[data-decision]") ? "question" : one.closest("#board form") ? "board" :
    one.closest("#table") ? "rest" : "page");
}"""
"""Script that returns the parts of the page where the Tab key stops, in order."""

FOCUS: Final = "document.activeElement.id"
SAYS: Final = """() => {
  window.said = [];
  const now = document.getElementById("now");
  new MutationObserver(() => {
    const falls = document.querySelector("[data-dice]")?.getAnimations({ subtree: true }) ?? [];
    window.said.push([now.textContent, falls.some((one) => one.playState === "running")]);
  }).observe(now, { childList: true, characterData: true, subtree: true });
}"""


@contextmanager
def at(pages: Pages, table: Table) -> Iterator[Page]:
    """Yield the page of the mover."""
    with pages(table.token, viewport={"width": 1366, "height": 650}) as page:
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        yield page


def expect_shown(page: Page, table: Table) -> None:
    expect(page.locator("#state")).to_have_attribute("data-version", re.compile(rf"^{table.number}\d{{5}}$"))


def listed(page: Page) -> dict[str, str]:
    """Return the names of the controls by key, as the list of keys shows them."""
    page.keyboard.press("?")
    expect(page.locator("#keys dd").last).to_be_visible()
    keys, names = page.locator("#keys dt").all_inner_texts(), page.locator("#keys dd").all_inner_texts()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    return dict(zip(keys, names, strict=True))


def test_shanghaien_is_played_by_keys_and_the_focus_goes_on(served: Served, pages: Pages) -> None:
    table = open_known_table(served.service, "shanghaien", ShanghaienOptions(starter=0), 2, 1)
    with at(pages, table) as page:
        page.keyboard.press("Q")
        assert page.evaluate(FOCUS) == "sh-do-roll"
        assert listed(page)["R"] == "Roll two dice"
        assert page.evaluate(FOCUS) == "sh-do-roll", "whoever closes the list is where they were"
        page.keyboard.press("r")
        expect(page.locator("#sh-do-number-left")).to_be_focused()
        assert {"1": "The 1 is on the left", "2": "The 1 is on the right"}.items() <= listed(page).items()
        page.keyboard.press("2")
        die = page.locator("button.thrown").first
        expect(die).to_be_focused()
        assert table.last() == Number("right")
        number = table.view.roll[-1]
        assert listed(page)[str(number)].startswith(f"Place the {number} on the ")
        stops = page.evaluate(STOPS)
        first = stops.index("question")
        order = list(dict.fromkeys(stops[first:]))
        assert order == ["question", "board", "rest", "page"], stops
        assert stops[first:] == sorted(stops[first:], key=order.index)
        page.keyboard.press(str(number))
        expect(page.locator("#now")).to_be_focused()
        assert table.last() == Place(number)

        page.keyboard.press("t")
        expect(page.locator("#text")).to_be_focused()
        page.keyboard.type("r1?")
        expect(page.locator("#text")).to_have_value("r1?")
        assert table.last() == Place(number), "whoever writes presses nothing"
        page.locator("#log summary").focus()
        page.keyboard.press("L")
        expect(page.locator("#log")).not_to_have_attribute("open", "")
        page.keyboard.press("?")
        page.locator("#keys-switch").click()
        page.keyboard.press("Escape")
        page.keyboard.press("L")
        page.keyboard.press("?")
        expect(page.locator("#log")).not_to_have_attribute("open", "")
        expect(page.locator("#keys")).to_be_hidden()


def test_the_hollaender_is_steered_by_keys(served: Served, pages: Pages) -> None:
    table = open_known_table(served.service, "dutchman", DutchmanOptions(players=3, starter=0), 3, 3)
    brought_there(table, "dutchman", lambda view: view.step == "action")
    with at(pages, table) as page:
        page.keyboard.press("3")
        expect(page.locator("#df-ask-smith-yes")).to_be_focused()
        page.keyboard.press("2")
        expect(page.locator("#df-ask-smith")).to_be_hidden()
        stops = page.evaluate(STOPS)
        first = stops.index("question")
        assert list(dict.fromkeys(stops[first:])) == ["question", "board", "rest", "page"], stops
    brought_there(table, "dutchman", lambda view: view.step == "sail")
    with at(pages, table) as page:
        ahead = table.view.ahead
        page.keyboard.press(str(len(ahead)))
        expect(page.locator("#df-where input").nth(len(ahead) - 1)).to_be_checked()
        page.keyboard.press("Enter")
        waited_for(lambda: table.last() == Sail(ahead[-1]))
        expect_shown(page, table)
        expect(page.locator("#now:focus, [data-decision] :focus")).to_have_count(1)


def test_the_dice_fall_before_a_sentence_tells_them(served: Served, chromium: Chromium) -> None:
    table = open_known_table(served.service, "shanghaien", ShanghaienOptions(starter=0), 2, 1)
    with browsing(chromium, served.address, table.tokens[1], **MOVING) as page:
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        page.evaluate(SAYS)
        page.evaluate("window.line = document.getElementById('now')")
        table.play(Roll())
        expect_shown(page, table)
        expect(page.locator("#now")).to_contain_text("where is the 1?")
        assert page.evaluate("window.said") == [[page.locator("#now").inner_text(), False]], (
            "once, and after the dice"
        )
        assert page.evaluate("window.line.isConnected"), "a live region stays the same element"
