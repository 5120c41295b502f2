"""Moves that are taken back because all agree, as people and programs do it: without scripts, and by the API."""

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
    assert "Dice that have fallen fall the same again: nobody gets new ones." in question.text("main")
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
    for guest, notice in ((anna, "Anna withdraws the proposal."), (bernd, "Bernd would rather play on.")):
        anna.press(anna.get(f"{path}/take-back").button("propose-undo-1"))
        assert notice in guest.press(guest.get(path).button("decline-undo")).text("chat")
    refused = anna.get(f"{path}/take-back")
    assert "You can ask again after the next move." in refused.text("stands")
    bernd.press(bernd.get(path).moves[0])
    anna.press(anna.get(f"{path}/take-back").button("propose-undo-1"))
    moved = bernd.press(bernd.get(path).moves[0])
    assert not moved.has("taking-back")
    stale = bernd.post(f"{path}/agree-undo", moved.forms[0].fields)
    assert stale.status == 409
    assert "Nobody has asked to take back a move." in stale.text("refused")


def test_a_form_that_is_sent_twice_takes_back_one_move(served: Served, come: Come) -> None:
    anna = come(served, "Anna")
    path = open_shanghaien(anna, chair__2="machine-random", hints="yes", starter="0")
    anna.press(anna.get(path).moves[0])
    page = anna.get(f"{path}/take-back")
    once = anna.press(page.button("propose-undo-1"))
    assert once.status == 200, once.text("refused")
    assert "the game is back before Anna’s move" in once.text("chat")
    number = number_of(served, path)
    again = anna.press(page.button("propose-undo-1"))
    assert again.status == 409
    assert "Something has changed at the table." in again.text("refused")
    assert number_of(served, path) == number


def test_what_is_agreed_to_is_what_the_page_showed(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, starter="0")
    play_turn(anna, path)
    number = number_of(served, path)
    anna.press(anna.get(f"{path}/take-back").button("propose-undo-1"))
    pages = bernd.get(path), bernd.get(f"{path}/take-back")
    anna.press(anna.get(path).button("decline-undo"))
    anna.press(anna.get(f"{path}/take-back").button("propose-undo-2"))
    for page in pages:
        assert bernd.press(page.button("agree-undo")).status == 409
        assert number_of(served, path) == number
    bernd.press(bernd.get(path).button("agree-undo"))
    assert number_of(served, path) < number


def test_where_moves_stand_the_page_says_why(served: Served, come: Come) -> None:
    anna = come(served, "Anna")
    path = open_shanghaien(anna, chair__2="machine-casual")
    stands = anna.get(f"{path}/take-back")
    assert "In a game that may be rated, moves against computer players stand" in stands.text("stands")
    assert not stands.has("propose-undo-1")


def test_programs_take_back_moves(program: Make) -> None:
    anna, bernd = program("Anna"), program("Bernd")
    table = table_for([anna, bernd], "shanghaien")
    info = anna.get(f"tables/{table}")
    mover, other = (anna, bernd)[info["mover"]], (bernd, anna)[info["mover"]]
    assert other.try_post(f"tables/{table}/take-back")[0] == 409
    began = info["number"]
    rolled = mover.post(f"tables/{table}/moves", number=began, move={"move": "roll"})["number"]
    nothing = other.try_post(f"tables/{table}/take-back", undo_to=began)
    assert nothing[0] == 409, "who names the proposal never proposes"
    assert mover.try_post(f"tables/{table}/take-back", undone=1)[0] == 409
    proposed = mover.post(f"tables/{table}/take-back", turn=True, undone=0)
    assert (proposed["undo_proposed"], proposed["undo_to"]) == (info["mover"], began)
    assert other.try_post(f"tables/{table}/take-back", undone=0)[0] == 409, "who names no proposal never agrees"
    assert other.try_post(f"tables/{table}/take-back", undo_to=began + 1)[0] == 409
    assert mover.client.delete(f"tables/{table}/take-back").status_code == 204
    roll = mover.get(f"tables/{table}/view")["view"]["roll"]
    mover.post(f"tables/{table}/take-back")
    back = other.post(f"tables/{table}/take-back", undone=0, undo_to=began)
    assert (back["number"], back["undone"], back["undo_proposed"]) == (began, rolled - began, None)
    late = mover.try_post(f"tables/{table}/moves", number=began, undone=0, move={"move": "roll"})
    assert late[0] == 409
    mover.post(f"tables/{table}/moves", number=began, undone=back["undone"], move={"move": "roll"})
    assert mover.get(f"tables/{table}/view")["view"]["roll"] == roll, "the dice fall the same again"
