"""The question whether a move is to be made, for people who confirm each move: without scripts, and in a browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.state import Lay
from kontor.games.dutchman.rules.view import FaceDown
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Number, Place, Roll
from kontor.moving.values import MoveChoices
from kontor.people.values import ConfirmedPace
from kontor.tables.values import Pace
from profiles import extended_after
from web.browsers import Chromium, Pages
from web.conftest import Come, Served
from web.guests import seat_friend
from web.tables import NO_LIMIT, Table, open_known_table
from web.test_commands import command, guest_at
from web.test_tokens import client_with_token, token_of

BOTH: Final = ("live", "slow")


def tavern(served: Served, confirms: Sequence[ConfirmedPace] = BOTH, pace: Pace = NO_LIMIT) -> Table:
    """Return a table of Shanghaien at which the person of the first seat is on turn, and confirms each move."""
    table = open_known_table(served.service, "shanghaien", ShanghaienOptions(starter=0), 2, 1, pace=pace)
    served.service.own_moves.choose(table.person(0), confirms)
    return table


def chart_room(served: Served) -> Table:
    table = open_known_table(served.service, "dutchman", DutchmanOptions(players=3, starter=0), 3, 1)
    served.service.own_moves.choose(table.person(0), BOTH)
    return table


# ------------------------------------------------------------------------------------------------- without scripts


def test_the_choice_is_made_on_ones_own_page_and_off_at_first(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    person = served.person_id(anna)
    assert served.service.own_moves.of(person) == MoveChoices()
    form = anna.get("/you?open=own-moves").button("own-moves-go")
    assert "confirms" not in form.form.fields
    assert anna.press(form, confirms="slow").status == 200
    assert served.service.own_moves.of(person) == MoveChoices(("slow",))
    anna.press(form, confirms="slow", only="yes")
    assert served.service.own_moves.of(person) == MoveChoices(("slow",), only_move=True)
    assert anna.get("/you").button("own-moves-go").form.fields["confirms"] == "slow"
    anna.press(form, confirms="nonsense")
    assert served.service.own_moves.of(person) == MoveChoices()
    assert served.service.own_moves.of(served.person_id(bernd)) == MoveChoices()


def test_a_move_is_made_once_it_is_confirmed_and_no_leads_back(served: Served) -> None:
    table = tavern(served)
    with guest_at(served, table, 0) as anna:
        before, page = table.number, anna.get(table.path)
        question = anna.press(page.button("sh-do-roll"))
        assert (question.status, question.text("confirm-question")) == (200, "Make this move: roll?")
        assert table.number == before
        back = anna.press(question.button("confirm-no"))
        assert (back.status, back.has("confirm"), table.number) == (200, False, before)
        again = anna.press(back.button("sh-do-roll"))
        made = anna.press(again.button("confirm-yes"))
        assert (made.path, made.has("confirm"), table.last()) == (table.path, False, Roll())
        stale = anna.press(again.button("confirm-yes"))
        assert (stale.status, stale.has("refused")) == (409, True)


def test_the_move_is_the_one_that_was_pressed_and_what_was_chosen_stays(served: Served) -> None:
    table = chart_room(served)
    shoes = table.view.rack[-2:]
    fields = {"shoe": " ".join(map(str, shoes))}
    with guest_at(served, table, 0) as anna:
        question = anna.press(anna.get(table.path).button("df-lay"), **fields)
        back = anna.press(question.button("confirm-no"))
        assert back.html.count(" checked") == len(shoes)
        anna.press(anna.press(back.button("df-lay"), **fields).button("confirm-yes"))
        assert table.last() == FaceDown(len(shoes), shoes)


def test_what_the_rules_refuse_and_what_comes_too_late_is_refused_at_once(served: Served) -> None:
    table = tavern(served)
    with guest_at(served, table, 0) as anna, guest_at(served, table, 1) as bernd:
        page = anna.get(table.path)
        refused = anna.press(page.button("sh-do-roll"), move="place:3")
        wrong = anna.post(f"{table.path}/moves", {**page.button("sh-do-roll").form.fields, "move": "place:3"})
        assert (wrong.status, wrong.has("confirm"), wrong.has("refused")) == (422, False, True)
        assert refused.has("confirm"), "a button's own value counts"
        table.play(Roll())
        late = anna.press(page.button("sh-do-roll"))
        assert (late.status, late.has("confirm")) == (409, False)
        theirs = bernd.post(f"{table.path}/moves", {**page.button("sh-do-roll").form.fields, "as": "1"})
        assert theirs.status in (403, 409, 422)


def test_what_the_table_asks_about_anyway_is_not_asked_twice(served: Served) -> None:
    table = chart_room(served)
    with guest_at(served, table, 0) as anna:
        passed = anna.press(anna.get(table.path).button("df-ask-kontor-yes"))
        assert not passed.has("confirm")
        assert table.view.step == "put"


@pytest.mark.parametrize(
    ("confirms", "pace", "asks"),
    [
        (("live",), Pace("live", 60), True),
        (("live",), Pace("slow", 86_400), False),
        (("live",), Pace(), False),
        (("slow",), Pace("live", 60), False),
        (("slow",), Pace("slow", 86_400), True),
        (("slow",), Pace(), True),
        ((), Pace(), False),
    ],
)
def test_each_pace_has_a_choice_of_its_own(
    served: Served, confirms: Sequence[ConfirmedPace], pace: Pace, *, asks: bool
) -> None:
    table = tavern(served, confirms, pace)
    with guest_at(served, table, 0) as anna:
        assert anna.press(anna.get(table.path).button("sh-do-roll")).has("confirm") == asks


def test_a_typed_command_is_confirmed_and_programs_are_not_asked(served: Served, come: Come) -> None:
    table = tavern(served)
    with guest_at(served, table, 0) as anna:
        before = table.number
        question = command(anna, anna.get(table.path), "roll")
        assert question.text("typed-answer") == "Make this move: roll? Enter or yes confirms."
        assert table.number == before
        command(anna, question, "yes")
        assert table.last() == Roll()
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, starter="0")
    served.service.own_moves.choose(served.person_id(anna), BOTH)
    with client_with_token(served, token_of(anna, "play")) as program:
        number = program.get(f"{path.removeprefix('/')}/view").json()["number"]
        made = program.post(f"{path.removeprefix('/')}/moves", json={"number": number, "move": {"move": "roll"}})
        assert made.status_code == 201, made.text


def test_a_confirmed_move_can_be_taken_back_as_any_other(served: Served) -> None:
    table = tavern(served)
    table.play(Roll())
    table.play(Number("left"))
    with guest_at(served, table, 0) as anna:
        question = anna.press(anna.get(table.path).moves[0])
        made = anna.press(question.button("confirm-yes"))
        assert isinstance(table.last(), Place)
        anna.press(made.button(f"undo-{table.number}"))
        again = anna.press(anna.get(table.path).moves[0])
        assert anna.press(again.button("confirm-yes")).status == 200
        assert isinstance(table.last(), Place)


# --------------------------------------------------------------------------------------------------- in a browser


def opened(page: Page, table: Table) -> Page:
    page.goto(table.path)
    expect(page.locator("#connection")).to_have_attribute("data-is", "live")
    return page


@pytest.mark.browser
def test_the_question_is_answered_by_keys_and_stays_while_others_talk(served: Served, pages: Pages) -> None:
    table = tavern(served)
    before = table.number
    with pages(table.tokens[0]) as page:
        opened(page, table).keyboard.press("r")
        expect(page.locator("#confirm")).to_be_focused()
        page.keyboard.press("r")
        served.service.talk.say(table.id, table.person(1), "Well?", 1)
        expect(page.locator("#chat")).to_contain_text("Well?")
        expect(page.locator("#confirm")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#confirm")).to_have_count(0)
        expect(page.locator("#sh-do-roll")).to_be_focused()
        assert table.number == before
        page.keyboard.press("r")
        expect(page.locator("#confirm")).to_be_focused()
        page.wait_for_timeout(500)  # an Enter at once would be the second half of a double press
        page.keyboard.press("Enter")
        expect(page.locator("#sh-tray .thrown").first).to_be_visible()
        expect(page.locator("#confirm")).to_have_count(0)
        assert table.last() == Roll()


@pytest.mark.browser
def test_another_choice_or_a_new_position_takes_the_question_away(served: Served, pages: Pages) -> None:
    table = chart_room(served)
    with pages(table.tokens[0]) as page:
        shoes = opened(page, table).locator("#df-rack input")
        shoes.first.check(force=True)
        page.locator("#df-lay").click()
        question = page.locator("#confirm-question")
        expect(question).to_be_visible()
        shoes.last.check(force=True)
        expect(question).to_have_count(0)
        page.locator("#df-lay").click()
        expect(question).to_be_visible()
        table.play(Lay(table.view.rack[-1:]))  # on another device
        expect(question).to_have_count(0)


PLACES: Final = """all => all.map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.id, x, y, width, height];
})"""
"""Script that returns where elements are, with their ids."""


def boxes(page: Page) -> list[Any]:
    """Return where the parts of the board are, but for those of the question."""
    places: list[Any] = page.locator("#board [id]:not(#confirm, #confirm *)").evaluate_all(PLACES)
    return places


def ask(page: Page) -> Locator:
    """Press a move, so that the question comes."""
    page.locator("#df-lay, #sh-do-roll").click()
    return page.locator("#confirm")


SIZES: Final = ((1366, 650), (390, 844), (320, 568), (1920, 1080), (844, 390), (768, 1024))


@pytest.mark.browser
@pytest.mark.parametrize("size", extended_after(3, SIZES))
@pytest.mark.parametrize("language", extended_after(2, ["de", "en", "fr", "it", "ja"]))
def test_the_question_lies_over_the_buttons_and_moves_nothing(
    served: Served, chromium: Chromium, size: tuple[int, int], language: str
) -> None:
    pages, (width, height) = Pages(chromium, served.address), size
    for table in (tavern(served), chart_room(served)):
        with pages(table.tokens[0], viewport={"width": width, "height": height}, locale=language) as page:
            opened(page, table)
            for shoe in page.locator("#df-rack input").all()[:1]:
                shoe.check(force=True)
            before = boxes(page)
            question = ask(page)
            expect(question).to_be_in_viewport(ratio=1)
            for answer in ("#confirm-yes", "#confirm-no"):
                expect(page.locator(answer)).to_be_in_viewport(ratio=1)
            assert page.locator("#confirm").evaluate("one => one.scrollWidth <= one.clientWidth")
            assert boxes(page) == before
