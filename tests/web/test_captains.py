"""Captains in a real browser (Y3, Y5, S8): two grey ones stay by the card with the 1; the coloured one takes over.

A player points at the captain in the picture and clicks.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kontor.games.shanghaien.rules.state import Both
from web.browsers import Pages
from web.conftest import Served
from web.guests import Guest, open_shanghaien


def box(page: Page, selector: str) -> dict[str, float]:
    page.locator(selector).scroll_into_view_if_needed()
    rectangle: Any = page.locator(selector).bounding_box()
    assert rectangle
    return dict(rectangle)


def are_apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Return True if two boxes don't overlap, apart from the pixel that is rounded away."""
    return any(
        first[at] + first[size] <= second[at] + 1
        for first, second in ((one, other), (other, one))
        for at, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("end", ["left", "right"])
def test_y3_y5_the_captains_stand_beside_the_card_with_the_1(
    pages: Pages, served: Served, anna: Guest, bernd: Guest, width: int, end: str
) -> None:
    path = open_shanghaien(anna, **{"chair-2": "open", "starter": "0", "first_trick": "both"})
    bernd.press(bernd.get(path).button("sit-2"))
    screen: Any = {"width": width, "height": 900}
    with pages(anna, viewport=screen) as page:
        page.goto(path)
        page.wait_for_selector("#connection[data-is=live]")
        page.locator("#sh-do-roll").click()
        page.wait_for_selector(".rail")
        grey = box(page, f".rail.{end} .captain.grey")
        page.mouse.click(grey["x"] + grey["width"] / 2, grey["y"] + grey["height"] / 2)
        expect(page.locator(".at-row .captain.grey")).to_have_count(2)
        one = box(page, f"#sh-card-{1 if end == 'left' else 6} .place .face")
        for side in ("theirs", "mine"):
            stands = box(page, f".at-row.{side} .captain")
            beside = one["x"] - (stands["x"] + stands["width"]) if end == "left" else (
                stands["x"] - (one["x"] + one["width"])
            )  # fmt: skip
            assert -1 <= beside < 60, f"{side}: {beside} px from the card"
        before = box(page, ".at-row.mine .captain")
        deck = box(page, "#sh-deck")
        for side in ("theirs", "mine"):
            assert are_apart(box(page, f".at-row.{side} .captain"), deck), "a captain covers the pile"
        service, table = served.service, path.removeprefix("/tables/")
        look = service.tables.view(table).look(0)
        assert Both() in look.moves
        lower = box(page, "#sh-trick-both button.half.lower")
        page.mouse.click(lower["x"] + lower["width"] / 2, lower["y"] + lower["height"] / 2)
        expect(page.locator(".at-row.mine .captain.mine")).to_have_count(1)
        expect(page.locator(".at-row.theirs .captain.grey")).to_have_count(1)
        after = box(page, ".at-row.mine .captain")
        assert abs(after["x"] - before["x"]) < 1, "he stands where the grey one stood"
