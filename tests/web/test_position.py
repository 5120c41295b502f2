"""Positions that no table holds, played on at the real table: with the mouse, by touch, and without scripts.

Such a position is wholly in its address.
"""

import re
from collections.abc import Callable
from contextlib import ExitStack
from html import escape
from random import Random
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from guests import play_one
from kontor.analysis import Variations, decode, of_record, of_view
from kontor.analysis import adapter_of as analysed
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.state import Dice, Lay
from kontor.games.shanghaien.rules import View as TavernView
from kontor.games.shanghaien.rules.state import Dice as TavernDice
from kontor.games.shanghaien.rules.state import Number, Place, Roll
from kontor.plugins import game_named
from kontor.puzzles.collection import puzzles_of
from kontor.studies.pages.analysis import Place as Standing
from kontor.studies.pages.puzzles import position_of
from timeouts import waited_for
from web.browsers import PHONE, Chromium, browsing
from web.conftest import Served
from web.guests import Guest
from web.guests import Page as WebPage
from web.positions import table_of

PLAYERS: Final = {"shanghaien": 2, "dutchman": 4}


@pytest.fixture(scope="module", params=sorted(PLAYERS))
def finished_table(request: pytest.FixtureRequest, served: Served) -> tuple[str, str]:
    """Return a game, and a table at which it is over."""
    game: str = request.param
    with ExitStack() as stack:
        guests = [stack.enter_context(served.guest(f"Guest {seat}")) for seat in range(PLAYERS[game])]
        table = table_of(served, guests, game)
    random = Random(2)
    while play_one(served.service, table, random):
        pass
    return game, table


def tree_at(url: str) -> tuple[Variations, int]:
    """Return the tree of an address, and the number of the node shown."""
    address = urlsplit(url)
    fields = parse_qs(address.query)
    return decode(address.path.split("/")[2], fields["p"][0]), int(fields["at"][0])


def test_a_position_of_a_finished_game_is_played_on_with_the_mouse(
    served: Served, chromium: Chromium, finished_table: tuple[str, str]
) -> None:
    game, table = finished_table
    with browsing(chromium, served.address, viewport={"width": 1440, "height": 900}) as page:
        _played_on(page, f"/tables/{table}/analysis?at=1", game)


def test_the_same_by_touch(served: Served, chromium: Chromium, finished_table: tuple[str, str]) -> None:
    game, table = finished_table
    with browsing(chromium, served.address, None, **PHONE) as page:
        _played_on(page, f"/tables/{table}/analysis?at=1", game)


def _played_on(page: Page, start: str, game: str) -> None:
    """Play on from before the first outcome to a move on the board."""
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
        outcome = page.locator("#chance-outcome option").filter(has_text=" rolls 2 and 3.").get_attribute("value")
        page.locator("#chance-outcome").select_option(outcome)
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


def test_without_scripts_a_move_is_made_and_walked_back(stranger: Guest, finished_table: tuple[str, str]) -> None:
    _, table = finished_table
    seen = stranger.get(f"/tables/{table}/analysis?at=1")
    for _ in range(3):
        if 'id="chance-draw"' in seen.html:
            seen = stranger.press(seen.button("chance-draw"))
    assert 'id="tried-0"' in seen.html
    back = stranger.press(seen.button("tried-0"))
    assert re.search(r'id="tried-0"[^>]* aria-current="true"', back.html)


def without_awards(view: Any) -> Any:
    """Return a view without the awards of Shanghaien's last round, which are shown only until the next roll.

    The cards that left the game are sorted, because their order doesn't matter.
    """
    if not isinstance(view, TavernView):
        return view
    return replace(view, awards=(), awards_one_at=None, gone=tuple(sorted(view.gone)))


