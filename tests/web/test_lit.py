"""Highlighted things can be clicked everywhere: the whole card, the whole ship. Mouse and touch are real."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import Accept, Name, Pass, Propose, Sail, Show, Smith
from kontor.games.dutchman.rules.view import FaceDown
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Both, Joker, Nudge, Number, Place, Reroll, Roll
from kontor.games.shanghaien.web.moves import field_of
from profiles import extended_after
from web.browsers import PHONE, Hand, Pages, begin_press, known_as
from web.conftest import Served
from web.firefox import IN_FIREFOX, Firefox
from web.tables import Table, brought_there, open_known_table

WAYS: Final[dict[str, dict[str, Any]]] = {"mouse": {"viewport": {"width": 1280, "height": 900}}, "touch": PHONE}
MOUSE_FIRST: Final = extended_after(1, ["mouse", "touch"])
TOUCH_FIRST: Final = extended_after(1, ["touch", "mouse"])
"""In ``./test`` captains press with the mouse and merchants by touch; in ``./test --all`` both in both ways."""
SPOTS: Final = ((0.5, 0.5), (0.12, 0.1), (0.88, 0.1), (0.12, 0.9), (0.88, 0.9))
"""Points where a picture is pressed: parts of its width and height."""
IN_A_ROUND_ONE: Final = ((0.5, 0.5), (0.2, 0.3), (0.8, 0.3), (0.3, 0.82), (0.7, 0.82))
"""Points where a round picture is pressed."""

INTO_VIEW: Final = """one => {
    one.scrollIntoView({ block: "center", behavior: "instant" });
    return one.getBoundingClientRect().toJSON();
}"""
"""Script that scrolls an element into view, and returns its box."""

HOLD: Final = """() => {
    window.held = [];
    window.hold = (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        window.held.push(event.submitter.value);
    };
    addEventListener("submit", window.hold, { capture: true });
}"""
"""Script that holds back all moves from now on, and lists them."""

LET_GO: Final = "() => { removeEventListener('submit', window.hold, { capture: true }); return window.held; }"
"""Script that lets moves be sent again, and returns those that were held back."""

LINE: Final = "document.getElementById('state').dataset.version.slice(0, -5)"
"""Script that returns the last line that a page shows."""


@contextmanager
def at_table(pages: Pages, served: Served, table: Table, way: str) -> Iterator[Page]:
    """Yield the page of the mover."""
    with pages(**WAYS[way]) as page:
        come_to(page, served, table)
        yield page


def come_to(page: Page, served: Served, table: Table) -> None:
    """Let the page show the table to its mover."""
    known_as(page, served.address, table.token)
    page.goto(table.path)
    expect(page.locator("#connection")).to_have_attribute("data-is", "live")


def press(page: Page, way: str, element: Locator, spot: tuple[float, float]) -> None:
    """Press a point of an element and release.

    As with a hand, an element that lies on top gets the press.
    """
    element.wait_for()
    begin_press(page)
    box = element.evaluate(INTO_VIEW)
    x, y = box["x"] + box["width"] * spot[0], box["y"] + box["height"] * spot[1]
    if way == "touch":
        page.touchscreen.tap(x, y)
        return
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.up()


def moves_of(page: Page, way: str, presses: Sequence[tuple[Locator, tuple[float, float]]]) -> list[str]:
    """Return the moves that would be sent by presses of elements, at a point of each; none of them is sent."""
    page.evaluate(HOLD)
    for number, (element, spot) in enumerate(presses, 1):
        press(page, way, element, spot)
        page.wait_for_function("(number) => window.held.length === number", arg=number)
    moves: list[str] = page.evaluate(LET_GO)
    return moves


def wait_for_move(page: Page, table: Table, before: int) -> Any:
    """Return the move that was made, once the page shows it."""
    expect(page.locator("#state")).not_to_have_attribute("data-version", re.compile(rf"^{before}\d{{5}}$"))
    return table.last()


def tavern(served: Served, trick: Any = None, seed: int = 1) -> Table:
    table = open_known_table(served.service, "shanghaien", ShanghaienOptions(starter=0, first_trick=trick), 2, seed)
    table.play(Roll())
    return table


def on(table: Table, seat: int, step: str) -> None:
    """Let the captains roll and place until the seat is at this step of its turn."""
    while table.mover != seat or table.view.step != step:
        table.play(Roll() if table.view.step == "turn" else Place(table.view.roll[0]))


# -------------------------------------------------------------------------------------------------------- the tavern


@pytest.mark.parametrize("way", MOUSE_FIRST)
def test_a_lit_card_takes_the_die_wherever_it_is_pressed(served: Served, pages: Pages, way: str) -> None:
    table = tavern(served)
    table.play(Number("left"))
    parts = [(".place .face", spot) for spot in SPOTS]
    parts += [(".number", (0.5, 0.5)), (".landing .die", (0.5, 0.5))]
    with at_table(pages, served, table, way) as page:
        cards = page.locator(".stand.for-mine").all()
        assert len(cards) == 2
        for card in cards:
            number = int(card.locator(".number").inner_text())
            moves = moves_of(page, way, [(card.locator(part), spot) for part, spot in parts])
            assert moves == [field_of(Place(number))] * len(parts)
        before = table.number
        press(page, way, cards[-1].locator(".place .face"), SPOTS[0])
        assert wait_for_move(page, table, before) == Place(number)


@pytest.mark.parametrize("way", MOUSE_FIRST)
def test_a_captain_and_his_numbers_are_pressed_anywhere(served: Served, pages: Pages, way: str) -> None:
    table = tavern(served)
    parts = ((".captain", (0.5, 0.8)), (".numbers span:nth-child(3)", (0.5, 0.5)), ("", (0.8, 0.15)))
    with at_table(pages, served, table, way) as page:
        for end in ("left", "right"):
            presses = [(page.locator(f".rail.{end} {part}".strip()), spot) for part, spot in parts]
            assert moves_of(page, way, presses) == [f"number:{end}"] * len(parts)
        before = table.number
        press(page, way, page.locator(".rail.right .captain"), SPOTS[0])
        assert wait_for_move(page, table, before) == Number("right")


@pytest.mark.parametrize("way", MOUSE_FIRST)
@pytest.mark.parametrize(("trick", "move"), [("both", Both()), ("reroll", Reroll())])
def test_a_half_that_plays_at_once_is_pressed_anywhere(
    served: Served, pages: Pages, way: str, trick: Any, move: Any
) -> None:
    table = tavern(served, trick)
    with at_table(pages, served, table, way) as page:
        half = page.locator(f"#sh-trick-{trick} .half.lower")
        spots = (SPOTS[0], SPOTS[1], SPOTS[4])
        assert moves_of(page, way, [(half, spot) for spot in spots]) == [field_of(move)] * len(spots)
        before = table.number
        press(page, way, half, SPOTS[0])
        assert wait_for_move(page, table, before) == move


@pytest.mark.parametrize("way", MOUSE_FIRST)
def test_a_half_that_asks_is_pressed_anywhere_and_so_is_what_it_asks(served: Served, pages: Pages, way: str) -> None:
    """Press all over a card that is there more than once, whose badge covers a corner of it."""

    def has_two_nudges(view: Any) -> bool:
        return (
            view.mover == 0
            and view.step == "place"
            and view.one_at is not None
            and not view.spent[0]
            and view.crews[0].tricks.count("nudge") > 1
            and view.crews[0].nations != ()
        )

    for seed, sheet, kind in ((34, "sh-joker-nudge", Joker), (44, "sh-nudge", Nudge)):  # two games with this moment
        options = ShanghaienOptions(starter=0, first_trick="nudge")
        table = open_known_table(served.service, "shanghaien", options, 2, seed)
        brought_there(table, "shanghaien", has_two_nudges)
        before = table.number
        half = "upper" if kind is Joker else "lower"
        with at_table(pages, served, table, way) as page:
            for spot in SPOTS:
                press(page, way, page.locator(f"#sh-trick-nudge .half.{half}"), spot)
                expect(page.locator(f"#{sheet}")).to_be_visible()
                press(page, way, page.locator(f"#{sheet}-close"), (0.7, 0.7))
                expect(page.locator(f"#{sheet}")).to_be_hidden()
            press(page, way, page.locator(f"#sh-trick-nudge .half.{half}"), SPOTS[4])
            press(page, way, page.locator(f"#{sheet} .sorts button").last, (0.95, 0.85))
            assert isinstance(wait_for_move(page, table, before), kind)


@pytest.mark.parametrize("way", MOUSE_FIRST)
def test_dice_the_roll_and_the_end_are_pressed_anywhere(served: Served, pages: Pages, way: str) -> None:
    table = tavern(served)
    table.play(Number("left"))
    with at_table(pages, served, table, way) as page:
        before, die = table.number, table.view.roll[0]
        press(page, way, page.locator("button.thrown").first, (0.06, 0.9))
        assert wait_for_move(page, table, before) == Place(die)
        on(table, 0, "turn")
        Hand(page).wait_for_line(table.number)
        before = table.number
        press(page, way, page.locator("#sh-do-roll"), (0.9, 0.9))
        assert wait_for_move(page, table, before) == Roll()
        table.play(Place(table.view.roll[0]))
        on(table, 0, "turn")
        Hand(page).wait_for_line(table.number)
        round_before = table.view.round
        press(page, way, page.locator("#sh-end"), (0.06, 0.9))
        press(page, way, page.locator("#sh-do-shanghai"), (0.06, 0.9))
        expect(page.locator(".chalk")).to_be_visible()
        assert table.view.round == round_before + 1


def drag(page: Page, way: str, element: Locator, to: Locator) -> None:
    boxes = [one.bounding_box() for one in (element, to)]
    (x, y), (across, down) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box)
    way_there = [(x, y), (x + 12, y - 12), ((x + across) / 2, (y + down) / 2), (across, down)]
    if way == "touch":
        finger = page.context.new_cdp_session(page)
        for kind, (at, height) in zip(("Start", "Move", "Move", "Move"), way_there, strict=True):
            touched = [{"x": at, "y": height}]
            finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touched})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return
    page.mouse.move(x, y)
    page.mouse.down()
    for at, height in way_there[1:]:
        page.mouse.move(at, height)
    page.mouse.up()


@pytest.mark.parametrize("way", MOUSE_FIRST)
def test_a_die_is_dragged_to_its_card_and_a_joker_to_its_sailors(served: Served, pages: Pages, way: str) -> None:
    table = tavern(served)
    table.play(Number("left"))
    with at_table(pages, served, table, way) as page:
        before, die = table.number, table.view.roll[-1]
        thrown, lit = page.locator(f"#sh-do-place-{die} .die"), page.locator(f".stand:has(#sh-land-{die})")
        drag(page, way, thrown, page.locator("#sh-plate-theirs"))
        expect(page.locator(".held")).to_have_count(0)
        assert table.number == before, "let go elsewhere it is where it was"
        drag(page, way, thrown, lit)
        assert wait_for_move(page, table, before) == Place(die)
        options = ShanghaienOptions(starter=0, first_trick="both")
        table = open_known_table(served.service, "shanghaien", options, 2, 1)
        brought_there(table, "shanghaien", lambda view: any(isinstance(move, Joker) for move in table.moves))
        come_to(page, served, table)
        before, joker = table.number, next(move for move in table.moves if isinstance(move, Joker))
        half = page.locator(f"#sh-joker-{joker.trick}-open")
        drag(page, way, half, page.locator(f"#sh-lineup-mine .tone-{joker.nation}"))
        assert wait_for_move(page, table, before) == joker


@IN_FIREFOX
def test_in_firefox_too_a_lit_card_takes_the_die(served: Served, firefox: Firefox) -> None:
    table = tavern(served)
    table.play(Number("left"))
    firefox.resize(1280, 900)
    firefox.known_as(served.address, table.token)
    firefox.go(f"{served.address}{table.path}")
    for spot in SPOTS[:3]:
        on(table, 0, "place")
        before = table.number
        firefox.wait_for(f"{LINE} === arguments[0]", str(before))
        number = int(firefox.evaluate("document.querySelector('.stand.for-mine .number').textContent"))
        box = firefox.box(".stand.for-mine .place .face")
        firefox.press(box["x"] + box["width"] * spot[0], box["y"] + box["height"] * spot[1])
        firefox.wait_for(f"{LINE} !== arguments[0]", str(before))
        assert table.last() == Place(number), spot


# ------------------------------------------------------------------------------------------------------- the chart


def chartroom(served: Served, wanted: Callable[[Any], bool]) -> Table:
    """Return a table of the Holländer, played until the mover's view is wanted."""
    table = open_known_table(served.service, "dutchman", DutchmanOptions(players=3, starter=0), 3, 3)
    return brought_there(table, "dutchman", wanted)


