"""Taking back a misclick: without scripts, in a browser, and by programs."""

from typing import Any

import httpx
from playwright.sync_api import expect

from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.state import Number, Roll
from kontor.tables.values import Plan, SeatPlan
from web.browsers import Pages
from web.conftest import Come, Served
from web.guests import Guest, seat_friend
from web.test_double_presses import STILL_CLOCK


def at_a_die(served: Served, one: Guest, other: Guest) -> tuple[str, Guest, Guest]:
    """Return a table where one of two is to place a die; then the mover, and the other."""
    path = seat_friend(one, other)
    table = path.split("/")[-1]
    mover = served.service.tables.info(table).mover
    assert mover is not None
    for move in (Roll(), Number("left")):
        served.service.moves.play(table, mover, served.service.tables.info(table).number, move, choice="never")
    return path, *((one, other) if mover == 0 else (other, one))


def test_without_scripts(served: Served, come: Come) -> None:
    path, me, other = at_a_die(served, come(served, "Anna"), come(served, "Bernd"))
    table = path.split("/")[-1]
    before = me.get(path)
    assert not before.button("undo-choose").text.isspace()
    assert not [button for form in before.forms for button in form.buttons if button.id.startswith("undo-1")]
    moved = me.press(before.moves[0])
    number = served.service.tables.info(table).number
    button = moved.button(f"undo-{number}")
    assert not other.get(path).has(f"undo-{number}")
    stale = other.get(path).moves[0]
    back = me.press(button)
    assert (back.status, back.path) == (200, path)
    assert back.moves
    assert served.service.tables.info(table).number == number - 1
    assert "takes back a move" in other.get(path).text("chat")
    assert me.press(button).status == 200, "pressed twice it is the same"
    # Another die is placed: the other's window still shows the first one, so its move and the old button are refused.
    again = me.press(back.moves[-1])
    assert other.press(stale).status == 409
    refused = me.press(button)
    assert (refused.status, served.service.tables.info(table).number) == (409, number)
    assert "This move stands" in refused.text("refused")
    assert again.button(f"undo-{number}").form.fields["undone"] == "1"
    # A person who doesn't want the offer no longer gets it; the browser remembers the choice.
    never = me.press(again.button("undo-choose"), undo="never")
    assert '<option value="never" selected>' in never.html
    other.press(other.get(path).moves[0])
    other.press(other.get(path).moves[0])
    me.press(me.get(path).moves[0])
    done = me.press(me.get(path).moves[0])
    assert not done.has(f"undo-{served.service.tables.info(table).number}")


def test_in_a_browser_the_button_comes_and_goes_and_the_other_sees_a_line_less(
    served: Served, pages: Pages, come: Come
) -> None:
    path, me, other = at_a_die(served, come(served, "Anna"), come(served, "Bernd"))
    table = path.split("/")[-1]
    with pages(me) as own_page, pages(other) as others_page:
        for page in (own_page, others_page):
            page.goto(path)
            expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        for page in (own_page, others_page):
            expect(page.locator("#sitting .presence")).to_have_text("here")
        version = own_page.locator("#state").get_attribute("data-version")
        place = '#table button[id^="sh-do-place"]'
        own_page.locator(place).first.click()
        button = own_page.locator("#undo button")
        expect(button).to_be_visible()
        expect(others_page.locator("#now")).to_have_class("now mine")
        board = own_page.locator("#board").bounding_box()
        button.click()
        expect(own_page.locator("#now")).to_have_class("now mine")
        expect(others_page.locator("#now")).to_have_class("now")
        expect(button).to_have_count(0)
        assert own_page.locator("#board").bounding_box() == board, "nothing jumps"
        for page in (own_page, others_page):
            assert int(page.locator("#state").get_attribute("data-version") or 0) > int(version or 0)
            expect(page.locator("#chat")).to_contain_text("takes back a move")
        own_page.locator(place).last.click()
        expect(others_page.locator("#now")).to_have_class("now mine")
        expect(button).to_be_visible()
        expect(button).to_be_hidden()
        assert served.service.tables.info(table).undone == 1


def test_in_a_browser_it_is_said_when_it_was_too_late(served: Served, pages: Pages, come: Come) -> None:
    path, me, other = at_a_die(served, come(served, "Anna"), come(served, "Bernd"))
    with pages(me) as page:
        page.add_init_script(STILL_CLOCK)
        page.goto(path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        page.locator('#table button[id^="sh-do-place"]').first.click()
        expect(page.locator("#undo button")).to_be_visible()
        other.press(other.get(path).moves[0])
        expect(page.locator("#undo-late")).to_have_text("Too late")
        expect(page.locator("#undo-late")).to_have_count(0)
        expect(page.locator("#undo")).to_be_hidden()


def test_programs_take_back_too(served: Served) -> None:
    people = [served.service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
    seats = (SeatPlan("me"), SeatPlan("open"))
    table = served.service.opening.open(people[0], Plan("shanghaien", Options(starter=0), seats))
    served.service.opening.sit(table, 1, people[1])
    tokens = [served.service.people.api_token(person) for person in people]
    with httpx.Client(base_url=f"{served.address}/api/tables/{table}") as client:

        def ask(seat: int, path: str, body: Any = None) -> Any:
            headers = {"authorization": f"Bearer {tokens[seat]}"}
            return client.request("POST" if body else "GET", path, json=body, headers=headers)

        for move in ({"move": "roll"}, {"move": "number", "one_at": "left"}):
            seen = ask(0, "/view").json()
            number = ask(0, "/moves", {"number": seen["number"], "undone": seen["undone"], "move": move}).json()
        info = ask(0, "").json()
        assert (info["undo_until"] is not None, info["undone"]) == (True, 0)
        back = ask(0, "/undo", {"number": number["number"]}).json()
        assert (back["number"], back["undone"], back["undo_until"]) == (number["number"] - 1, 1, None)
        late = ask(0, "/moves", {"number": back["number"], "undone": 0, "move": {"move": "number", "one_at": "left"}})
        assert late.status_code == 409
        assert late.json()["now"]["undone"] == 1
        outdated = {
            "number": back["number"],
            "undone": 1,
            "undo": "never",
            "move": {"move": "number", "one_at": "left"},
        }
        assert ask(0, "/moves", outdated).status_code == 201
        assert ask(0, "/undo", {"number": number["number"], "undone": 1}).status_code == 409
