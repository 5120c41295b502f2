"""The rules beside a running table, in a real browser: the table stays, and so does the button that closes them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from web.browsers import PHONE, Pages
from web.conftest import Served
from web.guests import seated


@pytest.mark.parametrize("look", [{}, PHONE], ids=["desk", "phone"])
def test_the_sheet_keeps_its_head_wherever_one_reads(served: Served, pages: Pages, look: dict[str, object]) -> None:
    """What is only heard lies outside of what is seen: it must not make the sheet itself scroll."""
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = seated(anna, bernd, starter="0")
        with pages(anna, **look) as page:
            page.goto(table)
            page.get_by_role("link", name="How is it played?").click()
            sheet = page.locator("#beside-table")
            for part in ("examples", "details", "signs", "here"):
                sheet.locator(f'.contents a[href="#{part}"]').click()
                expect(sheet.locator(f"#{part}-title")).to_be_in_viewport()
                expect(sheet.locator("#beside-close")).to_be_in_viewport()
            assert page.url.endswith(table)
            sheet.locator("#beside-close").click()
            expect(sheet).to_be_hidden()