@pytest.mark.parametrize("way", TOUCH_FIRST)
@pytest.mark.parametrize(("step", "button"), [("sail", "sail"), ("name", "name"), ("propose", "propose")])
def test_a_field_that_is_lit_is_chosen_wherever_it_is_pressed(
    served: Served, pages: Pages, way: str, step: str, button: str
) -> None:
    table = chartroom(served, lambda view: view.step == step)
    with at_table(pages, served, table, way) as page:
        fields = page.locator("#df-where input").evaluate_all("all => all.map(one => [one.id, one.value])")
        assert len(fields) > 1
        for spot in IN_A_ROUND_ONE if step == "sail" else IN_A_ROUND_ONE[:1]:  # the fields are the same in all steps
            for field, _ in fields:
                picture = page.locator(f"#{field.replace('df-to', 'df-spot')} .df-ring")
                press(page, way, picture, spot)
                expect(page.locator(f"#{field}")).to_be_checked()
        before = table.number
        press(page, way, page.locator(f"#df-{button}"), (0.1, 0.9))
        move = wait_for_move(page, table, before)
        assert isinstance(move, Sail | Name | Propose)
        assert move.to == fields[-1][1]


@pytest.mark.parametrize("way", TOUCH_FIRST)
def test_the_dutchman_is_dragged_to_its_destination(served: Served, pages: Pages, way: str) -> None:
    table = chartroom(served, lambda view: view.step == "sail")
    with at_table(pages, served, table, way) as page:
        for field in page.locator("#df-where input").all():
            berth = page.locator(f'.df-berth[for="{field.get_attribute("id")}"]')
            drag(page, way, page.locator("#df-dutchman use"), berth)
            expect(field).to_be_checked()
        expect(page.locator(".held")).to_have_count(0)


