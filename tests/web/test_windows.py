"""One window: board, question and all its buttons are in view at every moment of a turn, and nothing jumps."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from kontor.games.shanghaien.rules import Options
from profiles import extended_after
from web.browsers import PHONE, WIDTH, Chromium, Hand, Pages, browsing, known_as
from web.conftest import Served
from web.tables import Table, open_known_table
from web.tavern_moments import MOMENTS, moment

SIZES: Final = ((1366, 650), (1440, 900), (1920, 1080), (820, 1180), (360, 740))
LANGUAGES: Final = ("de", "fr", "en", "it", "ja")
"""Languages, those with long words first."""

OUT_OF_SIGHT: Final = """() => {
    const found = [];
    const seen = (one, what) => {
        const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
        if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1 || !width || !height) {
            return found.push(`${what} reaches from ${Math.round(top)} to ${Math.round(bottom)} of ${innerHeight}`);
        }
        const front = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!one.contains(front)) found.push(`${what} is covered by ${front.id || front.className || front.tagName}`);
    };
    seen(document.getElementById("now"), "whose turn it is");
    for (const card of document.querySelectorAll(".row .stand")) seen(card, `the card ${card.id}`);
    for (const button of document.querySelectorAll("#sh-room button:not([data-peek], .lands)")) {
        if (button.checkVisibility()) seen(button, `the button ${button.id}`);
    }
    return found;
}"""
"""Script that returns which of the board, the turn and the decision's buttons are out of view or covered."""


@contextmanager
def page_of_size(
    chromium: Chromium, served: Served, size: tuple[int, int], token: str | None = None, **more: Any
) -> Iterator[Page]:
    """Yield a page in a window of this size; the smallest is a telephone's."""
    screen: dict[str, Any] = {"viewport": {"width": size[0], "height": size[1]}}
    touch = {"has_touch": True, "is_mobile": True} if size[0] < 500 else {}
    with browsing(chromium, served.address, token, **screen, **touch, **more) as page:
        yield page


@contextmanager
def at_table(
    chromium: Chromium, served: Served, table: Table, token: str, size: tuple[int, int], **more: Any
) -> Iterator[Page]:
    with page_of_size(chromium, served, size, token, **more) as page:
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        yield page


@pytest.mark.parametrize("language", extended_after(1, ["de", "en"]))
def test_board_and_question_are_in_view_at_every_moment(served: Served, chromium: Chromium, language: str) -> None:
    """Check every window size, first in German, which has long words.

    The page is opened at each size in turn, and then resized to the others. Failures are listed by size and moment.
    """
    hidden = []
    tables = {name: moment(served.service, name) for name in MOMENTS}
    for sizes in (SIZES[:-1], SIZES[-1:]):
        with page_of_size(chromium, served, sizes[0], locale=language, draws=False) as page:
            for turn, (name, table) in enumerate(tables.items()):
                known_as(page, served.address, table.token)
                first = turn % len(sizes)
                for width, height in (*sizes[first:], *sizes[:first]):
                    page.set_viewport_size({"width": width, "height": height})
                    if (width, height) == sizes[first]:
                        page.goto(table.path)
                    hidden += [f"{width} × {height}, {name}: {fault}" for fault in page.evaluate(OUT_OF_SIGHT)]
    assert not hidden, "\n".join(hidden)


@pytest.mark.parametrize("size", [(1366, 650), (1440, 900), (820, 1180), (768, 1024), (390, 844)])
def test_the_ledger_and_the_last_round_are_in_sight(
    served: Served, chromium: Chromium, size: tuple[int, int]
) -> None:
    table = moment(served.service, "dice and three tricks")
    with at_table(chromium, served, table, table.token, size) as page:
        for part in ("#sh-line-total .still", "#sh-dealt"):
            box = page.locator(part).bounding_box()
            assert box
            assert box["y"] + box["height"] <= size[1], part


FINGER: Final = 44
"""Least height in pixels of what a finger presses."""

LOWER_THAN: Final = """(least) => [...document.querySelectorAll("#sh-room button:is(.thrown, .half, .main, .second)")]
    .filter((button) => button.checkVisibility() && !button.closest("[popover]"))
    .filter((button) => button.getBoundingClientRect().height < least - 0.5)
    .map((button) => `${button.id} of ${Math.round(button.getBoundingClientRect().height)}`)"""
"""Script that returns the dice, halves of trick cards and ways on that are lower."""


@pytest.mark.parametrize("name", ["dice and three tricks", "roll or end"])
def test_dice_and_halves_of_tricks_are_as_high_as_a_finger(served: Served, chromium: Chromium, name: str) -> None:
    table = moment(served.service, name)
    low = []
    with at_table(chromium, served, table, table.token, (1366, 650)) as page:
        for width, height in (*SIZES, (768, 1024), (640, 360), (390, 844), (1024, 600)):
            page.set_viewport_size({"width": width, "height": height})
            low += [f"{width} × {height}: {button}" for button in page.evaluate(LOWER_THAN, FINGER)]
    assert not low, "\n".join(low)


