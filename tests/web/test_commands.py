"""Commands typed at a table: with scripts and without, in the reader's language and in English."""

import re

from playwright.sync_api import Route, expect

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.view import FaceDown
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Number, Place, Roll
from timeouts import waited_for
from web.browsers import Pages
from web.conftest import Served
from web.guests import Guest, Page
from web.tables import Table, open_known_table
from web.typist import Typist


def guest_at(served: Served, table: Table, seat: int, language: str = "en") -> Guest:
    """Return a guest without scripts who has the session of the seat."""
    guest = Guest(served.address, headers={"accept-language": language})
    guest.client.cookies.set("kontor", table.tokens[seat])
    return guest


def command(guest: Guest, page: Page, typed: str) -> Page:
    return guest.press(page.button("typed-go"), typed=typed)


def test_shanghaien_is_played_in_two_languages(served: Served) -> None:
    table = open_known_table(served.service, "shanghaien", ShanghaienOptions(starter=0), 2, 1)
    with guest_at(served, table, 0, "de") as anna, guest_at(served, table, 1) as bernd:
        page = command(anna, anna.get(table.path), "würf")
        assert table.last() == Roll()
        low, high = table.view.roll
        assert f"Anna würfelt {low} und {high}." in page.text("typed-answer")
        assert page.text("typed-answer").endswith("links · rechts"), "what can be typed next"
        page = command(anna, page, "left")
        assert table.last() == Number("left")
        page = command(anna, page, "7")
        assert page.text("typed-answer") == "„7“ ist hier keine Antwort. Mit ? bekommst du Hilfe."
        page = command(anna, page, "?")
        assert "hand, zuletzt" not in page.text("typed-answer")
        assert "S6" in page.text("typed-answer")
        other = next(number for number in range(1, 7) if number not in (low, high))
        refused = command(anna, page, str(other))
        assert refused.status == 422
        assert refused.has("refused")
        assert f'value="{other}"' in refused.html, "what was typed is not lost"
        page = command(anna, page, str(high))
        assert table.last() == Place(high)

        page = bernd.get(table.path)
        assert command(bernd, page, "last").text("typed-answer").startswith("Round 1 of 8")
        answer = command(bernd, page, "hand").text("typed-answer")
        assert answer == "6 dice in the supply Tricks: none. Crew: none."
        assert "Anna has 1 die here." in command(bernd, page, "row").text("typed-answer")
        assert command(bernd, page, "clock").text("typed-answer") == "No time limit."
        too_late = command(anna, anna.get(table.path), "roll")
        assert "is not an answer here" in command(bernd, page, "nonsense").text("typed-answer")
        assert table.last() == Place(high), "it is not Anna’s turn"
        assert too_late.status == 200


def test_a_hand_is_read_to_its_owner_alone_and_a_lay_is_asked_about(served: Served, pages: Pages) -> None:
    table = open_known_table(served.service, "dutchman", DutchmanOptions(players=3, starter=0), 3, 3)
    first = table.mover
    rack, lucky = table.view.rack, table.view.lucky
    with guest_at(served, table, 1 - first) as other, served.guest("Dora") as dora:
        own = served.service.tables.view(table.id).look(1 - first).view.rack
        answer = command(other, other.get(table.path), "hand").text("typed-answer")
        assert f"Horseshoes: {', '.join(map(str, own[:-1]))} and {own[-1]}." in answer
        page = dora.get(table.path)
        assert command(dora, page, "hand").status == 403, "whoever has no seat has no hand"
    with pages(table.token, viewport={"width": 1366, "height": 650}) as tab:
        tab.goto(table.path)
        expect(tab.locator("#connection")).to_have_attribute("data-is", "live")
        tab.evaluate("window.kept = ['now', 'typed-answer', 'connection'].map((id) => document.getElementById(id))")
        tab.evaluate("window.logs = [...document.querySelectorAll('[role=log]')]")
        tab.keyboard.press("/")
        expect(tab.locator("#typed-field")).to_be_focused()
        typist = Typist(tab, served.service, table.id)
        question = typist.command(f"{rack[0]} {rack[-1]}")
        assert f"Lucky number {lucky}." in question
        assert "Play this?" in question
        assert table.number == int(tab.locator("#state").get_attribute("data-version") or 0) // 100_000
        typist.command("yes")
        assert table.last() == FaceDown(2, (rack[0], rack[-1]))
        expect(tab.locator("#state")).to_have_attribute("data-version", re.compile(rf"^{table.number}\d{{5}}$"))
        assert tab.evaluate("window.kept.every((one) => one.isConnected && one.checkVisibility())")
        assert tab.evaluate("window.logs.every((one) => one.isConnected)"), "what speaks stays what it was"
        tab.keyboard.press("Escape")
        expect(tab.locator("#typed")).to_be_hidden()


def test_what_is_typed_before_its_script_has_come_is_sent_when_it_has(served: Served, pages: Pages) -> None:
    table = open_known_table(served.service, "shanghaien", ShanghaienOptions(starter=0), 2, 1)
    held: list[Route] = []
    with pages(table.token) as tab:
        tab.goto(table.path)
        expect(tab.locator("#connection")).to_have_attribute("data-is", "live")
        tab.route("**/commands.js", lambda route: held.append(route))
        tab.keyboard.press("/")
        expect(tab.locator("#typed")).to_be_visible()
        tab.locator("#typed-field").focus()
        tab.keyboard.type("roll")
        tab.keyboard.press("Enter")
        expect(tab.locator("#typed-field")).to_have_value("roll")
        waited_for(lambda: held, pause=lambda: tab.wait_for_timeout(20))
        held[0].continue_()
        expect(tab.locator("#typed-answer")).to_contain_text("roll")
        expect(tab.locator("#typed-field")).to_have_value("")
        assert table.last() == Roll()
        assert tab.url.endswith(table.path)
