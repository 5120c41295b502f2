"""Shares of the dice: browsers give one by themselves, to a seed that was promised before."""

import hashlib
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from guests import query
from kontor.fair import salt_commitment
from kontor.server.composition import KontorServer
from kontor.web.adapter import NO_CHAIR
from web.browsers import Chromium, Pages, begin_press, browsing, come_in, open_form, table_of
from web.conftest import Served
from web.guests import Guest, seat_friend

A_SHARE = re.compile("[0-9a-f]{32}")
A_PROMISE = re.compile("[0-9a-f]{64}")


def commitment_on(page: Page) -> str:
    return page.locator("code.commitment").text_content() or ""


def shares_of(service: KontorServer, table: str) -> tuple[str, ...]:
    return service.tables.fair(table).salts


def test_each_browser_adds_a_share_to_what_was_promised(served: Served, pages: Pages) -> None:
    with pages() as hers, pages() as his:
        come_in(hers, "Anna")
        hers.goto("/open/shanghaien")
        promised = commitment_on(hers)
        hers.locator("#open-it").click()
        hers.locator("#invite-2").click()
        table = table_of(hers)
        assert served.service.tables.fair(table).commitment == promised == commitment_on(hers)
        his.goto(hers.locator("#link-2").input_value())
        assert commitment_on(his) == promised
        his.locator("#name").fill("Bernd")
        his.locator("#sit").click()
        expect(his.locator("#board")).to_be_visible()
        mine, others = shares_of(served.service, table)
        assert A_SHARE.fullmatch(mine)
        assert A_SHARE.fullmatch(others)
        assert mine != others
        his.goto(f"/tables/{table}/fair")
        expect(his.locator("#commitment")).to_have_text(promised)
        expect(his.locator("dd li")).to_have_text([f"Anna: “{mine}”", f"Bernd: “{others}”"])
        expect(his.locator(".lead")).to_contain_text("The server alone cannot choose the dice.")


def test_a_word_goes_before_and_a_free_chair_gets_a_share_too(served: Served, pages: Pages) -> None:
    with pages() as hers, pages() as his:
        come_in(hers, "Anna")
        open_form(hers, "shanghaien")
        begin_press(hers)
        hers.locator("details.more summary").click()
        hers.locator("#salt").fill("tulip")
        hers.locator("#chair-2").select_option("open")
        hers.locator("#open-it").click()
        expect(hers.locator("#waiting")).to_be_visible()
        table = table_of(hers)
        come_in(his, "Bernd")
        his.goto(f"/tables/{table}")
        his.locator("#sit-2").click()
        expect(his.locator("#board")).to_be_visible()
        word, share = shares_of(served.service, table)
        assert word == "tulip"
        assert A_SHARE.fullmatch(share)


def test_a_page_from_before_another_table_was_opened_is_told_so(served: Served, pages: Pages) -> None:
    with pages() as page:
        come_in(page, "Anna")
        open_form(page, "shanghaien")
        with served.guest() as other:
            (session,) = [each for each in page.context.cookies() if each["name"] == "kontor"]
            other.client.cookies.set("kontor", session["value"])
            other.press(other.get("/open/shanghaien").button("open-it"))
        page.locator("#name-2").fill("Bernd")
        page.locator("#open-it").click()
        expect(page.locator("#refused")).to_contain_text("You have opened another table in the meantime")
        expect(page.locator("#name-2")).to_have_value("Bernd")
        page.reload()
        page.locator("#open-it").click()
        expect(page.locator("#waiting")).to_be_visible()


def test_without_scripts_a_share_is_what_somebody_writes(served: Served, anna: Guest, stranger: Guest) -> None:
    path = seat_friend(anna, stranger, salt="tulip")
    assert shares_of(served.service, path.removeprefix("/tables/")) == ("tulip", "")
    assert "The server alone cannot choose the dice." in anna.get(f"{path}/fair").html
    other = seat_friend(anna, stranger)
    page = anna.get(f"{other}/fair").html
    assert "The server alone cannot" not in page
    assert "Nobody at this table has added a contribution" in page


# ----------------------------------------------------------------------------------------------------- strict dice