BUTTONS: Final = """() => Object.fromEntries([...document.querySelectorAll("#sh-room button")]
    .filter((button) => button.checkVisibility() && !button.closest("[popover]"))
    .map((button) => [button.id, Object.values(button.getBoundingClientRect().toJSON()).map(Math.round)]))"""
"""Script that returns the positions of the buttons by their ids."""


@pytest.mark.parametrize("size", extended_after(1, [(360, 740), (1366, 650)]))
def test_buttons_that_stay_do_not_move_when_one_is_pressed(
    served: Served, chromium: Chromium, size: tuple[int, int]
) -> None:
    table = open_known_table(served.service, "shanghaien", Options(starter=0, first_trick="reroll"), 2, 5)
    random = Random(2)
    with at_table(chromium, served, table, table.tokens[0], size) as page:
        hand = Hand(page, "touch" if size[0] < 500 else "mouse")
        for _ in range(16):
            while table.mover != 0:
                table.play(random.choice(table.moves))
            hand.wait_for_line(table.number)
            before, tricks = page.evaluate(BUTTONS), table.view.crews[0].tricks
            hand.make(random.choice(table.moves))
            after = page.evaluate(BUTTONS)
            stay = {name for name in before if name in after}
            if served.service.tables.view(table.id).look(0).view.crews[0].tricks != tricks:  # the hand has changed
                stay = {name for name in stay if "trick" not in name and "joker" not in name}
            assert {name: after[name] for name in stay} == {name: before[name] for name in stay}


def test_on_a_phone_the_question_is_in_view_whatever_was_scrolled(served: Served, pages: Pages) -> None:
    table = moment(served.service, "roll or end")
    with pages(table.token, **PHONE) as page:
        page.goto(table.path)
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        for button in ("#sh-do-roll", "#sh-end"):
            box = page.locator(button).bounding_box()
            assert box
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= page.evaluate("innerHeight")
        foot, dock = page.locator(".foot p").last.bounding_box(), page.locator("#sh-tray").bounding_box()
        assert foot
        assert dock
        assert foot["y"] + foot["height"] <= dock["y"], "nothing ends behind the question"


def test_what_is_said_out_of_sight_is_told_at_once_and_leads_to_the_talk(served: Served, pages: Pages) -> None:
    table = open_known_table(served.service, "shanghaien", Options(starter=0), 2, 1)
    bernd = served.service.people.holder_of_session(table.tokens[1])
    anna = served.service.people.holder_of_session(table.tokens[0])
    assert bernd
    assert anna
    with pages(table.tokens[0], **PHONE) as page:
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        served.service.talk.say(table.id, bernd.id, "Shall we?")
        slip = page.locator("#unheard")
        expect(slip).to_contain_text("Bernd Shall we?")
        served.service.talk.say(table.id, anna.id, "We shall.")
        expect(page.locator("#chat .line")).to_have_count(2)
        expect(slip).not_to_contain_text("We shall.")
        slip.locator("button").tap()
        expect(slip).to_have_count(0)
        expect(page.locator("#chat .line").first).to_be_in_viewport()
        served.service.talk.say(table.id, bernd.id, "Now?")
        expect(page.locator("#chat .line")).to_have_count(3)
        expect(slip).to_have_count(0)


HEAD: Final = """() => [...document.querySelectorAll(".top a, .top button, .top summary")]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().toJSON())"""


@pytest.mark.parametrize("language", extended_after(2, LANGUAGES))
def test_on_a_phone_the_head_is_one_line(served: Served, chromium: Chromium, language: str) -> None:
    table = open_known_table(served.service, "shanghaien", Options(starter=0), 2, 1)
    with browsing(chromium, served.address, table.token, locale=language, draws=False, **PHONE) as page:
        page.goto(table.path)
        in_one_line(page)
        with page.expect_navigation():
            page.locator("#menu-open").click()
            page.locator("#theme-dark").click()
        in_one_line(page)
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("language", extended_after(1, LANGUAGES))
def test_the_head_leads_everywhere_at_any_width(served: Served, chromium: Chromium, language: str) -> None:
    with (
        served.guest("Bartholomäus Iversen") as guest,
        browsing(chromium, served.address, guest, locale=language, draws=False) as page,
    ):
        for width in (320, 390, 768, 1024, 1366):
            page.set_viewport_size({"width": width, "height": 700})
            page.goto("/rules")
            if page.locator("#menu-open").is_visible():
                page.locator("#menu-open").click()
            parts = page.evaluate(HEAD)
            assert len(parts) >= 10
            assert all(0 <= part["left"] < part["right"] <= width and part["bottom"] <= 700 for part in parts)
            assert page.locator(".top nav a[aria-current]").get_attribute("href") == "/rules"
            page.locator(".top nav a").first.click()
            expect(page).to_have_url(f"{served.address}/")


def in_one_line(page: Page) -> None:
    """Check that no word of the head is broken, and nothing overlaps."""
    parts = page.evaluate(HEAD)
    assert all(part["height"] < 46 for part in parts)
    across = sorted(parts, key=lambda part: float(part["left"]))
    assert all(one["right"] <= other["left"] + 1 for one, other in pairwise(across))
    assert across[-1]["right"] <= WIDTH