@pytest.mark.parametrize("way", TOUCH_FIRST)
def test_horseshoes_are_taken_and_laid_wherever_they_are_pressed(served: Served, pages: Pages, way: str) -> None:
    table = chartroom(served, lambda view: view.step == "action" and len(set(view.rack)) > 5)
    with at_table(pages, served, table, way) as page:
        shoe = page.locator("#df-rack .df-take").nth(2)
        for spot in SPOTS:
            press(page, way, shoe, spot)
            expect(shoe.locator("input")).to_be_checked()
            press(page, way, shoe.locator(".df-horseshoe"), (0.5, 0.15))  # the horseshoe is drawn higher now
            expect(shoe.locator("input")).not_to_be_checked()
        press(page, way, shoe, SPOTS[0])
        number = int(shoe.locator("input").get_attribute("value") or 0)
        before = table.number
        press(page, way, page.locator("#df-lay"), (0.1, 0.1))
        assert wait_for_move(page, table, before) == FaceDown(1, (number,))


@pytest.mark.parametrize("way", TOUCH_FIRST)
def test_a_card_is_played_wherever_it_is_pressed(served: Served, pages: Pages, way: str) -> None:
    table = chartroom(served, lambda view: view.step == "action" and view.lucky is not None)
    with at_table(pages, served, table, way) as page:
        for card in ("kontor", "smith"):
            picture, sheet = page.locator(f"#df-card-{card} .df-face"), page.locator(f"#df-ask-{card}")
            for spot in (*SPOTS, (0.97, 0.03)):  # the last is under the badge that counts the cards
                press(page, way, picture, spot)
                expect(sheet).to_be_visible()
                press(page, way, page.locator(f"#df-ask-{card}-no"), (0.1, 0.8))
                expect(sheet).to_be_hidden()
            press(page, way, picture, SPOTS[1])
            assert moves_of(page, way, [(page.locator(f"#df-ask-{card}-yes"), (0.9, 0.9))]) == [card]
            press(page, way, page.locator(f"#df-ask-{card}-no"), (0.1, 0.8))
            expect(sheet).to_be_hidden()
        before = table.number
        press(page, way, page.locator("#df-card-smith .df-face"), SPOTS[1])
        press(page, way, page.locator("#df-ask-smith-yes"), (0.9, 0.9))
        assert isinstance(wait_for_move(page, table, before), Smith)