@pytest.mark.parametrize("game", sorted(PLAYERS))
def test_a_running_game_is_opened_by_its_players_alone_and_as_they_see_it(served: Served, game: str) -> None:
    with ExitStack() as stack:
        guests = [stack.enter_context(served.guest(f"Guest {seat}")) for seat in range(PLAYERS[game])]
        table = table_of(served, guests, game)
        random = Random(1)
        for _ in range(9):
            play_one(served.service, table, random)
        assert stack.enter_context(served.guest()).get(f"/tables/{table}/analysis").status in (403, 409)
        for seat, guest in enumerate(guests):
            page = guest.get(f"/tables/{table}/analysis")
            assert page.status == 200
            tree, at = tree_at(str(page.answer.url))
            seen = served.service.tables.view(table).look(seat).view
            assert without_awards(game_named(game).view(tree.state(at), seat)) == without_awards(seen)
            assert page.has("plays")
            assert not page.has("weigh-on")
            assert not page.has("oppose-go")
        assert 'id="try-there"' in guests[0].get(f"/tables/{table}").html


def test_the_address_is_the_record(served: Served, stranger: Guest, finished_table: tuple[str, str]) -> None:
    _, table = finished_table
    record = served.service.tables.record(table)
    for steps in (0, 3, len(record.steps) // 2, len(record.steps)):
        url = str(stranger.get(f"/tables/{table}/analysis?at={steps + 1}").answer.url)
        tree, at = tree_at(url)
        assert tree == of_record(record, steps)
        assert at == tree.last()


@pytest.mark.parametrize("game", sorted(PLAYERS))
def test_what_is_no_position_is_refused_with_a_sentence(stranger: Guest, game: str) -> None:
    for nonsense in ("", "x", "eNpjAAAAAQAB", "%00", "a" * 7000):
        answer = stranger.get(f"/analysis/{game}?p={nonsense}")
        assert answer.status == 422, nonsense
        assert "This is not a position" in answer.html
    assert stranger.get("/analysis/chess").status == 404


def drawn_to_a_move(anybody: Guest, start: str) -> WebPage:
    """Draw outcomes on the analysis board until a player is to move; return that page."""
    seen = anybody.get(start)
    while seen.has("chance-draw"):
        seen = anybody.press(seen.button("chance-draw"))
    return seen


def looked_at_until(anybody: Guest, page: WebPage, done: Callable[[WebPage], bool]) -> WebPage:
    """Request a page again and again until it is done, as it asks browsers without scripts to."""

    def looked_at() -> WebPage | None:
        again = anybody.get(str(page.answer.url))
        return again if done(again) else None

    return waited_for(looked_at)


def played_on(anybody: Guest, waiting: WebPage, seat: int) -> tuple[Variations, int]:
    """Return the tree and node of the address once it is the seat's turn again, or the game is over.

    Before, requests may be refused for a while: all tests share one address, and may exceed its limits.
    """

    def is_own_turn(page: WebPage) -> bool:
        tree, at = tree_at(str(page.answer.url))
        return tree.state(at).mover in (seat, OVER)

    return tree_at(str(looked_at_until(anybody, waiting, is_own_turn).answer.url))


def test_what_moves_are_worth_is_shown_when_it_is_asked_for(stranger: Guest, finished_table: tuple[str, str]) -> None:
    game, table = finished_table
    seen = drawn_to_a_move(stranger, f"/tables/{table}/analysis?at=30")
    assert not seen.has("weighed-moves")
    waiting = stranger.press(seen.button("weigh-on"))
    weighed = looked_at_until(stranger, waiting, lambda page: page.has("weighed-moves"))
    assert "%" in weighed.text("weighed-moves")
    weighed = looked_at_until(stranger, waiting, lambda page: ("beliefs-shares" in page.html) == (game == "dutchman"))
    on = stranger.press(weighed.button("weighed-0"))
    tree, at = tree_at(str(on.answer.url))
    assert tree.nodes[at].action in list(game_named(game).moves(tree.state(tree.nodes[at].parent)))


def test_the_board_keeps_the_names_of_its_table(served: Served, finished_table: tuple[str, str]) -> None:
    _, table = finished_table
    names = [seat.name for seat in served.service.tables.info(table).seats]
    with served.guest() as stranger:
        seen = drawn_to_a_move(stranger, f"/tables/{table}/analysis?at=30")
        assert all(name in seen.html for name in names)
        moved = stranger.press(seen.moves[0])
        assert all(name in moved.html for name in names)
        link = re.search(r'id="share-link"[^>]*value="([^"]+)"', moved.html)
        assert link
        assert "table=" not in link[1]
        assert stranger.get(f"/analysis/{served.service.tables.info(table).game}?table=nothing").status == 200


def test_a_machine_player_moves_for_all_others(stranger: Guest, finished_table: tuple[str, str]) -> None:
    _, table = finished_table
    seen = drawn_to_a_move(stranger, f"/tables/{table}/analysis?at=30")
    tree, at = tree_at(str(seen.answer.url))
    other = 1 - min(1, tree.state(at).mover)
    waiting = stranger.press(seen.button("oppose-go"), **{"as": str(other), "with": "casual"})
    tree, at = played_on(stranger, waiting, other)
    assert tree.state(at).mover in (other, OVER)


def test_a_link_shows_the_same_in_another_browser(
    served: Served, stranger: Guest, chromium: Chromium, finished_table: tuple[str, str]
) -> None:
    _, table = finished_table
    seen = drawn_to_a_move(stranger, f"/tables/{table}/analysis?at=30")
    here = str(seen.answer.url)
    with browsing(chromium, served.address) as page:
        page.goto(here)
        shared = page.locator("#share-link").input_value()
        assert shared == here.removesuffix(f"&table={table}") != here
        page.goto(shared)
        assert page.locator("#share-link").input_value() == shared


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
        board = anybody.press(form.button("setup-go"), **SET_UP)
        assert board.path == "/analysis/shanghaien"
        link = str(board.answer.url)
        tree, _ = tree_at(link)
        state = tree.begin
        assert (state.row, state.placed[0], state.one_at) == (ROW, (1, 0, 1, 0, 0, 0), "left")
        assert (state.crews[0].sailors, state.crews[0].tricks, len(state.crews[0].jokers)) == (("G4",), ("both",), 1)
        # Another browser gets the same address, and its form holds what was written.
        assert str(other.get(link).answer.url) == link
        again = other.press(other.get(link).button("set-up-go"))
        assert tree_at(str(other.press(again.button("setup-go"), **SET_UP).answer.url))[0].begin == state
        assert re.search('id="crew1-S3"[^>]* value="2"', again.html)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"placed1": "2 2 2 2"}, "these dice do not go together"),
        ({"placed1": "7"}, "are not dice"),
        ({"one_at": ""}, "Decide where the 1 is"),
        ({"row5": ""}, "Six cards lie in the tavern, not 5"),
        ({"crew1-A3": "2"}, "There are not so many cards"),
        ({"crew1-A3": "x"}, "is a whole number"),
        ({"crew1-joker-F": "1"}, "with own sailors of its nation"),
        ({"round": "1"}, "In round 1 42 cards are still to come"),
        ({"roll": "3"}, "Two dice are rolled"),
    ],
)
def test_what_cannot_be_set_up_is_refused_and_the_form_stays(
    stranger: Guest, changed: dict[str, str], reason: str
) -> None:
    form = stranger.get("/analysis/shanghaien/setup")
    refused = stranger.press(form.button("setup-go"), **SET_UP | changed)
    assert refused.status == 422
    assert reason in refused.text("refused")
    assert re.search('id="crew0-G4"[^>]* value="1"', refused.html)


