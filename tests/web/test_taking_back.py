"""Moves that are taken back because all agree, as people and programs do it: without scripts, and by the API."""

from __future__ import annotations

from playwright.sync_api import expect

from kontor.tables.rows import table_row
from web.browsers import Pages
from web.conftest import Come, Served
from web.guests import Guest, open_shanghaien, seat_friend
from web.test_api import Make, table_for
from web.test_api import program as program


def play_turn(guest: Guest, path: str) -> None:
    """Play the first move offered until it is another's turn."""
    page = guest.get(path)
    while page.moves:
        page = guest.press(page.moves[0])


def number_of(served: Served, path: str) -> int:
    """Return the number of the table's last line."""
    with served.service._transactions.reading() as db:
        return table_row(db, path.rpartition("/")[2]).number


def test_people_see_what_would_go_and_agree(served: Served, come: Come) -> None:
    anna, bernd, carla = (come(served, name) for name in ("Anna", "Bernd", "Carla"))
    path = seat_friend(anna, bernd, starter="0")
    assert "You have not moved yet." in bernd.get(f"{path}/take-back").text("stands")
    began = number_of(served, path)
    play_turn(anna, path)
    bernd.press(bernd.get(path).moves[0])
    assert carla.get(f"{path}/take-back").path == path
    assert anna.get(path).has("take-back-there")
    page = anna.get(f"{path}/take-back")
    assert "It is taken back when Bernd agrees." in page.text("main")
    assert "Bernd rolls" in page.text("main")
    proposed = anna.press(page.button("propose-undo-2"))
    assert "Anna asks to take back a move. The game would go back by" in proposed.text("taking-back")
    assert "Still to answer: Bernd." in proposed.text("taking-back")
    assert not proposed.has("agree-undo")
    assert not anna.get(f"{path}/end").has("propose"), "one proposal at a time"
    assert not carla.get(path).has("decline-undo")
    question = bernd.get(f"{path}/take-back")
    assert "Dice that have fallen fall the same again." in question.text("main")
    agreed = bernd.press(question.button("agree-undo"))
    assert not agreed.has("taking-back")
    assert "All agreed: the game is back before Anna’s move." in agreed.text("chat")
    assert number_of(served, path) == began
    assert anna.get(path).moves


def test_open_pages_go_back_by_themselves(served: Served, pages: Pages, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, starter="0")
    play_turn(anna, path)
    with pages(anna) as one, pages(bernd) as other:
        for page in (one, other):
            page.goto(path)
            expect(page.locator("#connection")).to_have_attribute("data-is", "live")
            expect(page.locator("#state")).to_have_attribute("data-turn", "theirs" if page is one else "mine")
        one.goto(f"{path}/take-back")
        one.locator("#propose-undo-1").click()
        other.locator("#agree-undo").click()
        for page in (one, other):
            expect(page.locator("#chat")).to_contain_text("All agreed: the game is back before Anna’s move.")
            expect(page.locator("#taking-back")).to_have_count(0)
            expect(page.locator("#state")).to_have_attribute("data-turn", "mine" if page is one else "theirs")


def test_the_proposal_is_declined_withdrawn_and_dropped_by_a_move(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, starter="0")
    play_turn(anna, path)
    for guest, notice in ((bernd, "Bernd would rather play on."), (anna, "Anna withdraws the proposal.")):
        anna.press(anna.get(f"{path}/take-back").button("propose-undo-1"))
        assert notice in guest.press(guest.get(path).button("decline-undo")).text("chat")
    anna.press(anna.get(f"{path}/take-back").button("propose-undo-1"))
    moved = bernd.press(bernd.get(path).moves[0])
    assert not moved.has("taking-back")
    stale = bernd.post(f"{path}/agree-undo", moved.forms[0].fields)
    assert stale.status == 409
    assert "Nobody has asked to take back a move." in stale.text("refused")


def test_where_moves_stand_the_page_says_why(served: Served, come: Come) -> None:
    anna = come(served, "Anna")
    path = open_shanghaien(anna, chair__2="machine-casual")
    stands = anna.get(f"{path}/take-back")
    assert "In a rated game with computer players every move stands" in stands.text("stands")
    assert not stands.has("propose-undo-1")


def test_programs_take_back_moves(program: Make) -> None:
    anna, bernd = program("Anna"), program("Bernd")
    table = table_for([anna, bernd], "shanghaien")
    info = anna.get(f"tables/{table}")
    mover, other = (anna, bernd)[info["mover"]], (bernd, anna)[info["mover"]]
    assert other.try_post(f"tables/{table}/take-back")[0] == 409
    began = info["number"]
    rolled = mover.post(f"tables/{table}/moves", number=began, move={"move": "roll"})["number"]
    proposed = mover.post(f"tables/{table}/take-back", turn=True)
    assert (proposed["undo_proposed"], proposed["undo_to"]) == (info["mover"], began)
    assert other.client.delete(f"tables/{table}/take-back").status_code == 204
    roll = mover.get(f"tables/{table}/view")["view"]["roll"]
    mover.post(f"tables/{table}/take-back")
    back = other.post(f"tables/{table}/take-back")
    assert (back["number"], back["undone"], back["undo_proposed"]) == (began, rolled - began, None)
    late = mover.try_post(f"tables/{table}/moves", number=began, undone=0, move={"move": "roll"})
    assert late[0] == 409
    mover.post(f"tables/{table}/moves", number=began, undone=back["undone"], move={"move": "roll"})
    assert mover.get(f"tables/{table}/view")["view"]["roll"] == roll, "the dice fall the same again"
