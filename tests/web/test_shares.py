"""Shares of the dice: browsers give one by themselves, to a seed that was promised before."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from kontor.table import TableService
from web.browsers import Pages, come_in, table_of
from web.conftest import Served
from web.guests import seated

A_SHARE = re.compile("[0-9a-f]{32}")


def told(page: Page) -> str:
    """The commitment that a page shows."""
    return page.locator("code.commitment").text_content() or ""


def shares_of(service: TableService, table: str) -> tuple[str, ...]:
    return service.fair(table).salts


def test_each_browser_adds_a_share_to_what_was_promised(served: Served, pages: Pages) -> None:
    with pages() as hers, pages() as his:
        come_in(hers, "Anna")
        hers.goto("/open/shanghaien")
        promised = told(hers)
        hers.locator("#open-it").click()
        hers.locator("#invite-2").click()
        table = table_of(hers)
        assert served.service.fair(table).commitment == promised == told(hers)
        his.goto(hers.locator("#link-2").input_value())
        assert told(his) == promised
        his.locator("#name").fill("Bernd")
        his.locator("#sit").click()
        expect(his.locator("#board")).to_be_visible()
        mine, theirs = shares_of(served.service, table)
        assert A_SHARE.fullmatch(mine)
        assert A_SHARE.fullmatch(theirs)
        assert mine != theirs
        his.goto(f"/tables/{table}/fair")
        expect(his.locator("#commitment")).to_have_text(promised)
        expect(his.locator("dd li")).to_have_text([f"Anna: “{mine}”", f"Bernd: “{theirs}”"])
        expect(his.locator(".lead")).to_contain_text("The server alone cannot choose the dice.")


def test_a_word_goes_before_and_a_free_chair_gets_a_share_too(served: Served, pages: Pages) -> None:
    with pages() as hers, pages() as his:
        come_in(hers, "Anna")
        hers.goto("/open/shanghaien")
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
        page.goto("/open/shanghaien")
        with served.guest() as other:
            other.client.cookies.set("kontor", page.context.cookies()[0]["value"])
            other.press(other.get("/open/shanghaien").button("open-it"))
        page.locator("#name-2").fill("Bernd")
        page.locator("#open-it").click()
        expect(page.locator("#refused")).to_contain_text("You have opened another table meanwhile")
        expect(page.locator("#name-2")).to_have_value("Bernd")
        page.reload()
        page.locator("#open-it").click()
        expect(page.locator("#waiting")).to_be_visible()


def test_without_scripts_a_share_is_what_somebody_writes(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as bernd:
        path = seated(anna, bernd, salt="tulip")
        assert shares_of(served.service, path.removeprefix("/tables/")) == ("tulip", "")
        assert "The server alone cannot choose the dice." in anna.get(f"{path}/fair").html
        other = seated(anna, bernd)
        page = anna.get(f"{other}/fair").html
        assert "The server alone cannot" not in page
        assert "Nobody at this table has added a share" in page