def phrase_on(page: Page) -> str:
    """Return the phrase of all shares, as a page shows it."""
    expect(page.locator("#phrase code")).to_have_text(re.compile("^[0-9a-f]{4} [0-9a-f]{4}$"))
    return page.locator("#phrase code").text_content() or ""


def phrase(*parts: str) -> str:
    """Return the phrase as docs/fair-dice.md defines it."""
    digits = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"{digits[:4]} {digits[4:8]}"


def live_table(page: Page, seats: int = 2) -> str:
    """Open a live table for a person whose browser has promised a share."""
    game = "shanghaien" if seats == 2 else "dutchman"
    open_form(page, game)
    page.locator("#pace").select_option("live-60-600")
    for chair in range(2, seats + 1):
        page.locator(f"#chair-{chair}").select_option("open")
    for chair in range(seats + 1, 7 if seats > 2 else 3):
        page.locator(f"#chair-{chair}").select_option(NO_CHAIR)
    page.locator("#open-it").click()
    expect(page.locator("#waiting")).to_be_visible()
    return table_of(page)


def sits_down(page: Page, name: str, table: str, chair: int) -> None:
    come_in(page, name)
    page.goto(f"/tables/{table}")
    page.locator(f"#sit-{chair}").click()


LOOKED_AT = """(is) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => is });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_at_a_live_table_each_browser_keeps_its_share_until_all_sit(served: Served, pages: Pages) -> None:
    with pages() as hers, pages() as his, pages() as onlooker:
        come_in(hers, "Anna")
        table = live_table(hers, 3)
        info = served.service.tables.info(table)
        assert A_PROMISE.fullmatch(info.seats[0].salt_commitment)
        assert shares_of(served.service, table) == ("", "", "")
        onlooker.goto(f"/tables/{table}/fair")
        expect(onlooker.locator("dd li")).to_have_text(
            [f"Anna: promised, {info.seats[0].salt_commitment}", "an empty seat: none", "an empty seat: none"]
        )
        sits_down(his, "Bernd", table, 2)
        expect(his.locator("#chair-2.mine")).to_be_visible()
        assert shares_of(served.service, table) == ("", "", "")
        hers.evaluate(LOOKED_AT, "hidden")
        with pages() as last:
            sits_down(last, "Dora", table, 3)
            for page in (hers, last):
                expect(page.locator("#revealing")).to_contain_text("everyone has the table in front of them")
                expect(page.locator("#revealing")).to_contain_text("Still missing: Anna.")
                expect(page).to_have_title("The game is about to begin – Der fliegende Holländer")
            assert served.service.tables.fair(table).salts[0] == "", "nobody's clock starts behind another tab"
            hers.evaluate(LOOKED_AT, "visible")
            for page in (hers, his, last):
                expect(page.locator("#board")).to_be_visible()
        dice = served.service.tables.fair(table)
        assert len(set(dice.salts)) == 3
        assert all(map(A_SHARE.fullmatch, dice.salts))
        assert dice.salt_commitments == tuple(map(salt_commitment, dice.salts))
        his.goto(f"/tables/{table}/fair")
        expect(his.locator(".lead")).to_contain_text("Nobody can choose these dice")
        assert phrase_on(his) == phrase(dice.commitment, *dice.salts)
        expect(his.locator("#changed")).to_be_hidden()


def test_beside_a_share_that_was_told_openly_others_are_promised_all_the_same(served: Served, pages: Pages) -> None:
    with pages() as hers, served.guest("Bernd") as bernd:
        come_in(hers, "Anna")
        table = live_table(hers)
        page = bernd.get(f"/tables/{table}")
        bernd.press(page.button("sit-2"), salt="tulip")
        expect(hers.locator("#board")).to_be_visible()
        assert served.service.tables.fair(table).salts[1] == "tulip"
        hers.goto(f"/tables/{table}/fair")
        expect(hers.locator("#phrase")).to_be_visible()
        expect(hers.locator("#changed")).to_be_hidden()
        expect(hers.locator(".lead")).to_contain_text("Nobody can choose these dice")
        with served.guest("Carla") as carla:
            for reader in (bernd, carla):
                html = reader.get(f"/tables/{table}/fair").html
                assert "The server alone cannot choose the dice." in html
                assert "Nobody can choose these dice" not in html


def test_what_a_server_shows_otherwise_afterwards_is_found_out(tmp_path: Path, chromium: Chromium) -> None:
    """Check that the browser compares later all promises that it saw when it revealed its share."""
    with (
        Served(tmp_path) as served,
        browsing(chromium, served.address) as hers,
        browsing(chromium, served.address) as his,
    ):
        come_in(hers, "Anna")
        table = live_table(hers)
        sits_down(his, "Bernd", table, 2)
        expect(his.locator("#board")).to_be_visible()
        his.goto(f"/tables/{table}/fair")
        expect(his.locator("#phrase")).to_be_visible()
        expect(his.locator("#changed")).to_be_hidden()
        query(tmp_path, "UPDATE seats SET salt = 'another' WHERE seat = 0")
        his.reload()
        expect(his.locator("#changed")).to_contain_text("Someone has changed it")


def test_a_browser_tells_nothing_where_the_seed_is_another_than_was_promised(
    tmp_path: Path, chromium: Chromium
) -> None:
    with Served(tmp_path) as served, browsing(chromium, served.address) as hers, served.guest("Bernd") as bernd:
        come_in(hers, "Anna")
        table = live_table(hers)
        hers.goto("/")
        query(tmp_path, "UPDATE tables SET commitment = ?, changes = changes + 1", "a" * 64)
        bernd.press(bernd.get(f"/tables/{table}").button("sit-2"))
        hers.goto(f"/tables/{table}")
        expect(hers.locator("#changed")).to_be_visible()
        assert shares_of(served.service, table) == ("", "")


def test_without_a_share_that_nobody_tells_a_game_begins_when_all_others_agree(
    tmp_path: Path, chromium: Chromium
) -> None:
    with (
        Served(tmp_path) as served,
        browsing(chromium, served.address) as hers,
        browsing(chromium, served.address) as his,
    ):
        come_in(hers, "Anna")
        table = live_table(hers)
        hers.goto("about:blank")
        sits_down(his, "Bernd", table, 2)
        expect(his.locator("#revealing")).to_contain_text("Still missing: Anna.")
        expect(his.locator("#begin-without")).to_have_count(0)
        query(tmp_path, "UPDATE tables SET deadline = 1, changes = changes + 1")
        his.reload()
        his.locator("#begin-without").click()
        expect(his.locator("#board")).to_be_visible()
        expect(his.locator("#chat")).to_contain_text("The game begins without Anna’s contribution to the dice.")
        his.goto(f"/tables/{table}/fair")
        expect(his.locator("dd li").first).to_have_text(
            "Anna: promised but not revealed; all others agreed to begin without it"
        )


def test_without_scripts_a_word_is_told_at_once_and_the_game_begins(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        path = seat_friend(anna, stranger, salt="tulip", pace="live-60-600")
        assert served.service.tables.info(path.removeprefix("/tables/")).status == "playing"
        page = anna.get(f"{path}/fair").html
        assert "The server alone cannot choose the dice." in page
        assert "Nobody can choose these dice" not in page


def test_for_a_game_over_days_strict_dice_are_asked_for(served: Served, pages: Pages) -> None:
    with pages() as hers, pages() as his:
        come_in(hers, "Anna")
        open_form(hers, "shanghaien")
        begin_press(hers)
        begin_press(hers)
        hers.locator("details.more summary").click()
        hers.locator("#dice").select_option("strict")
        hers.locator("#pace").select_option("slow-86400-0")
        hers.locator("#chair-2").select_option("open")
        hers.locator("#open-it").click()
        expect(hers.locator("#waiting")).to_be_visible()
        table = table_of(hers)
        hers.goto("/")
        sits_down(his, "Bernd", table, 2)
        expect(his.locator("#revealing")).to_contain_text("Still missing: Anna.")
        expect(hers.locator("body")).to_contain_text("The contributions to the dice are being revealed.")
        hers.goto(f"/tables/{table}")
        for page in (hers, his):
            expect(page.locator("#board")).to_be_visible()
