"""Check of the Kontor pile (H11a) at a table: agreed on in the form, requested in the browser, seen by all."""

import time
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kontor.games.dutchman import words as dutchman_words
from kontor.players import player_named
from kontor.server.composition import KontorServer
from kontor.words import Words
from profiles import extended_after
from web.browsers import PHONE, Hand, Pages, come_in, open_form, table_of
from web.conftest import Served
from web.prepared import owned_seed, seed_of

ANNA = 0


def open_table(page: Page) -> str:
    """Open a table with the check for Anna and five computer players; return its id.

    There are twelve shares in the pile, so some are left of it even if all five draw two before it is her turn again.
    """
    come_in(page, "Anna")
    open_form(page, "dutchman")
    for chair in range(2, 7):
        page.locator(f"#chair-{chair}").select_option("machine-casual")
    page.locator("#check").select_option("on request")
    page.locator("#starter").select_option("0")
    page.locator("#open-it").click()
    expect(page.locator("#board")).to_be_visible()
    return table_of(page)


def until_asked(service: KontorServer, table: str, rounds_over: int = 0) -> int:
    """Play for Anna as a computer player would until she is asked, after so many rounds; return the line's number."""
    greedy = player_named("dutchman", "greedy")
    while True:
        info = service.tables.info(table)
        look = service.tables.view(table).look(ANNA)  # after the info: while it is her turn, nobody else moves
        if info.mover != ANNA:
            assert info.status == "playing"
            time.sleep(0.01)
        elif look.view.step == "check" and look.view.round > rounds_over:
            return look.number
        else:
            service.moves.play(table, ANNA, look.number, greedy(look.view, look.moves, Random(0)))


def press(page: Page, button: Locator, by: str) -> None:
    """Press a button where it is drawn, by mouse or touch; or press it by the keyboard."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if by == "mouse":
        page.mouse.click(x, y)
    elif by == "touch":
        page.touchscreen.tap(x, y)
    else:
        button.focus()
        page.keyboard.press("Enter")


@pytest.mark.parametrize("by", extended_after(1, ["mouse", "touch", "keys"]))
def test_h11a_a_person_asks_for_the_check_and_all_see_the_pile(
    served: Served, pages: Pages, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    owned_seed(monkeypatch, seed_of(1))
    phone: dict[str, Any] = PHONE if by == "touch" else {}
    with pages(**phone) as page, pages() as onlooker:
        table = open_table(page)
        page.goto("/health")  # so that it doesn't follow the game until then
        come_in(onlooker, "Dora")
        line = until_asked(served.service, table)
        for viewer in (page, onlooker):
            viewer.goto(f"/tables/{table}")
        hand = Hand(page)
        hand.wait_for_line(line)
        expect(page.locator("#now")).to_contain_text("Your turn: you may ask for the Kontor pile to be checked.")
        expect(onlooker.locator("#now")).to_contain_text("Anna may ask for the Kontor pile to be checked.")
        press(page, page.locator("#df-check"), by)
        for viewer in (page, onlooker):
            expect(viewer.locator("#df-checked li")).to_have_count(12)
        after = served.service.tables.view(table).look(ANNA).view
        assert after.inspection is not None
        colours = [dutchman_words.colour(Words("en"), share) for share in after.inspection.shares]
        assert page.locator("#df-checked li .unseen").all_inner_texts() == colours
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        slip = page.locator("#df-checked")
        assert slip.evaluate("one => one.scrollWidth <= one.clientWidth")
        expect(page.locator("#log")).to_contain_text("Anna asks for the Kontor pile to be checked.")
        line = until_asked(served.service, table, after.round)
        hand.wait_for_line(line)
        press(page, page.locator("#df-waive"), by)
        expect(page.locator("#df-waive")).to_have_count(0)
        assert not any(
            type(event.event.action).__name__ == "Check"
            for event in served.service.tables.view(table).events(None, since=line)
        )
