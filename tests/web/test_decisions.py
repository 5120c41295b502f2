"""Decisions: the focus is there, the line at the top says what to decide, and a cut connection swallows no click."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import Accept, Keep, Kontor, Lay, Name, Pass, Put, Sail, Withhold
from kontor.games.shanghaien import words as shanghaien_words
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Number, Place, Roll
from web.browsers import PHONE, WIDTH, Hand, Pages, begin_press
from web.conftest import Served
from web.dutchman_positions import WORDS, places, whole_games
from web.shanghaien_page.tavern import steps
from web.tables import Table, brought_there, open_known_table
from web.test_lit import press

SMALL: Final = {**PHONE, "viewport": {"width": WIDTH, "height": 640}}
"""Phone whose browser's own bars take some of its height."""
FOCUSED: Final = "document.activeElement.id"
IN_VIEW: Final = """(selector) => {
  const there = document.querySelector(selector); // not yet, until the news have come
  if (!there) return false;
  const { top, bottom } = there.getBoundingClientRect();
  return top >= document.getElementById("now").getBoundingClientRect().bottom && bottom <= innerHeight;
}"""


def tavern(served: Served) -> Table:
    return open_known_table(served.service, "shanghaien", ShanghaienOptions(starter=0), 2, 1)


def chartroom(served: Served, step: str, seat: int | None = None) -> Table:
    """Return a table of the Holländer at a step, of this seat if one is given."""
    table = open_known_table(served.service, "dutchman", DutchmanOptions(players=3, starter=0), 3, 3)
    return brought_there(table, "dutchman", lambda view: view.step == step and seat in (None, view.mover))


def expect_focus(page: Page, pattern: str) -> None:
    page.wait_for_function(f"(pattern) => new RegExp(pattern).test({FOCUSED})", arg=pattern)


# ------------------------------------------------------------------------------------------------------ the headline


def test_the_line_at_the_top_speaks_to_whoever_reads_it() -> None:
    addressed = set()
    for state in [state for state, _ in places()] + [game[-1][2] for game in whole_games()]:
        for seat in range(len(state.merchants)):
            view = DUTCHMAN.view(state, seat)
            names = [f"<{other}>" for other in range(len(state.merchants))]
            line = dutchman_words.addressed(WORDS, names, view)
            assert f"<{seat}>" not in line, line
            assert line.startswith("Your turn: ") == (view.mover == seat), line
            addressed.add((view.step, "you" in line.lower()))
        names = [f"<{other}>" for other in range(len(state.merchants))]
        watching = DUTCHMAN.view(state, None)
        assert dutchman_words.addressed(WORDS, names, watching) == dutchman_words.headline(WORDS, names, watching)
    for step in ("name", "propose", "answer", "again", "action", "put", "sail", "show", "over"):
        assert (step, True) in addressed


def test_the_line_at_the_top_speaks_to_a_captain() -> None:
    lines = set()
    for seed in range(4):
        for _, _, state in steps(seed):
            for seat in (0, 1):
                view = SHANGHAIEN.view(state, seat)
                line = shanghaien_words.addressed(WORDS, ("<0>", "<1>"), view)
                assert f"<{seat}>" not in line, line
                assert line.startswith("Your turn: ") == (view.mover == seat), line
                lines.add(re.sub(r"\d", "#", line))
    assert lines >= {
        "Your turn: place the # or the #.",
        "Your turn: place a #.",
        "Your turn: roll two dice, or call “Shanghai!” and end the round.",
        "Your turn: you rolled # and #. Where is the #?",
    }
    assert any(line.startswith("You win by ") for line in lines)


# --------------------------------------------------------------------------------------------------------- the focus


def test_in_the_tavern_the_focus_goes_from_one_decision_to_the_next(served: Served, pages: Pages) -> None:
    table = tavern(served)
    with pages(table.token) as page:
        page.goto(table.path)
        expect(page.locator("#now")).to_have_text("Your turn: start round 1 and roll.")
        hand = Hand(page, "keys")
        hand.make(Roll())
        expect_focus(page, "^sh-do-number-left$")
        begin_press(page)
        page.keyboard.press("Enter")
        expect_focus(page, "^sh-do-place-")
        low, high = table.view.roll
        assert low != high, "the dice of this seed"
        expect(page.locator("#now")).to_have_text(f"Your turn: place the {low} or the {high}.")
        page.keyboard.press("Tab")
        expect_focus(page, f"^sh-do-place-{high}$")
        page.keyboard.press("Enter")
        expect_focus(page, "^now$")
        assert table.last() == Place(high)
        table.play(Roll())
        table.play(Place(table.view.roll[0]))
        expect_focus(page, "^sh-do-roll$")
        begin_press(page)
        page.keyboard.press("Enter")
        expect_focus(page, "^sh-do-place-")
        begin_press(page)
        page.keyboard.press("Enter")
        expect_focus(page, "^now$")

        page.locator("#text").click()
        page.keyboard.type("Half a sent")
        table.play(Roll())
        table.play(Place(table.view.roll[0]))
        expect(page.locator("#sh-do-roll")).to_be_visible()
        page.keyboard.type("ence")
        expect(page.locator("#text")).to_have_value("Half a sentence")
        assert page.evaluate(FOCUSED) == "text"


def test_a_key_held_down_makes_one_move(served: Served, pages: Pages) -> None:
    table = tavern(served)
    with pages(table.token) as page:
        page.goto(table.path)
        before = table.number
        page.locator("#sh-do-roll").focus()
        page.keyboard.down("Enter")
        expect_focus(page, "^sh-do-number-left$")
        page.keyboard.down("Enter")  # the key repeats while it is held
        page.keyboard.up("Enter")
        page.keyboard.press("Tab")
        expect_focus(page, "^sh-do-number-right$")
        assert table.number == before + 2, "the roll, and its dice"