@pytest.mark.parametrize("way", TOUCH_FIRST)
def test_shares_are_chosen_wherever_they_are_pressed(served: Served, pages: Pages, way: str) -> None:
    table = chartroom(served, lambda view: view.step == "put")
    with at_table(pages, served, table, way) as page:
        shares = page.locator("#df-shares .df-take")
        for spot in SPOTS:
            press(page, way, shares.nth(0), spot)
            expect(shares.nth(0).locator("input")).to_be_checked()
            press(page, way, shares.nth(0).locator(".df-face"), SPOTS[0])
            expect(shares.nth(0).locator("input")).not_to_be_checked()
        for place in (0, 4):
            press(page, way, shares.nth(place), SPOTS[4])
        before, own = table.number, table.view.shares
        press(page, way, page.locator("#df-put"), (0.05, 0.5))
        assert sorted(wait_for_move(page, table, before).shares) == sorted((own[0], own[4]))


@pytest.mark.parametrize("way", TOUCH_FIRST)
def test_a_share_is_shown_and_a_proposal_answered_wherever_it_is_pressed(
    served: Served, pages: Pages, way: str
) -> None:
    table = chartroom(served, lambda view: view.step == "show" and len(set(view.shares)) > 1)
    with at_table(pages, served, table, way) as page:
        shares = page.locator("#df-shares .df-take")
        for spot in SPOTS:
            for place in (1, 0):
                press(page, way, shares.nth(place), spot)
                expect(shares.nth(place).locator("input")).to_be_checked()
        colour = shares.nth(0).locator("input").get_attribute("value")
        before = table.number
        press(page, way, page.locator("#df-show"), (0.95, 0.5))
        move = wait_for_move(page, table, before)
        assert isinstance(move, Show)
        assert move.colour == colour
    table = chartroom(served, lambda view: view.step == "answer")
    before = table.number
    with at_table(pages, served, table, way) as page:
        press(page, way, page.locator("#df-accept"), (0.95, 0.9))
        assert wait_for_move(page, table, before) == Accept()


