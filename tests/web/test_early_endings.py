"""Early endings of a game in the browser: with a mouse, by touch, by keyboard, and without scripts."""

from datetime import timedelta
from pathlib import Path

from playwright.sync_api import Page, expect

from kontor.games.shanghaien.rules.state import Roll
from kontor.records import decode
from web.browsers import PHONE, Pages
from web.conftest import Come, Served
from web.guests import Guest, open_shanghaien, seat_friend


def merchants(people: list[Guest], **fields: str) -> str:
    """Open a table of the Holländer at which these guests sit; return its path.

    If there are two, a computer player joins them.
    """
    host, *others = people
    chairs = {f"chair__{number}": "open" for number in range(2, len(people) + 1)}
    chairs |= {f"chair__{number}": "none" for number in range(len(people) + 1, 7)}
    if len(people) == 2:
        chairs["chair__3"] = "machine-casual"
    page = host.press(host.get("/open/dutchman").button("open-it"), **(chairs | fields))
    for place, guest in enumerate(others, 2):
        guest.press(guest.get(page.path).button(f"sit-{place}"))
    return page.path


def click(page: Page, selector: str) -> None:
    """Click with the mouse in the middle of an element."""
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_resigning_asks_first_and_tells_the_other_at_once(served: Served, pages: Pages, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd)
    with pages(anna) as one, pages(bernd) as other:
        table = path.split("/")[-1]
        mover = served.service.tables.info(table).mover
        assert mover is not None
        served.service.moves.play(table, mover, served.service.tables.info(table).number, Roll())
        one.goto(path)
        other.goto(path)
        expect(other.locator("#connection")).to_have_attribute("data-is", "live")
        click(one, "#end-there")
        expect(one.locator("#alone")).to_be_visible()
        expect(one.locator("main")).to_contain_text("The game ends at once, and Bernd wins.")
        click(one, "#play-on")
        expect(one.locator("#board")).to_be_visible()
        assert served.service.tables.info(table).status == "playing"
        click(one, "#end-there")
        click(one, "#resign")
        for page in (one, other):
            expect(page.locator("#now")).to_contain_text("Anna has resigned: Bernd wins.")
            expect(page.locator("#ending")).to_be_visible()
            expect(page.locator("#ended-early")).to_have_text("Anna has resigned: Bernd wins.")
            expect(page.locator("#chat")).to_contain_text("Anna has resigned.")
            expect(page.locator("#end-there")).to_have_count(0)
            expect(page.locator("#board")).not_to_contain_text("is thinking")
        other.goto("/")
        expect(other.locator("#finished + ul")).to_contain_text("Over: Anna resigned")
        other.goto(f"{path}/fair?verify=1")
        expect(other.locator("#verified")).to_contain_text("The promise was kept.")
        expect(other.locator("#verified")).to_contain_text("Anna has resigned: Bernd wins.")
        other.goto(f"{path}/log")
        expect(other.locator("#ended-early")).to_have_text("Anna has resigned: Bernd wins.")
        other.goto(f"{path}/replay")
        expect(other.locator("#now")).to_have_text("Anna has resigned: Bernd wins.")
        click(other, "#step-first")
        expect(other.locator("#now")).not_to_contain_text("resigned")


