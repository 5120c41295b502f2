"""Auditor of pages: it finds planted faults, and nothing on a page without any."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page

from web.auditor import FIXED_SIZES, SETTLED, drawn_sizes, findings, findings_at, shifts, small_targets
from web.browsers import Chromium

FRAME: Final = """<!doctype html><html lang="en"><style>
body { margin: 0; font: 16px/1.3 sans-serif; }
.box { position: absolute; left: 20px; top: 20px; width: 200px; height: 60px; }
.low { position: absolute; left: 20px; top: 220px; }
.paper { background: #eee; }
</style><body>BODY</body></html>"""

SOUND: Final = """
<p id="now">Your turn.</p>
<div style="height: 40px; overflow: auto" id="roll">One line.<br>Another line.<br>A third, to be scrolled to.</div>
<p hidden>Not shown</p><p style="position: absolute; clip-path: inset(50%)">Read aloud only</p>
<section data-decision="1"><p>What do you do?</p>
<label><input type="radio" id="left">Left</label> <button id="go">Go on</button></section>
<div class="box paper" style="top: 300px">A paper <span class="paper">with a slip</span></div>
<main class="box" style="top: 400px"><span><svg width="40" height="20"><rect width="40" height="20"/></svg></span>
<b class="paper" style="position: relative; margin-left: -20px">3</b></main>
"""

FAULTS: Final[dict[str, tuple[str, str]]] = {
    "two texts over each other": (
        '<p class="box" id="one">Choose an action now</p><p class="box" id="two">Choose your horseshoes</p>',
        "texts over each other: “Choose an action now” in #one, “Choose your horseshoes” in #two",
    ),
    "a text under a painted element": (
        '<p class="box" id="one">Choose an action now</p><div class="box paper" id="tip">Tip</div>',
        "text covered: “Choose an action now” in #one, by #tip",
    ),
    "a text under an element that lets the pointer through": (
        '<p class="box" id="one">An action</p><div class="box paper" style="pointer-events: none" id="tip"></div>',
        "text covered: “An action” in #one, by #tip",
    ),
    "two texts over each other, one of which leaves its own ground": (
        '<p class="box paper" style="height: 20px; margin: 0" id="one">An action<br>and horseshoes</p>'
        '<p style="position: absolute; left: 20px; top: 42px; margin: 0; z-index: -1" id="two">Another line</p>',
        "texts over each other: “and horseshoes” in #one, “Another line” in #two",
    ),
    "a picture at the place of a text": (
        '<main class="box paper"><span><svg id="shoe" width="60" height="20" style="display: block"><rect width="60" '
        'height="20"/></svg></span><p style="margin: -18px 0 0" id="sum">10 + 10 + 1 = 21</p></main>',
        "picture on a text: #shoe on “10 + 10 + 1 = 21” in #sum",
    ),
    "a text cut by its box": (
        '<div class="box" style="height: 25px; overflow: hidden" id="slip">One line here<br>another line</div>',
        "text cut: “another line” in #slip, by #slip",
    ),
    "a text ended by dots": (
        '<p class="box" style="overflow: hidden; text-overflow: ellipsis; white-space: nowrap" id="name">'
        "Reiner-Maximilian von und zu Hohenstein</p>",
        "text ended by dots: “Reiner-Maximilian von und zu Hohenstein” in #name",
    ),
    "a text out of the window": (
        '<p class="low" style="left: 700px; white-space: nowrap" id="far">It ends beyond the edge of the window</p>',
        "text out of the window: “It ends beyond the edge of the window” in #far",
    ),
    "a word broken in its middle": (
        '<p class="box" style="width: 60px; overflow-wrap: anywhere" id="card">Kontorkarte</p>',
        "word broken: “Kontorkarte” in #card",
    ),
    "a button below the window": (
        '<section data-decision="1">'
        '<button class="low" style="top: 590px; height: 38px" id="lay">Lay</button></section>',
        "needed, out of the window: #lay by 28 px",
    ),
    "a covered button": (
        '<section data-decision="1"><button class="box" id="lay">Lay</button></section>'
        '<div class="box" id="over"></div>',
        "needed, covered: #lay by #over",
    ),
    "a button of which one corner is covered": (
        '<section data-decision="1"><button class="box" id="lay">Lay</button></section>'
        '<div class="box" style="left: 200px; top: 60px" id="over"></div>',
        "needed, covered: #lay by #over",
    ),
    "a button cut by what scrolls": (
        '<div style="height: 50px; overflow: auto" id="roll"><section data-decision="1"><p>Question</p>'
        '<button id="lay">Lay</button></section></div>',
        "needed, cut: #lay by #roll",
    ),
    "a hidden label that escapes from what scrolls": (
        '<div style="height: 60px; overflow: auto"><div style="height: 900px"></div>'
        '<label style="position: absolute; width: 1px; height: 1px; clip-path: inset(50%)">Text</label></div>',
        "page goes on below its end: by 321 px",
    ),
    "a question to be scrolled to": (
        '<div style="height: 20px; overflow: auto" id="roll"><br><br><p data-needed id="asks">What now?</p></div>',
        "needed, cut: #asks by #roll",
    ),
}


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 800, "height": 600})
    yield page
    page.context.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_named(page: Page, fault: str) -> None:
    body, finding = FAULTS[fault]
    page.set_viewport_size({"width": 800, "height": 600})
    page.set_content(FRAME.replace("BODY", body))
    assert finding in findings(page)


def test_targets_that_are_too_small_or_smaller_than_their_pictures_are_named(page: Page) -> None:
    page.set_content(
        FRAME.replace(
            "BODY",
            '<button id="tiny" style="width: 30px; height: 20px; padding: 0">i</button>'
            '<label style="display: block; width: 60px; height: 40px"><input type="radio" id="share">'
            '<svg width="60" height="90"></svg></label>'
            '<label style="display: block; width: 60px; height: 90px"><input type="radio" id="sound">'
            '<svg width="50" height="70"></svg></label>',
        )
    )
    assert small_targets(page, "#none") == ["target too small: #tiny of 30×20 px", "smaller than its picture: #share"]


def test_what_moves_by_itself_is_named(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 600})
    page.goto("about:blank")
    late = "Now <p id='late' hidden>Later</p><p id='moved' style='height: 300px'>A</p>"
    page.set_content(FRAME.replace("BODY", late))
    page.evaluate(SETTLED)
    page.evaluate("document.getElementById('late').style.cssText = 'display: block; height: 200px'")
    page.evaluate(SETTLED)
    (finding,) = shifts(page)
    assert "#moved" in finding


def test_a_sound_page_has_no_findings_at_any_window(page: Page) -> None:
    page.set_content(FRAME.replace("BODY", SOUND))
    assert findings_at(page, [*FIXED_SIZES, *drawn_sizes(6, seed=1)]) == {}


def test_the_same_seed_draws_the_same_windows() -> None:
    assert drawn_sizes(5, seed=7) == drawn_sizes(5, seed=7)
    assert drawn_sizes(5, seed=7) != drawn_sizes(5, seed=8)
