"""Double clicks: they make one move, because the second click doesn't press what replaces a button.

The page's clock stands still unless a test puts it forward, so no verdict depends on how fast the machine is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.state import Number, Place, Roll
from profiles import extended_after
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.tables import Table, brought_there, open_known_table

LATER: Final = "window.passed += 401"
"""Script that puts the clock forward, so that a new button can be pressed."""

STILL_CLOCK: Final = """
    window.passed = 0;
    performance.now = () => 5000 + window.passed;
    Date.now = () => 1_800_000_000_000 + window.passed;
"""

IDLE: Final = "() => !document.querySelector('form[data-busy]')"
"""Script that is true if no form is on its way: a sent form is marked before the next event of the page."""

Way = Literal["mouse", "touch"]
WAYS: Final[tuple[Way, ...]] = ("mouse", "touch")
SPOTS: Final = (0.1, 0.5, 0.9)
"""Points where a button is pressed, as parts of its width."""


@contextmanager
def at_table(chromium: Chromium, served: Served, table: Table, way: Way = "mouse") -> Iterator[Page]:
    """Yield the page of the mover, on which time stands still."""
    size = {"width": 1280, "height": 720}
    with browsing(chromium, served.address, table.token, viewport=size, has_touch=way == "touch") as page:
        page.add_init_script(STILL_CLOCK)
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        yield page


def tavern(served: Served, seed: int = 1) -> Table:
    """Return a table of Shanghaien at which the first player is to roll, and knows where the 1 is."""
    table = open_known_table(served.service, "shanghaien", Options(starter=0), 2, seed)
    table.play(Roll(), Number("left"))
    return brought_there(table, "shanghaien", lambda view: view.mover == 0 and set(table.moves) == {Roll()})


def point_in(element: Locator, part: float) -> tuple[float, float]:
    """Return a point of an element: a part of its width from the left, in the middle of its height."""
    box = element.bounding_box()
    assert box
    return box["x"] + part * box["width"], box["y"] + box["height"] / 2


def press(page: Page, way: Way, point: tuple[float, float]) -> None:
    if way == "touch":
        page.touchscreen.tap(*point)
    else:
        page.mouse.click(*point)
    page.wait_for_function(IDLE)


COVERED: Final = "([x, y]) => document.elementFromPoint(x, y).closest('#sh-tray button[name=move]')"


def covering(page: Page, point: tuple[float, float]) -> Any:
    """Return the value of the move that a press at the point would make."""
    return page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button[name=move]')?.value", point)


def test_what_appears_long_after_a_press_can_be_pressed_at_once(served: Served, chromium: Chromium) -> None:
    """Press a button that came under the waiting mouse when the other had moved."""
    table = tavern(served)
    with at_table(chromium, served, table) as page:
        point = point_in(page.locator("#sh-do-roll"), 0.2)
        press(page, "mouse", point)
        page.wait_for_function(COVERED, arg=point)
        page.evaluate(LATER)
        press(page, "mouse", point)
        assert isinstance(table.last(), Place)
        page.evaluate("window.passed += 1100")
        table.play(Roll())
        table.play(Place(table.view.roll[0]))
        page.locator("#sh-do-roll").wait_for()
        before = table.number
        assert covering(page, point), "roll lies where the die was pressed"
        press(page, "mouse", point)
        assert table.number == before + 2, "the roll, and what was rolled"


def test_each_press_of_several_in_a_row_is_ignored(served: Served, chromium: Chromium) -> None:
    """Press the same point three times: by the third, the button under it has been there for a while."""
    table = tavern(served)
    with at_table(chromium, served, table) as page:
        point = point_in(page.locator("#sh-do-roll"), 0.5)
        press(page, "mouse", point)
        expect(page.locator("#sh-tray .thrown").first).to_be_visible()
        page.wait_for_function(COVERED, arg=point)
        rolled = table.number
        for _ in range(3):
            page.evaluate("window.passed += 320")
            press(page, "mouse", point)
        assert table.number == rolled, "no die was placed"


@pytest.mark.parametrize("way", extended_after(1, reversed(WAYS)))
def test_a_double_click_on_roll_places_no_die(served: Served, chromium: Chromium, way: Way) -> None:
    taken = 0
    for spot in SPOTS:
        table = tavern(served)
        with at_table(chromium, served, table, way) as page:
            before = table.number
            point = point_in(page.locator("#sh-do-roll"), spot)
            press(page, way, point)
            expect(page.locator("#sh-tray .thrown").first).to_be_visible()
            rolled = table.number
            assert rolled == before + 2, "the roll, and what was rolled"
            taken += covering(page, point) is not None
            press(page, way, point)
            assert table.number == rolled, "no die was placed"
            page.evaluate(LATER)
            move = covering(page, point)
            if move:
                press(page, way, point)
                assert table.last() == Place(int(move.partition(":")[2])), "later it is meant"
    assert taken, "at some of the spots a die takes the place of the roll"


POINTER_EVENTS: Final = """value => {
    for (const element of document.querySelectorAll("#sh-tray, #sh-tray *")) element.style.pointerEvents = value;
}"""


def test_a_third_click_places_no_die_though_the_second_fell_on_nothing(served: Served, chromium: Chromium) -> None:
    """Press while the dice fall, when there is nothing in the place of the button."""
    taken = 0
    for spot in SPOTS:
        table = tavern(served)
        with at_table(chromium, served, table) as page:
            point = point_in(page.locator("#sh-do-roll"), spot)
            press(page, "mouse", point)
            expect(page.locator("#sh-tray .thrown").first).to_be_visible()
            rolled = table.number
            taken += covering(page, point) is not None
            page.evaluate(POINTER_EVENTS, "none")
            press(page, "mouse", point)
            page.evaluate(POINTER_EVENTS, "")
            press(page, "mouse", point)
            assert table.number == rolled
    assert taken, "at some of the spots a die takes the place of the roll"


def test_another_button_elsewhere_can_be_pressed_at_once(served: Served, chromium: Chromium) -> None:
    table = tavern(served)
    with at_table(chromium, served, table) as page:
        press(page, "mouse", point_in(page.locator("#sh-do-roll"), 0.5))
        lit = page.locator(".lands").first
        expect(lit).to_be_visible()
        number = int((lit.get_attribute("value") or "").partition(":")[2])
        press(page, "mouse", point_in(lit, 0.5))
        assert table.last() == Place(number)


def test_enter_twice_places_no_die_and_a_key_of_its_own_does(served: Served, chromium: Chromium) -> None:
    table = tavern(served)
    with at_table(chromium, served, table) as page:
        page.locator("#sh-do-roll").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#sh-tray button.thrown").first).to_be_focused()
        rolled = table.number
        for key in ("Enter", "Space"):
            page.keyboard.press(key)
            page.wait_for_function(IDLE)
            assert table.number == rolled, key
        die = table.view.roll[-1]
        page.keyboard.press(str(die))
        page.wait_for_function(IDLE)
        assert table.last() == Place(die)


def test_enter_is_meant_once_what_it_presses_has_been_there(served: Served, chromium: Chromium) -> None:
    table = tavern(served)
    with at_table(chromium, served, table) as page:
        page.locator("#sh-do-roll").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#sh-tray button.thrown").first).to_be_focused()
        page.evaluate(LATER)
        die = table.view.roll[0]
        page.keyboard.press("Enter")
        page.wait_for_function(IDLE)
        assert table.last() == Place(die)


def test_the_same_button_can_be_pressed_as_fast_as_one_likes(served: Served, chromium: Chromium) -> None:
    """Press a link to the next step of a replay, which is a page of its own."""
    table = tavern(served)
    with at_table(chromium, served, table) as page:
        page.goto(f"{table.path}/replay?at=1")
        for _ in range(3):
            before = page.url
            with page.expect_navigation():
                page.locator("#step-on").click()
            assert page.url != before