def test_by_touch_and_by_keyboard(served: Served, pages: Pages, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = merchants([anna, bernd], takeover="steady")
    with pages(anna, **PHONE) as phone:
        phone.goto(path)
        phone.locator("#players > summary").tap()
        phone.locator("#end-there").tap()
        expect(phone.locator("main")).to_contain_text("A computer player (steady) plays on in your place")
        phone.locator("#resign").tap()
        expect(phone.locator("#chat")).to_contain_text("A computer player (steady) plays on for Anna.")
        expect(phone.locator("#sitting")).to_contain_text("resigned: a computer player, steady, plays on")
        expect(phone.locator("[id^=come-back]")).to_have_count(0)
        phone.goto("/")
        expect(phone.locator("#mine + ul")).to_contain_text("You have resigned; the game goes on")
    with pages(bernd) as page:
        page.goto(path)
        page.locator("#end-there").focus()
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_contain_text("Nobody else is left to play on")
        page.locator("#resign").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#now")).to_contain_text("Bernd has resigned. The game has no result.")


def test_all_agree_while_the_game_goes_on(served: Served, pages: Pages, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = merchants([anna, bernd])
    with pages(anna) as one, pages(bernd) as other:
        one.goto(path)
        other.goto(path)
        expect(other.locator("#connection")).to_have_attribute("data-is", "live")
        click(one, "#end-there")
        expect(one.locator("main")).to_contain_text("If Bernd agrees, the game ends without a result.")
        click(one, "#propose")
        expect(other.locator("#proposal")).to_contain_text("Anna proposes to end the game without a result.")
        expect(one.locator("#proposal")).to_contain_text("Still to answer: Bernd.")
        expect(one.locator("#agree")).to_have_count(0)
        click(other, "#decline")
        expect(one.locator("#proposal")).to_have_count(0)
        expect(one.locator("#chat")).to_contain_text("Bernd would rather play on.")
        click(other, "#end-there")
        click(other, "#propose")
        click(one, "#agree")
        for page in (one, other):
            expect(page.locator("#now")).to_contain_text("Everyone has agreed to end the game. It has no result.")


def test_the_page_of_fair_dice_tells_seed_and_shares_at_once_when_all_agreed(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    path = seat_friend(anna, bernd, salt="zwölf Hufeisen")
    before = anna.get(f"{path}/fair")
    assert (before.has("seed"), before.has("record")) == (False, False)
    anna.press(anna.get(f"{path}/end").button("propose"))
    bernd.press(bernd.get(path).button("agree"))
    record = decode(anna.client.get(f"{path}/record.jsonl").content)
    assert record.ending
    assert record.header.salts[0] == "zwölf Hufeisen"
    for guest in (anna, bernd):
        page = guest.get(f"{path}/fair?verify=1")
        assert "The promise was kept." in page.text("verified")
        assert "Everyone has agreed to end the game. It has no result." in page.text("verified")
        assert page.text("seed") == record.ending.seed
        assert page.text("commitment") == record.header.commitment == before.text("commitment")
        assert "Anna: “zwölf Hufeisen”" in page.html


def test_without_scripts_and_what_is_refused_says_why(served: Served, come: Come) -> None:
    anna, bernd, carla = (come(served, name) for name in ("Anna", "Bernd", "Carla"))
    path = seat_friend(anna, bernd)
    page = anna.get(f"{path}/end?as=0")
    done = anna.press(page.button("propose"))
    assert done.path == path
    assert done.has("proposal")
    assert not anna.get(f"{path}/end").has("propose"), "one proposal at a time"
    assert bernd.press(bernd.get(path).button("decline")).path == path
    assert not bernd.get(path).has("proposal")
    stale = anna.post(f"{path}/agree", anna.get(path).forms[0].fields)
    assert stale.status == 409
    assert "Nobody has proposed to end the game." in stale.text("refused")
    assert carla.get(f"{path}/end").path == path, "who does not play has nothing to end"
    assert not carla.get(path).has("end-there")
    over = anna.press(anna.get(f"{path}/end").button("resign"))
    assert "Anna has resigned: Bernd wins." in over.text("now")
    assert not over.moves
    assert bernd.press(bernd.get(path).button("rematch")).path != path


def test_the_level_is_asked_for_and_told_where_it_is_not_the_usual_one(served: Served, come: Come) -> None:
    anna, bernd = come(served, "Anna"), come(served, "Bernd")
    usual, unusual = open_shanghaien(anna), open_shanghaien(anna, takeover="expert")
    sentence = "A computer player (expert) stands in for players who are away or resign."
    assert sentence not in anna.get(usual).html
    assert sentence in anna.get(unusual).html
    link = (
        anna.press(anna.get(unusual).button("invite-2")).html.split('id="link-2" readonly value="')[1].split('"')[0]
    )
    assert sentence in bernd.get("/invitations" + link.split("/invitations")[1]).html
    seated_path = seat_friend(anna, bernd, takeover="steady")
    assert "A computer player (steady) stands in for players who are away or resign." in bernd.get(seated_path).html


def test_claiming_is_offered_to_who_waits_after_seven_days(tmp_path: Path, come: Come) -> None:
    with Served(tmp_path) as served:
        anna, bernd = come(served, "Anna"), come(served, "Bernd")
        path = seat_friend(anna, bernd)
        table = path.split("/")[-1]
        mover = served.service.tables.info(table).mover
        waits, away = (bernd, anna) if mover == 0 else (anna, bernd)
        now = served.service._transactions.clock()
        assert not waits.get(path).has("claim")
        served.machines.stop()  # otherwise it would take the jump for time in which the program did not run
        served.service._transactions.clock = lambda: now + timedelta(days=7, minutes=1)
        assert f"{away.name} has been away for seven days." in waits.get(path).text("away")
        over = waits.press(waits.get(path).button("claim"))
        assert f"{away.name} stayed away for a week: {waits.name} wins." in over.text("now")
        assert f"Over: {away.name} stayed away" in waits.get("/").html


def test_looking_at_the_table_keeps_it(tmp_path: Path, come: Come) -> None:
    with Served(tmp_path) as served:
        anna, bernd = come(served, "Anna"), come(served, "Bernd")
        path = seat_friend(anna, bernd)
        mover = served.service.tables.info(path.split("/")[-1]).mover
        waits, away = (bernd, anna) if mover == 0 else (anna, bernd)
        served.machines.stop()
        now = served.service._transactions.clock()
        served.service._transactions.clock = lambda: now + timedelta(days=6)
        away.get(path)
        served.service._transactions.clock = lambda: now + timedelta(days=8)
        assert not waits.get(path).has("away")
        served.service._transactions.clock = lambda: now + timedelta(days=13, minutes=1)
        assert waits.get(path).has("claim")
