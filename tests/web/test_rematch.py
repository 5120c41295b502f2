"""Rematches: an offer that both see. Onlookers, and what they may say. An invitation as a code to scan."""

import re
from random import Random
from typing import Any

from playwright.sync_api import expect

from web.browsers import PHONE, Pages
from web.conftest import Come, Served
from web.guests import Guest, open_shanghaien, seat_friend


def finished_table(served: Served, one: Guest, other: Guest, **fields: Any) -> str:
    """Return the path of a table of two whose game is over."""
    path = seat_friend(one, other, **fields)
    table, random = path.split("/")[-1], Random(1)
    while (mover := served.service.tables.info(table).mover) is not None:
        seen = served.service.tables.view(table).look(mover)
        served.service.moves.play(table, mover, seen.number, seen.moves[random.randrange(len(seen.moves))])
    return path


def test_both_see_the_offer_and_it_can_be_declined(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = finished_table(served, anna, bernd)
    anna.press(anna.get(path).button("rematch"))
    offered, waits = bernd.get(path), anna.get(path)
    assert offered.text("rematch-offer") == "Anna offers a rematch."
    assert waits.text("rematch-offer") == "The rematch waits for Bernd."
    assert (offered.button("rematch").text, waits.has("rematch")) == ("Accept the rematch", False)
    assert waits.button("no-rematch").text == "Withdraw the offer"
    declined = bernd.press(offered.button("no-rematch"))
    assert "Not playing: Bernd." in declined.text("rematch-offer")
    assert "Bernd would rather not play a rematch." in anna.get(path).text("chat")
    withdrawn = anna.press(anna.get(path).button("no-rematch"))
    assert not withdrawn.has("rematch-there")
    bernd.press(bernd.get(path).button("rematch"))
    again = anna.press(anna.get(path).button("rematch"))
    assert again.path != path
    assert served.service.tables.info(again.path.split("/")[-1]).status == "playing"
    assert not anna.get(path).has("rematch-offer")


def test_in_browsers_the_offer_blinks_and_spectators_are_counted_and_heard(
    served: Served, pages: Pages, come: Come
) -> None:
    anna, bernd, carla = come(served, "Anna"), come(served, "Bernd"), come(served, "Carla")
    path = finished_table(served, anna, bernd)
    with pages(anna) as one, pages(bernd) as other, pages(carla, **PHONE) as third:
        for page in (one, other, third):
            page.goto(path)
            expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        expect(one.locator("#watching")).to_have_text("One person is watching.")
        expect(third.locator("#where .role")).to_have_text("you are watching")
        assert third.evaluate("document.documentElement.scrollWidth") <= 360
        third.locator("#chat > summary").click()
        third.locator("#text").fill("Well played!")
        third.locator("#say-go").click()
        expect(one.locator("#chat .line").last).to_have_text(re.compile(r"^Carla spectator Well played!$"))
        other.goto("/")  # his page would go to the new table: the offer is made without it
        served.service.opening.rematch(path.split("/")[-1], person(served, path, 1))
        expect(one.locator("#rematch-offer")).to_have_class("offer asked")
        blinks = "getComputedStyle(document.getElementById('rematch-offer')).animationName"
        one.emulate_media(reduced_motion="no-preference")
        assert one.evaluate(blinks) == "offered"
        one.emulate_media(reduced_motion="reduce")
        assert one.evaluate(blinks) == "none"
        expect(third.locator("#rematch-offer")).to_have_count(0)
        one.locator("#rematch").click()
        one.wait_for_url(lambda url: not url.endswith(path))


def person(served: Served, path: str, seat: int) -> str:
    person_id = served.service.tables.view(path.split("/")[-1]).snapshot.seats[seat].person
    assert person_id is not None
    return person_id


def test_an_invitation_can_be_scanned(served: Served, come: Come) -> None:
    anna = come(served, "Anna")
    path = open_shanghaien(anna)
    page = anna.press(anna.get(path).button("invite-2"))
    drawn = page.html.split('<details class="qr" id="qr-2">')[1].split("</details>")[0]
    assert re.search(r'<svg aria-hidden="true" focusable="false" viewBox="0 0 (\d+) \1">', drawn)
    assert "style=" not in drawn
    assert "<script" not in drawn
