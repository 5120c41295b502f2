"""Hints at a table for practice: on the page with scripts and without, for programs, and what the others see."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from timeouts import HANG_TIMEOUT, waited_for
from web.browsers import Pages
from web.conftest import Served
from web.guests import Guest, Page, open_shanghaien, seat_friend

HINT = re.compile(r"Best move: the 1 on the (left|right)\. Chance of winning: \d+%\.")


def wait_for_hint(guest: Guest, path: str) -> Page:
    """Return the page once the hint is there; without scripts the page reloads every two seconds."""

    def page_with_hint() -> Page | None:
        page = guest.get(path)
        if page.has("hint-best"):
            return page
        assert 'http-equiv="refresh" content="2"' in page.html
        assert page.text("hint-thinking"), page.text("hint")
        return None

    return waited_for(page_with_hint)


def test_a_hint_is_asked_for_without_scripts_and_the_others_see_only_that_it_was(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger, served.guest("Carla") as carla:
        path = seat_friend(anna, stranger, starter="0", hints="yes")
        practice = "Practice table: the player to move may ask for a hint."
        anna.press(anna.get(path).moves[0])  # the first roll
        assert practice in anna.get(path).text("players")
        before = [watcher.get(path) for watcher in (stranger, carla)]
        assert not any(page.has("hint") for page in before)
        page = anna.press(anna.get(path).button("hint-ask"))
        assert page.path == path
        page = wait_for_hint(anna, path)
        assert HINT.fullmatch(page.text("hint-best")), page.text("hint-best")
        assert re.fullmatch(r"the 1 on the (left|right): \d+%", page.text("hint-others"))
        assert "These chances are estimates." in page.text("hint")
        assert "Opponents are assumed to play at level “expert”." in page.text("hint")
        assert not page.has("hint-ask")
        assert page.text("chat").count("Anna asked for a hint.") == 1
        assert "http-equiv" not in page.html
        for page in (stranger.get(path), carla.get(path)):
            assert not page.has("hint")
            assert "Best:" not in page.html
            assert page.text("chat").count("Anna asked for a hint.") == 1
        anna.press(anna.get(path).moves[0])
        assert anna.get(path).text("hint-ask") == "Hint", "for the next decision it can be asked for anew"
        assert "hint" not in served.service.tables.view(path.removeprefix("/tables/")).look(0).view.__struct_fields__


def test_where_there_are_no_hints_none_is_offered_nor_given(anna: Guest) -> None:
    path = open_shanghaien(anna, chair__2="here", name__2="Bernd", starter="0")
    page = anna.get(path)
    assert not page.has("hint")
    roll = page.moves[0].form
    refused = anna.post(f"{path}/hint", {name: roll.fields[name] for name in ("number", "as", "token")})
    assert refused.status == 403
    assert refused.text("refused").startswith("There are no hints at this table.")


def test_before_the_game_everybody_can_read_that_it_is_for_practice(anna: Guest, bernd: Guest) -> None:
    path = open_shanghaien(anna, chair__2="open", hints="yes")
    assert "Practice table" in anna.get(path).text("waiting")
    assert "Practice table" in bernd.get("/").text("main")
    anna.press(anna.get(path).button("leave"))


def test_a_hint_arrives_by_itself_by_the_keyboard(anna: Guest, stranger: Guest, pages: Pages) -> None:
    path = seat_friend(anna, stranger, starter="0", hints="yes")
    with pages(anna) as hers, pages(stranger) as his:
        his.goto(path)
        hers.goto(path)
        hers.locator("#sh-do-roll").click()
        expect(hers.locator("#now")).to_contain_text("Where is the 1?")
        hers.evaluate("window.never_reloaded = true")
        hers.locator("#hint-ask").focus()
        hers.keyboard.press("Enter")
        expect(hers.locator("#hint-best")).to_have_text(HINT)
        expect(hers.locator("#hint-others li")).to_have_count(1)
        expect(his.locator("#chat .talk")).to_contain_text("Anna asked for a hint.")
        expect(his.locator("#hint")).to_have_count(0)
        hers.locator("#sh-do-number-left").click()
        expect(hers.locator("#hint-best")).to_have_count(0)
        expect(hers.locator("#hint-ask")).to_be_visible()
        assert hers.evaluate("window.never_reloaded")


def test_the_hollaender_gives_hints_by_the_view_of_who_asks(anna: Guest) -> None:
    page = anna.get("/open/dutchman").button("open-it")
    others = {f"chair__{chair}": "machine-random" for chair in (2, 3)}
    others |= {f"chair__{chair}": "none" for chair in (4, 5, 6)}
    path = anna.press(page, hints="yes", starter="0", **others).path
    anna.press(anna.get(path).button("hint-ask"))
    sentence = wait_for_hint(anna, path).text("hint-best")
    assert re.fullmatch(r"Best move: (Kontor card|Smith card|play [\d ]+)\. Chance of winning: \d+%\.", sentence), (
        sentence
    )


@pytest.mark.long
def test_a_hint_says_why_not_the_second_move(anna: Guest) -> None:
    path = open_shanghaien(anna, chair__2="here", name__2="Bernd", hints="yes")
    page = anna.get(path)
    while page.moves and not page.has("hint-why"):  # in a whole game there is a second move that is clearly worse
        if len(page.moves) > 1:
            anna.press(page.button("hint-ask"))
            page = wait_for_hint(anna, path)
        if not page.has("hint-why"):
            page = anna.press(page.moves[-1])
    second = page.text("hint-others").partition(":")[0]
    assert page.text("hint-why").startswith(f"Why not {second}?"), page.text("hint-why")


def test_programs_ask_for_hints_too(served: Served) -> None:
    def client(name: str) -> httpx.Client:
        account = httpx.post(f"{served.address}/api/people", json={"name": name}).json()
        headers = {"authorization": f"Bearer {account['token']}"}
        return httpx.Client(base_url=f"{served.address}/api", headers=headers, timeout=HANG_TIMEOUT)

    with client("Anna") as anna, client("Bernd") as bernd:
        seats: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "open"}]
        plan = {"game": "shanghaien", "options": {"starter": 0}, "seats": seats, "hints": True}
        table = anna.post("/tables", json=plan).json()["table"]
        assert bernd.post(f"/tables/{table}/seats/1", json={}).json()["hints"] is True
        begun = anna.get(f"/tables/{table}/view").json()["number"]
        anna.post(f"/tables/{table}/moves", json={"number": begun, "move": {"move": "roll"}}).raise_for_status()
        number = anna.get(f"/tables/{table}/view").json()["number"]
        given = anna.post(f"/tables/{table}/hint", json={}).raise_for_status().json()
        assert given["number"] == number
        assert given["exact"] is False
        assert [{"move": "number", "one_at": end} for end in ("left", "right")] == sorted(
            (appraised["move"] for appraised in given["moves"]), key=lambda move: move["one_at"]
        )
        first, second = (appraised["chance"] for appraised in given["moves"])
        assert 1 > first >= second > 0
        assert anna.post(f"/tables/{table}/hint", json={"seat": 1}).status_code == 403
        assert bernd.post(f"/tables/{table}/hint", json={}).status_code == 409
        assert httpx.post(f"{served.address}/api/tables/{table}/hint", json={}).status_code == 401
        assert [line["kind"] for line in bernd.get(f"/tables/{table}/chat").json()].count("hint") == 1