WAYS_ON: Final[dict[str, Any]] = {
    "action": Kontor,
    "put": Put,
    "sail": Sail,
    "name": Name,
    "propose": Withhold,
    "answer": Accept,
    "again": Pass,
    "show": Keep,
}
"""Kind of move that can be made at each step of the Holländer."""


@pytest.mark.parametrize("step", WAYS_ON)
def test_in_the_chart_room_the_focus_goes_from_one_decision_to_the_next(
    served: Served, pages: Pages, step: str
) -> None:
    table = chartroom(served, step)
    move = next(move for move in table.moves if isinstance(move, WAYS_ON[step]))
    mover = table.mover
    with pages(table.token) as page:
        page.goto(table.path)
        expect(page.locator("#now")).to_contain_text("Your turn: ")
        Hand(page, "keys").make(move)
        if table.service.tables.info(table.id).mover == mover:
            page.wait_for_function("document.activeElement.closest('#df-hand[data-decision]') !== null")
        else:
            expect_focus(page, "^now$")


def test_who_watches_keeps_the_focus_too(served: Served, pages: Pages) -> None:
    table = tavern(served)
    _, watching = served.service.people.guest("Zoe")
    with pages(watching) as page:
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        page.locator("#sh-open-mine").focus()
        table.play(Roll())
        expect(page.locator("#now")).to_contain_text("Anna rolled")
        assert page.evaluate(FOCUSED) == "sh-open-mine"


# -------------------------------------------------------------------------------------------------- a cut connection


def test_a_click_while_the_line_is_cut_says_that_the_move_was_not_made(served: Served, pages: Pages) -> None:
    table = tavern(served)
    before = table.number
    with pages(table.token) as page:
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        roll, notice = page.locator("#sh-do-roll"), page.locator("#connection")
        assert roll.get_attribute("aria-disabled") is None
        page.context.set_offline(True)
        expect(notice).to_contain_text("Connection lost", use_inner_text=True)
        expect(roll).to_have_attribute("aria-disabled", "true")
        assert float(roll.evaluate("one => getComputedStyle(one).opacity")) < 1
        press(page, "mouse", roll, (0.5, 0.5))
        expect(notice).to_contain_text("your move was not made", use_inner_text=True)
        expect(notice).to_be_in_viewport(ratio=1)
        assert table.number == before
        page.context.set_offline(False)
        expect(notice).to_have_text("connected", use_inner_text=True)
        expect(roll).not_to_have_attribute("aria-disabled", "true")
        press(page, "mouse", roll, (0.5, 0.5))
        expect(page.locator(".rails")).to_be_visible()
        assert table.last() == Roll()


# ---------------------------------------------------------------------------------------------------------- a phone


def test_on_a_phone_the_question_comes_into_view_when_it_is_asked(served: Served, pages: Pages) -> None:
    table = chartroom(served, "action", seat=0)
    with pages(table.tokens[0], **SMALL) as page:
        page.goto(table.path)
        page.wait_for_function(IN_VIEW, arg="#df-rack")
        expect(page.locator("#df-asks")).to_contain_text("Choose one")
    with pages(table.tokens[1], **SMALL) as page:
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        assert page.evaluate("scrollY") == 0, "nothing is asked yet"
        lay = next(move for move in table.moves if isinstance(move, Lay))
        table.play(lay)
        page.wait_for_function(IN_VIEW, arg="#df-rack")
        page.evaluate("scrollTo(0, 0)")
        anna = served.service.people.holder_of_session(table.tokens[0])
        assert anna
        table.service.talk.say(table.id, anna.id, "Now you.", 0)
        expect(page.locator("#chat")).to_contain_text("Now you.")
        assert page.evaluate("scrollY") == 0, "whoever looks at the chart again is let look"


def test_a_refusal_goes_with_the_next_input_and_nothing_jumps(served: Served, pages: Pages) -> None:
    table = chartroom(served, "action", seat=0)
    with pages(table.token) as page:
        page.goto(table.path)
        refused, lay, shoe = page.locator("#refused"), page.locator("#df-lay"), page.locator("#df-rack label").first
        for _ in range(2):
            lay.click()
            expect(refused).to_be_visible()
            before = lay.bounding_box()
            shoe.click()
            expect(refused).to_be_hidden()
            assert lay.bounding_box() == before
            shoe.click()
        expect(page.locator("#now")).to_have_text(re.compile(r"^Your turn: choose an action\."))


def test_halves_that_cannot_be_played_say_why(served: Served, pages: Pages) -> None:
    options = ShanghaienOptions(starter=0, first_trick="both")
    table = open_known_table(served.service, "shanghaien", options, 2, 1)
    with pages(table.token, **PHONE) as page:
        page.goto(table.path)
        rolls = "You can play a trick directly after your own roll."
        expect(page.locator("#sh-hand-text")).to_have_text(rolls)
        expect(page.locator("#sh-trick-both .half")).to_contain_text([rolls, rolls])
        table.play(Roll())
        table.play(Number("left"))
        expect(page.locator("#sh-hand-text")).to_have_text("You may play one half of it now.")
        sailors = page.locator("#sh-trick-both .upper .why-not")
        expect(sailors).to_have_text("You have no sailors yet.")
        box = sailors.bounding_box()
        assert box
        assert box["height"] > 10
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.locator("#sh-trick-both .lower .why-not")).to_have_count(0)
        press(page, "touch", page.locator("#sh-trick-both .lower"), (0.5, 0.5))
        spent = "You have used your trick for this round."
        expect(page.locator("#sh-hand-text")).to_have_count(0)  # the card has left the hand
        assert table.view.spent[0], spent