def test_there_is_no_engine_for_the_game_that_one_plays(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest() as stranger:
        table = table_of(served, [anna, bernd], "shanghaien")
        view = served.service.tables.view(table).look(0).view
        tree = of_view("shanghaien", view)
        assert tree is not None
        tried, at = tree.tried(tree.last(), Roll()) if view.step == "turn" else (tree, tree.last())
        setup = analysed("shanghaien").setup_of(tree.begin)
        assert setup is not None
        # The hidden parts may differ, and the seats may have changed places.
        others = sorted(tree.begin.to_come)
        for changed in (
            setup,
            replace(setup, gone=()),
            replace(setup, starter=1 - setup.starter, turn=1 - setup.turn, placed=setup.placed[::-1]),
        ):
            copy = Variations("shanghaien", analysed("shanghaien").state_of(changed, tree.begin.options))
            link = Standing(copy, values=True).address()
            assert anna.get(link).has("plays")
            assert not anna.get(link).has("weighed-moves")
            assert not anna.get(link).has("values-thinking")
            assert not stranger.get(link).has("plays")
        assert others
        link = Standing(tried, at, eyes=0, values=True, against="steady").address()
        assert anna.get(link).has("plays")
        assert not anna.get(link).has("opponent-thinks")


def test_a_copy_of_a_running_game_with_other_hidden_cards_has_no_engine_either(served: Served) -> None:
    with ExitStack() as stack:
        guests = [stack.enter_context(served.guest(f"Guest {seat}")) for seat in range(4)]
        table = table_of(served, guests, "dutchman")
        view = served.service.tables.view(table).look(2).view
        for seed in range(3):
            state = DUTCHMAN.imagine(view, Random(seed).randrange)
            tree = of_view("dutchman", DUTCHMAN.view(state, 2))
            assert tree is not None
            link = Standing(tree, tree.last(), eyes=2, values=True).address()
            assert guests[2].get(link).has("plays")
            assert not guests[1].get(link).has("plays")


def test_every_puzzle_opens_on_the_board_as_it_is_seen(stranger: Guest) -> None:
    for game in sorted(PLAYERS):
        for number, puzzle in enumerate(puzzles_of(game).values()):
            view = position_of(puzzle).view
            tree = of_view(game, view)
            assert tree is not None
            assert without_awards(game_named(game).view(tree.state(tree.last()), view.seat)) == without_awards(view)
            if number % 40:
                continue
            link = Standing(tree, tree.last(), view.seat).address()
            page = stranger.get(f"/puzzles/{game}/{puzzle.id}?move=0")
            assert escape(link) in page.html
            board = stranger.get(link)
            assert board.has("oppose-go")
            on = stranger.press(board.button("oppose-go"), **{"as": str(view.seat), "with": "casual"})
            assert on.status == 200


def test_the_row_is_chosen_card_by_card(stranger: Guest) -> None:
    seen = stranger.get("/analysis/shanghaien")
    while not seen.has("choose-F3"):
        seen = stranger.press(seen.button("chance-draw"))
    for which in ("F3", "nudge", "F3", "A1"):
        seen = stranger.press(seen.button(f"choose-{which}"))
    assert not seen.has("choose-F3")  # both are in the row now
    seen = stranger.press(seen.button("choose-back"))
    laid = stranger.press(seen.button("choose-set"))
    tree, at = tree_at(str(laid.answer.url))
    assert tree.state(at).row[:3] == ("F3", "nudge", "F3")
    assert len(tree.state(at).row) == 6
    wrong = stranger.press(seen.button("choose-set"), choose="F3 F3 F3")
    assert wrong.status == 422
    assert "There are not so many cards" in wrong.html


def test_a_dutchman_position_is_set_up_by_a_form(served: Served) -> None:
    with served.guest() as anybody, served.guest() as other:
        form = anybody.get("/analysis/dutchman/setup")
        five = anybody.press(form.button("size-5"), cash2="7")
        assert five.has("cash4")
        assert re.search(r'id="cash2"[^>]* value="7"', five.html)
        board = anybody.press(five.button("setup-go"), **SET_UP_DUTCHMAN)
        assert board.path == "/analysis/dutchman"
        link = str(board.answer.url)
        tree, _ = tree_at(link)
        view = DUTCHMAN.view(tree.begin, 1)
        assert (view.shares, view.rack, view.round, view.counter) == (("blue", "blue", "red"), (45, 10, 10, 1), 4, 3)
        assert view.players[2].cash == 7
        assert view.players[3].at_least == (1, 0, 0, 0, 0, 0)
        assert view.pile[-1] == "green"
        assert "as=1" in link
        # A position before its lucky number is rolled can be played on: outcomes are drawn, and others move.
        waiting = anybody.press(board.button("oppose-go"), **{"as": "1", "with": "casual"})
        tree, _ = played_on(anybody, waiting, 1)
        assert isinstance(tree.nodes[0].action, Dice)
        # Another browser gets the same address, and its form holds what was written.
        assert str(other.get(link).answer.url) == link
        again = other.press(other.get(link).button("set-up-go"))
        assert re.search('id="gold45"[^>]* checked', again.html)
        same = other.press(again.button("setup-go"), **SET_UP_DUTCHMAN)
        assert str(same.answer.url) == link


SET_UP_DUTCHMAN: Final = {
    "players": "5",
    "as": "1",
    "round": "4",
    "starts": "3",
    "lies": "1-0",
    "from": "",
    "counter": "3",
    "stone-blue": "1",
    "stone-yellow": "3",
    "stone-green": "2",
    "stone-orange": "3",
    "stone-red": "3",
    "stone-violet": "3",
    "share-blue": "2",
    "share-red": "1",
    "gold45": "yes",
    "silver10": "2",
    "silver1": "1",
    "cash2": "7",
    "knows3-blue": "1-3",
    "pile7": "by0",
    "pile8": "green",
}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"share-red": "2"}, "holds 4 shares, not three"),
        ({"from": "4-4"}, "No line leads"),
        ({"stone-red": "4"}, "is ahead of the black one"),
        ({"stone-green": "1"}, "Two markers stand on one chest"),
        ({"stone-blue": "3"}, "One marker must stand on the 2"),
        ({"knows3-blue": "3-3"}, "There are only 4 shares of each ship"),
        ({"knows1-blue": "0-0"}, "do not fit what this player holds"),
        ({"known2": "45"}, "There are not so many horseshoes 45"),
        ({"known2": "49"}, "“49” is not a horseshoe"),
        ({"middle-known": "44 43", "middle": "1"}, "More horseshoes are known in the middle"),
        ({"shoes2": "58"}, "There are 60 horseshoes in all"),
        ({"pile0": "by0"}, "Shares put back must lie below"),
        ({"cash2": "-1"}, "write a whole number up to 9999"),
        ({"out1": "1"}, "Someone bankrupt"),
        ({"out3": "1"}, "someone still in the game"),
    ],
)
def test_what_cannot_be_set_up_of_the_dutchman_is_refused_and_the_form_stays(
    stranger: Guest, changed: dict[str, str], reason: str
) -> None:
    form = stranger.press(stranger.get("/analysis/dutchman/setup").button("size-5"))
    refused = stranger.press(form.button("setup-go"), **SET_UP_DUTCHMAN | changed)
    assert refused.status == 422
    assert reason in refused.text("refused")
    assert re.search('id="gold45"[^>]* checked', refused.html)


def test_the_dutchman_is_put_on_the_chart_with_the_mouse(served: Served, chromium: Chromium) -> None:
    for size in ({"viewport": {"width": 1440, "height": 900}}, PHONE):
        with browsing(chromium, served.address, **size) as page:
            page.goto("/analysis/dutchman/setup")
            page.locator("#lies-1-0").locator("xpath=..").click()
            page.locator("label:has(#gold45)").click()
            for which in ("blue", "red", "green"):
                page.locator(f"#share-{which}").fill("1")
            page.locator("#round").fill("2")
            page.locator("#setup-go").click()
            page.wait_for_url(re.compile("p="))
            tree, _ = tree_at(page.url)
            assert tree.begin.merchants[0].gold == (45,)
            assert tree.begin.sea.chart.fields[0].name != tree.begin.dutchman
