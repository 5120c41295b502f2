"""Whole games of the Holländer, from the lobby to the totals: two computer players, two people in two browsers."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kontor.games.dutchman.rules.state import Agreed, Bankrupt, Revealed
from kontor.records import GameEnding, decode, replay, verify
from web.browsers import MOVING, FirstFew, Hand, Pages, come_in, open_form, seat_machine, table_of
from web.conftest import Served
from web.prepared import ANNA, BERND, NAMES, NUMBER, PEOPLE, at_line, lines, owned_seed, prepared, seed_of
from web.typist import Typist


@pytest.mark.extended  # the usual run plays each decision of it, and Shanghaien to the end
def test_a_whole_game_of_the_hollaender_with_two_people_and_two_machine_players(
    served: Served, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play by the mouse on the board against typing."""
    owned_seed(monkeypatch, seed_of(NUMBER))
    with pages(**MOVING) as hers, pages() as his:
        open_and_invite(hers, his)
        table = table_of(hers)
        hands = {ANNA: Hand(hers), BERND: Typist(his, served.service, table)}
        states, first_few = list(replay(prepared())), FirstFew()
        for number, step in lines():
            if step.seat in PEOPLE:
                at_line(served.service, table, number - 1)
                if first_few(step.seat, step.action):
                    hand = hands[step.seat]
                    hand.wait_for_line(number - 1)
                    expect(hand.page.locator("#now")).to_contain_text("Your turn: ")
                    hand.make(step.action)
                else:
                    served.service.moves.play(table, step.seat, number - 1, step.action)
            for happening in states[number - 1].happened:
                look_at(happening, states[number - 1], hers, his)
        at_the_end(hers, his)


def open_and_invite(hers: Page, his: Page) -> None:
    """Open a table with two computer players as Anna, and let Bernd sit down by her link."""
    come_in(hers, "Anna")
    open_form(hers, "dutchman")
    for chair in (2, 4):
        seat_machine(hers, chair, "random")
        hers.locator(f"#name-{chair}").fill(NAMES[chair - 1])
    hers.locator("#chair-3").select_option("friend")
    hers.locator("#circles").select_option("1")
    hers.locator("#tempo").select_option("at once")
    hers.locator("#open-it").click()
    hers.locator("#invite-3").click()
    his.goto(hers.locator("#link-3").input_value())
    his.locator("#name").fill("Bernd")
    his.locator("#sit").click()
    expect(his.locator("#board")).to_be_visible()


def look_at(happening: Any, state: Any, hers: Page, his: Page) -> None:
    """Check that both see the payments of a bargain, the lays of a deciding round, and a bankruptcy."""
    for page in (hers, his):
        match happening:
            case Agreed(tied, ducats) if any(ducats):
                for seat in tied:
                    cash = page.locator(f"#df-fact-{seat}-coin > span[aria-hidden]")
                    expect(cash).to_have_text(str(state.merchants[seat].cash))
            case Revealed() if len(state.revealed) > 1:
                expect(page.locator("#board")).to_contain_text(f"Deciding round for {state.lucky}")
            case Bankrupt():
                expect(page.locator(f"#df-plate-{BERND}")).to_contain_text("bankrupt since round")
                expect(his.locator('button[name="move"]')).to_have_count(0)


def at_the_end(hers: Page, his: Page) -> None:
    with hers.expect_download() as downloading:
        hers.get_by_role("link", name="Download record").click()
    record = decode(Path(downloading.value.path()).read_bytes())
    assert verify(record).dice
    assert record.steps == prepared().steps
    assert isinstance(record.ending, GameEnding)
    for page in (hers, his):
        expect(page.locator("#ending")).to_be_visible()
        for seat, points in enumerate(record.ending.result.points):
            expect(page.locator(f"#df-total-{seat} .df-points")).to_have_text(str(points))
