"""Replay: by links, and where scripts run with a slider, by keys, and as a game that plays back by itself."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from guests import play_one
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.guests import Guest
from web.positions import table_of

OF = re.compile(r"replay: (\d+) of (\d+)")


def place_in(text: str) -> tuple[int, int]:
    """Return the number of the step shown, and the number of steps."""
    match = OF.search(" ".join(text.split()))
    assert match, text
    return int(match[1]), int(match[2])


@pytest.fixture(scope="module")
def table(served: Served) -> str:
    """Return the path of a table whose game is over."""
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        table = table_of(served, [anna, bernd], "shanghaien")
        random = Random(1)
        while play_one(served.service, table, random):
            pass
    return f"/tables/{table}"


def test_without_scripts_links_and_the_slider_lead_to_every_moment(stranger: Guest, table: str) -> None:
    last = stranger.get(f"{table}/replay")
    place, stops = place_in(last.text("which"))
    assert place == stops > 60
    wind = last.button("wind-go")
    for typed, step in (("7", 7), ("0", 1), ("99999", stops), ("x", stops)):
        assert place_in(stranger.press(wind, place=typed).text("which"))[0] == step
    first = stranger.press(wind, place="1")
    assert 'id="step-back" class="button" rel="prev"' in first.html
    assert first.html.count('aria-disabled="true"') == 2
    assert re.search(r'id="round-1"[^>]* aria-current="true"', first.html)
    third = re.search(rf'id="round-3" href="({table}/replay\?at=\d+)"', first.html)
    assert third
    assert re.search(r'id="round-3"[^>]* aria-current="true"', stranger.get(third[1]).html)


def test_a_slider_keys_and_autoplay(served: Served, chromium: Chromium, table: str) -> None:
    with browsing(chromium, served.address) as page:
        page.clock.install()
        page.goto(f"{table}/replay?place=1")
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        stops = place_in(page.locator("#which").inner_text())[1]

        def at(place: int) -> None:
            expect(page.locator("#which")).to_contain_text(f"replay: {place} of {stops}")
            expect(page.locator("#place")).to_have_js_property("value", str(place))
            assert page.evaluate("window.same"), "the page was not loaded anew"

        page.evaluate("window.same = true")
        _keys(page, at, stops)
        _slider(page, at)
        _autoplay(page, at, stops)
        page.locator("#round-2").click()
        expect(page.locator("#round-2")).to_have_attribute("aria-current", "true")
        expect(page.locator("#round-2")).to_be_focused()
        assert "/replay?at=" in page.url


def _keys(page: Page, at: Callable[[int], None], stops: int) -> None:
    for key, place in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", stops), ("Home", 1)):
        page.keyboard.press(key)
        at(place)
    page.locator("#step-on").click()
    at(2)
    expect(page.locator("#step-on")).to_be_focused()


def _slider(page: Page, at: Callable[[int], None]) -> None:
    """Move the slider; check that only the step where it rests is requested."""
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.locator("#place").evaluate(
        "slider => { for (const n of [9, 14, 20]) { slider.value = n; slider.dispatchEvent(new Event('input')); } }"
    )
    page.clock.run_for(200)
    at(20)
    assert len(addresses) == 1
    page.locator("#place").focus()
    page.keyboard.press("ArrowRight")
    page.clock.run_for(200)
    at(21)


def _autoplay(page: Page, at: Callable[[int], None], stops: int) -> None:
    play = page.locator("#step-play")
    expect(play).to_have_text("Play back", use_inner_text=True)
    page.keyboard.press("Space")
    expect(play).to_have_text("Pause", use_inner_text=True)
    page.clock.run_for(1500)
    at(21)
    page.clock.run_for(5000)
    at(22)
    page.clock.run_for(7000)
    at(23)
    play.click()
    expect(play).to_have_text("Play back", use_inner_text=True)
    page.clock.run_for(20_000)
    at(23)
    play.click()
    page.keyboard.press("End")
    at(stops)
    expect(play).to_have_text("Play back", use_inner_text=True)
    play.click()  # at the end it begins anew
    at(1)
    page.clock.run_for(7000)
    at(2)
    play.click()
