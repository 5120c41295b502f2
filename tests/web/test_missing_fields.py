"""Missing fields of forms, told in the page's own words where the browser would show a bubble of its own."""

import pytest
from playwright.sync_api import expect

from web.browsers import Pages
from web.conftest import Served

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("language", "notice"), [("en", "Please fill in: Your name"), ("de", "Bitte ausfüllen: Dein Name")]
)
def test_a_missing_name_is_told_in_the_readers_language(pages: Pages, language: str, notice: str) -> None:
    with pages(locale=language) as page:
        page.goto("/return")
        page.goto("/")
        name = page.locator("#name")
        page.locator("#name-go").click()
        refused = page.locator("#refused")
        expect(refused).to_have_text(notice)
        expect(name).to_be_focused()
        expect(name).to_have_attribute("aria-describedby", "refused")
        name.fill("Karin")
        expect(refused).to_be_hidden()
        page.locator("#name-go").click()
        expect(page.locator("#menu-you")).to_have_text("Karin")


def test_a_number_out_of_range_is_told_with_its_limits(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        page.goto("/open/shanghaien")
        page.locator("#part-pace > summary").click()
        page.locator("#pace").select_option("live")
        page.locator("#seconds").fill("4")
        page.locator("#open-it").click()
        expect(page.locator("#refused")).to_contain_text("please enter a whole number from 5 to 3600.")
        expect(page.locator("#seconds")).to_be_focused()


def test_an_address_leads_to_its_part_of_the_own_page(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna) as page:
        page.goto("/you#known")
        expect(page.locator("#known")).to_have_attribute("open", "")
        expect(page.locator("#forget-here")).to_be_in_viewport()
        page.evaluate("location.hash = '#own'")
        expect(page.locator("#own-data")).to_be_visible()
