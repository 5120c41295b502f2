"""Rules beside a running table: fetched when they are opened, and never shown in the table's place."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from web.browsers import PHONE, Chromium, browsing
from web.conftest import Served
from web.positions import table_of
from web.test_axe import _RUN, AXE


@pytest.fixture(params=["shanghaien", "dutchman"])
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["desk", "phone"])
def table(request: pytest.FixtureRequest, chromium: Chromium, served: Served, game: str) -> Iterator[Page]:
    """Yield the page of a running table at which its reader is to move."""
    size = PHONE if request.param == "phone" else {"viewport": {"width": 1440, "height": 900}}
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Carla") as carla:
        guests = [anna, bernd, carla][: 3 if game == "dutchman" else 2]
        path = f"/tables/{table_of(served, guests, game)}"
        with browsing(chromium, served.address, anna, **size) as page:
            page.goto(path)
            page.locator("#connection .live").wait_for()
            yield page


def test_the_whole_book_beside_the_table(table: Page, game: str) -> None:
    addresses: list[str] = []
    table.on("request", lambda request: addresses.append(request.url))
    before = table.url
    table.locator("#how-played").click()
    expect(table.locator(".beside h1")).to_be_in_viewport()
    assert table.url == before
    assert [url for url in addresses if url.endswith(f"/rules/{game}")]
    assert table.locator("#now").is_visible()
    ids = table.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))
    new = table.locator(".beside-head a")
    assert new.get_attribute("target") == "_blank"
    assert new.get_attribute("href") == f"/rules/{game}"
    table.keyboard.press("Escape")
    expect(table.locator(".beside")).to_be_hidden()
    assert table.evaluate("document.activeElement.id") == "how-played"
    addresses.clear()
    table.locator("#how-played").click()
    expect(table.locator(".beside h1")).to_be_in_viewport()
    assert not [url for url in addresses if "/rules/" in url], "it is fetched once"
    table.locator("#beside-close").click()
    expect(table.locator(".beside")).to_be_hidden()


def test_a_rule_by_its_number(table: Page) -> None:
    drawer = table.locator("details#rules")
    if drawer.get_attribute("open") is None:
        drawer.locator("summary").click()
    link = drawer.locator("dt a").first
    number = link.inner_text()
    link.click()
    rule = table.locator(f".beside #{number}")
    expect(rule).to_be_in_viewport()
    expect(rule).to_have_class("rule sought")
    table.locator('.beside .contents a[href="#signs"]').click()
    expect(table.locator(".beside #signs h2")).to_be_in_viewport()


@pytest.mark.parametrize("table", ["desk"], indirect=True)
def test_axe_has_nothing_to_say_of_it(table: Page) -> None:
    """Check the desk only: on a phone axe measures what lies under the sheet against the sheet."""
    table.locator("#how-played").click()
    table.locator(".beside h1").wait_for()
    table.evaluate(AXE)
    assert table.evaluate(_RUN) == []


def test_without_scripts_the_rules_are_in_a_tab_of_their_own(served: Served, game: str) -> None:
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Carla") as carla:
        guests = [anna, bernd, carla][: 3 if game == "dutchman" else 2]
        html = anna.get(f"/tables/{table_of(served, guests, game)}").html
    links = [part.split(">")[0] for part in html.split("<a ") if f'href="/rules/{game}' in part.split(">")[0]]
    assert links
    assert all('target="_blank"' in link for link in links), links