@pytest.mark.parametrize("way", TOUCH_FIRST)
def test_passing_is_pressed_anywhere(served: Served, pages: Pages, way: str) -> None:
    table = chartroom(served, lambda view: view.step in ("action", "again") and len(view.rack) < 5)
    before = table.number
    with at_table(pages, served, table, way) as page:
        press(page, way, page.locator("#df-pass"), (0.1, 0.1))
        press(page, way, page.locator("#df-ask-pass-yes"), (0.1, 0.9))
        assert wait_for_move(page, table, before) == Pass()


@IN_FIREFOX
def test_in_firefox_too_a_lit_ship_is_chosen_and_sailed_to(served: Served, firefox: Firefox) -> None:
    table = chartroom(served, lambda view: view.step == "sail")
    firefox.resize(1280, 900)
    firefox.known_as(served.address, table.token)
    firefox.go(f"{served.address}{table.path}")
    firefox.wait_for("document.getElementById('connection').dataset.is === 'live'")
    fields = firefox.evaluate("[...document.querySelectorAll('#df-where input')].map((one) => [one.id, one.value])")
    for spot in IN_A_ROUND_ONE:
        for field, _ in fields:
            box = firefox.box(f"#{field.replace('df-to', 'df-spot')} .df-ring")
            firefox.press(box["x"] + box["width"] * spot[0], box["y"] + box["height"] * spot[1])
            firefox.wait_for("document.getElementById(arguments[0]).checked", field)
    before = table.number
    box = firefox.box("#df-sail")
    firefox.press(box["x"] + 5, box["y"] + 5)
    firefox.wait_for(f"{LINE} !== arguments[0]", str(before))
    assert table.last() == Sail(fields[-1][1])
