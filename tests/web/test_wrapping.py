"""Long texts of people: no page scrolls sideways, and nothing of the texts is cut off."""

from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from guests import play_one
from profiles import extended_after
from web.browsers import Pages
from web.conftest import Served
from web.guests import open_shanghaien
from web.positions import SEED, table_of
from web.test_review_page import simple_judges, thought_out

__all__ = ["simple_judges"]

WIDTHS: Final = (360, 1440)
LONGEST_NAMES: Final = tuple("W" * 39 + letter for letter in "ABC")
LONGEST_WORD: Final = "https://example.org/" + "x" * 480

CUT: Final = """(marks) => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!marks.some((mark) => text.data.includes(mark)) || !text.parentElement.checkVisibility()) continue;
    if (text.parentElement.closest(".unseen, caption, option, svg, template")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    let [from, to] = [0, innerWidth];
    for (let box = text.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === "visible") continue;
      const edge = box.getBoundingClientRect();
      [from, to] = [Math.max(from, edge.left), Math.min(to, edge.right)];
    }
    // What has no room in a slip that yields is left out whole.
    if (text.parentElement.closest("[data-yields]") && (left >= to || right <= from)) continue;
    const where = text.parentElement.outerHTML.slice(0, 160);
    if (left < from - 1 || right > to + 1) found.push(`${where} ${left}–${right} in ${from}–${to}`);
  }
  return found;
}"""


TOO_WIDE: Final = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const beyond = (one) => one.getBoundingClientRect().right > width + 1;
  const wide = [...document.querySelectorAll("body *")].filter(beyond);
  return [document.documentElement.scrollWidth, ...wide.slice(0, 20).map((one) => one.outerHTML.slice(0, 120))];
}"""

OPEN_ALL: Final = "document.querySelectorAll('details').forEach((drawer) => { drawer.open = true; })"


@pytest.fixture(autouse=True)
def same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the dice, because other games may end before the moment that a test looks for."""
    monkeypatch.setattr("kontor.tables.next_seeds.of_person", lambda *_: SEED)


def check_nothing_cut_off(page: Page, path: str) -> None:
    """Check that nothing scrolls sideways, and that no text of a person is cut off."""
    page.goto(path)
    assert not page.evaluate(TOO_WIDE), path
    assert not page.evaluate(CUT, ["WWWW", "xxxx"]), path


@pytest.mark.parametrize("width", extended_after(1, WIDTHS))
@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
@pytest.mark.usefixtures("simple_judges")
def test_the_longest_names_and_words_fit_on_every_page(served: Served, pages: Pages, game: str, width: int) -> None:
    guests = [served.guest(name) for name in LONGEST_NAMES[: 2 if game == "shanghaien" else 3]]
    table = table_of(served, guests, game)
    path = f"/tables/{table}"
    size: dict[str, Any] = {"viewport": {"width": width, "height": 740}}
    random = Random(5)
    with pages(guests[0], **size) as page:
        guests[1].press(guests[1].get(path).button("say-go"), text=LONGEST_WORD)
        for _ in range(60):
            play_one(served.service, table, random)
        check_nothing_cut_off(page, path)
        expect(page.locator("#chat .line a")).to_have_attribute("href", LONGEST_WORD)
        page.evaluate(OPEN_ALL)
        assert not page.evaluate(TOO_WIDE)
        assert not page.evaluate(CUT, ["WWWW", "xxxx"])
        for place in ("log", "replay", "fair"):
            check_nothing_cut_off(page, f"{path}/{place}")
        while play_one(served.service, table, random):
            pass
        check_nothing_cut_off(page, path)
        thought_out(guests[0], path)
        check_nothing_cut_off(page, f"{path}/review")
        page.evaluate(OPEN_ALL)
        assert not page.evaluate(TOO_WIDE)
        check_nothing_cut_off(page, "/")
    for guest in guests:
        guest.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_they_fit_before_the_game_too(served: Served, pages: Pages, width: int) -> None:
    size: dict[str, Any] = {"viewport": {"width": width, "height": 740}}
    with served.guest(LONGEST_NAMES[0]) as host, served.guest(LONGEST_NAMES[1]) as other:
        path = open_shanghaien(host, name__2=LONGEST_NAMES[2], salt="x" * 60)
        host.press(host.get(path).button("say-go"), text=LONGEST_WORD)
        made = host.press(host.get(path).button("invite-2"))
        link = made.html.split('id="link-2" readonly value="')[1].split('"')[0].removeprefix(served.address)
        open_table = open_shanghaien(host, chair__2="open")
        host.press(host.get("/you").button("program-go"), label="x" * 60)
        with pages(host, **size) as page:
            about = ("/you", "/you/leave", "/return", "/learn", "/people", "/games")
            for place in (path, open_table, "/", *about, "/open/shanghaien", "/open/dutchman"):
                check_nothing_cut_off(page, place)
        with pages(other, **size) as page:
            for place in (link, open_table, "/"):
                check_nothing_cut_off(page, place)


@pytest.mark.parametrize("width", WIDTHS)
def test_y6_the_largest_numbers_in_play_stand_in_one_line(served: Served, pages: Pages, width: int) -> None:
    size: dict[str, Any] = {"viewport": {"width": width, "height": 844}}
    guests = [served.guest(name) for name in ("Anna", "Bernd")]
    table = table_of(served, guests, "shanghaien")
    with pages(guests[0], **size) as page:
        page.goto(f"/tables/{table}")
        points = page.locator("#sh-line-total .still .worth")
        expect(points).to_have_text("112")
        high, font, cell = points.evaluate(
            """(one) => [one.getBoundingClientRect().height, parseFloat(getComputedStyle(one).fontSize),
              one.closest(".cell").getBoundingClientRect().right - one.getBoundingClientRect().right]"""
        )
        assert points.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 0, "no second line"
        assert high < 2 * font
        assert cell > 0, "within its cell"
    for guest in guests:
        guest.close()


@pytest.mark.parametrize("width", [832, 1366])
def test_short_words_are_not_broken_where_a_table_waits(served: Served, pages: Pages, width: int) -> None:
    """Check the way to a link, and the cards of one's tables beside long terms, in a language of long words."""
    broken = """(selectors) => [...document.querySelectorAll(selectors)].filter((one) => {
      const { width, height } = one.getBoundingClientRect();
      return height > width || height > 100;
    }).map((one) => one.outerHTML.slice(0, 120))"""
    with served.guest("Bartholomäus Iversen") as host:
        path = open_shanghaien(host, **{"chair-2": "open"})
        with pages(host, viewport={"width": width, "height": 700}, locale="it") as page:
            for address, selectors in ((path, "#invite-all, #pace-none"), ("/", f'.table-card[href="{path}"] .who')):
                page.goto(address)
                expect(page.locator(selectors).first).to_be_visible()
                assert page.evaluate(broken, selectors) == []
