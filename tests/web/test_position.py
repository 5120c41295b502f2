"""A position that no table holds is played on at the real table: with the mouse on the picture, by touch, and without
scripts; and it is all in its address."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from random import Random
from typing import Final
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from kontor.analysis import Variations, decode, of_record
from kontor.analysis import adapter_of as analysed
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules.state import Dice, Lay
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.state import Dice as TavernDice
from kontor.games.shanghaien.rules.state import Number, Place, Roll
from kontor.plugins import game_named
from kontor.web.pages.analysis import Place as Standing
from table.guests import play_one
from timeouts import waited_for
from web.browsers import PHONE, browsing
from web.conftest import Served
from web.guests import Guest
from web.guests import Page as WebPage
from web.positions import table_of

PLAYERS: Final = {"shanghaien": 2, "dutchman": 4}


@pytest.fixture(scope="module", params=sorted(PLAYERS))
def finished(request: pytest.FixtureRequest, served: Served) -> tuple[str, str]:
    """A game, and its table, where the game is over."""
    game: str = request.param
    with ExitStack() as stack:
        guests = [stack.enter_context(served.guest(f"Guest {seat}")) for seat in range(PLAYERS[game])]
        table = table_of(served, guests, game)
    random = Random(2)
    while play_one(served.service, table, random):
        pass
    return game, table


def tree_at(url: str) -> tuple[Variations, int]:
    """The tree of an address, and where one is in it."""
    found = urlsplit(url)
    fields = parse_qs(found.query)
    return decode(found.path.split("/")[2], fields["p"][0]), int(fields["at"][0])


def test_a_position_of_a_finished_game_is_played_on_with_the_mouse(
    served: Served, chromium: Browser, finished: tuple[str, str]
) -> None:
    game, table = finished
    with browsing(chromium, served.address, viewport={"width": 1440, "height": 900}) as page:
        _played_on(page, f"/tables/{table}/analysis?at=1", game)


def test_the_same_by_touch(served: Served, chromium: Browser, finished: tuple[str, str]) -> None:
    game, table = finished
    with browsing(chromium, served.address, None, **PHONE) as page:
        _played_on(page, f"/tables/{table}/analysis?at=1", game)


def _played_on(page: Page, start: str, game: str) -> None:
    """From before the first outcome to a move on the board."""
    page.goto(start)
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url) if "/live" in request.url else None)
    tree, at = tree_at(page.url)
    assert (tree.nodes, at) == ((), -1)
    while tree.state(at).mover == CHANCE:
        page.locator("#chance-draw").click()
        page.wait_for_url(re.compile(rf"at={at + 1}\b"))
        tree, at = tree_at(page.url)
    if game == "shanghaien":
        page.locator('#sh-tray button[value="roll:"], #sh-tray button[value="roll"]').first.click()
        page.wait_for_url(re.compile(rf"at={at + 1}\b"))
        page.locator("#chance-outcome").select_option(label="Seat 1 rolls 2 and 3.")
        page.locator("#chance-set").click()
        page.wait_for_url(re.compile(rf"at={at + 2}\b"))
        tree, at = tree_at(page.url)
        assert [node.action for node in tree.nodes[-2:]] == [Roll(), TavernDice(2, 3)]
        page.locator('[name="move"][value^="number"], [name="move"][value^="place"]').first.click()
        page.wait_for_url(re.compile(rf"at={at + 1}\b"))
        tree, at = tree_at(page.url)
        assert isinstance(tree.nodes[at].action, Number | Place)
    else:
        page.locator('label:has([name="shoe"])').first.click()
        page.locator("#df-lay").click()
        page.wait_for_url(re.compile(rf"at={at + 1}\b"))
        tree, at = tree_at(page.url)
        assert isinstance(tree.nodes[at].action, Lay)
        assert isinstance(tree.nodes[at - 1].action, Dice)
    expect(page.locator(f"#tried-{at}")).to_have_attribute("aria-current", "true")
    page.locator("#walk-back").click()
    page.wait_for_url(re.compile(rf"at={at - 1}\b"))
    assert streams == []


def test_without_scripts_a_move_is_made_and_walked_back(served: Served, finished: tuple[str, str]) -> None:
    _, table = finished
    with served.guest() as anybody:
        seen = anybody.get(f"/tables/{table}/analysis?at=1")
        for _ in range(3):
            if 'id="chance-draw"' in seen.html:
                seen = anybody.press(seen.button("chance-draw"))
        assert 'id="tried-0"' in seen.html
        back = anybody.press(seen.button("tried-0"))
        assert re.search(r'id="tried-0"[^>]* aria-current="true"', back.html)


def test_only_a_game_that_is_over_is_analysed(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = table_of(served, [anna, bernd], "shanghaien")
        play_one(served.service, table, Random(1))
        assert anna.get(f"/tables/{table}/analysis?at=2").status == 409


def test_the_address_is_the_record(served: Served, finished: tuple[str, str]) -> None:
    _, table = finished
    record = served.service.record(table)
    with served.guest() as anybody:
        for steps in (0, 3, len(record.steps) // 2, len(record.steps)):
            url = str(anybody.get(f"/tables/{table}/analysis?at={steps + 1}").answer.url)
            tree, at = tree_at(url)
            assert tree == of_record(record, steps)
            assert at == tree.last()


@pytest.mark.parametrize("game", sorted(PLAYERS))
def test_what_is_no_position_is_refused_with_a_sentence(served: Served, game: str) -> None:
    with served.guest() as anybody:
        for nonsense in ("", "x", "eNpjAAAAAQAB", "%00", "a" * 7000):
            answer = anybody.get(f"/analysis/{game}?p={nonsense}")
            assert answer.status == 422, nonsense
            assert "This is no position" in answer.html
        assert anybody.get("/analysis/chess").status == 404


def drawn_to_a_move(anybody: Guest, start: str) -> WebPage:
    """From a place on the analysis board until a player is to move."""
    seen = anybody.get(start)
    while seen.has("chance-draw"):
        seen = anybody.press(seen.button("chance-draw"))
    return seen


def looked_at_until(anybody: Guest, page: WebPage, done: Callable[[WebPage], bool]) -> WebPage:
    """A page is looked at again and again, as it asks browsers without scripts to."""

    def looked_at() -> WebPage | None:
        again = anybody.get(str(page.answer.url))
        return again if done(again) else None

    return waited_for(looked_at)


def test_what_moves_are_worth_is_shown_when_it_is_asked_for(served: Served, finished: tuple[str, str]) -> None:
    game, table = finished
    with served.guest() as anybody:
        seen = drawn_to_a_move(anybody, f"/tables/{table}/analysis?at=30")
        assert not seen.has("weighed-moves")
        asked = anybody.press(seen.button("weigh-on"))
        weighed = looked_at_until(anybody, asked, lambda page: page.has("weighed-moves"))
        assert "%" in weighed.text("weighed-moves")
        on = anybody.press(weighed.button("weighed-0"))
        tree, at = tree_at(str(on.answer.url))
        assert tree.nodes[at].action in list(game_named(game).moves(tree.state(tree.nodes[at].parent)))
        assert ("beliefs-shares" in weighed.html) == (game == "dutchman")


def test_a_machine_player_moves_for_all_others(served: Served, finished: tuple[str, str]) -> None:
    _, table = finished
    with served.guest() as anybody:
        seen = drawn_to_a_move(anybody, f"/tables/{table}/analysis?at=30")
        tree, at = tree_at(str(seen.answer.url))
        other = 1 - min(1, tree.state(at).mover)
        asked = anybody.press(seen.button("oppose-go"), **{"as": str(other), "with": "casual"})
        done = looked_at_until(anybody, asked, lambda page: not page.has("opponent-thinks"))
        tree, at = tree_at(str(done.answer.url))
        assert tree.state(at).mover in (other, OVER)


def test_a_link_shows_the_same_in_another_browser(
    served: Served, chromium: Browser, finished: tuple[str, str]
) -> None:
    _, table = finished
    with served.guest() as anybody:
        seen = drawn_to_a_move(anybody, f"/tables/{table}/analysis?at=30")
        link = str(seen.answer.url)
        with browsing(chromium, served.address) as page:
            page.goto(link)
            shared = page.locator("#share-link").input_value()
            assert shared == link
            page.goto(shared)
            assert page.locator("#share-link").input_value() == link


ROW: Final = ("A3", "F1", "nudge", "T4", "C2", "D1")
SET_UP: Final = {
    "round": "8",
    **{f"row{place}": which for place, which in enumerate(ROW)},
    "placed0": "1 3",
    "placed1": "22",
    "one_at": "left",
    "crew0-G4": "1",
    "crew0-joker-G": "1",
    "crew0-both": "1",
    "crew1-S3": "2",
}


def test_a_position_is_set_up_by_a_form(served: Served) -> None:
    with served.guest() as anybody, served.guest() as other:
        form = anybody.get("/analysis/shanghaien/setup")
        shown = anybody.press(form.button("setup-go"), **SET_UP)
        assert shown.path == "/analysis/shanghaien"
        link = str(shown.answer.url)
        tree, _ = tree_at(link)
        state = tree.begin
        assert (state.row, state.placed[0], state.one_at) == (ROW, (1, 0, 1, 0, 0, 0), "left")
        assert (state.crews[0].sailors, state.crews[0].tricks, len(state.crews[0].jokers)) == (("G4",), ("both",), 1)
        # Another browser has it byte for byte, and its form holds what was written.
        assert str(other.get(link).answer.url) == link
        again = other.press(other.get(link).button("set-up-go"))
        assert tree_at(str(other.press(again.button("setup-go"), **SET_UP).answer.url))[0].begin == state
        assert re.search('id="crew1-S3"[^>]* value="2"', again.html)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"placed1": "2 2 2 2"}, "these dice do not go together"),
        ({"placed1": "7"}, "are no dice"),
        ({"one_at": ""}, "Where the 1 is"),
        ({"row5": ""}, "Six cards lie in the tavern, not 5"),
        ({"crew1-A3": "2"}, "There are not so many cards"),
        ({"crew1-A3": "x"}, "is a whole number"),
        ({"crew1-joker-F": "1"}, "with own sailors of its nation"),
        ({"round": "1"}, "In round 1 42 cards are still to come"),
        ({"roll": "3"}, "Two dice are rolled"),
    ],
)
def test_what_cannot_be_set_up_is_refused_and_the_form_stays(
    served: Served, changed: dict[str, str], said: str
) -> None:
    with served.guest() as anybody:
        form = anybody.get("/analysis/shanghaien/setup")
        refused = anybody.press(form.button("setup-go"), **SET_UP | changed)
        assert refused.status == 422
        assert said in refused.text("refused")
        assert re.search('id="crew0-G4"[^>]* value="1"', refused.html)


def test_there_is_no_engine_for_the_game_that_one_plays(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as anybody:
        table = table_of(served, [anna, bernd], "shanghaien")
        state = SHANGHAIEN.imagine(served.service.table_view(table).look(0).view, Random(0).randrange)
        setup = analysed("shanghaien").setup_of(state)
        tree = Variations("shanghaien", analysed("shanghaien").state_of(setup, state.options))
        link = Standing(tree, values=True).address()
        assert "You are playing this position" in anna.get(link).text("worths-refused")
        assert not anybody.get(link).has("worths-refused")
