"""Audits of the Holländer's desk, tips, “Take back” and the tutorial, in many windows."""

import logging
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from kontor.games.shanghaien.rules import Options
from kontor.games.shanghaien.rules.state import Number, Roll
from profiles import IS_USUAL, PROFILE, extended_after
from web.auditor import FIXED_SIZES, LANGUAGES, Size, drawn_seed, drawn_sizes, findings_at, report
from web.browsers import Chromium, browsing, known_as
from web.conftest import Served
from web.desk_moments import MOMENTS, Moment
from web.tables import Table, open_known_table

_LOG = logging.getLogger(__name__)

NEEDED: Final = "#now, .df-do button, .df-question, .df-way, .df-party input"
"""Selector of what a decision at the desk needs; it leaves out the cards in the hand, which repeat buttons.

The rack is left out too, as it may scroll on a phone.
"""

LESSON_NEEDED: Final = f"{NEEDED}, .lesson-ways a, .lesson-text"

HEAD: Final = ("#tips", "#undo", "#where", "#now", "nav")
"""Elements that tips and “Take back” may come near; the boards have audits of their own."""

DRAWN: Final = 12

LONGEST: Final = ("action", "sail", "propose, four tied", "answer, four tied", "the third of four reads a proposal")
"""Moments with the longest sentences; only some languages are looked at in the others."""

TIGHT: Final[tuple[Size, ...]] = ((1280, 720), (1366, 650), (1024, 768), (768, 1024), (390, 844))
"""Sizes of the fixed windows that have the least room."""

WIDE: Final = tuple(size for size in FIXED_SIZES if size not in TIGHT)

NARROW_DESKS: Final[tuple[Size, ...]] = ((1127, 606), (1200, 768))
"""Windows with a narrow column for the question and the hand, where words were broken and lines cut in English."""

IN_NARROW_DESKS: Final = ("first action", "propose, four tied", "the third of four reads a proposal")
"""Moments at which that happened."""

TIP: Final[tuple[Size, ...]] = ((1366, 768), (1280, 720), (1024, 768), (768, 1024), (390, 844))
"""Windows with a tip or with “Take back”."""

LOW: Final[tuple[Size, ...]] = ((1366, 650), (1280, 720), (1366, 768), (1600, 900))


@pytest.fixture(scope="module")
def moments(served: Served) -> dict[str, Moment]:
    """Return a table at every moment, by the moment's name."""
    return {name: make(served.service) for name, make in MOMENTS.items()}


@pytest.fixture(scope="module")
def seed() -> int | None:
    return drawn_seed()


def at_table(page: Page, served: Served, table: Table, seat: int, *, with_tips: bool = False) -> None:
    page.context.clear_cookies()
    known_as(page, served.address, table.tokens[seat])
    if not with_tips:
        page.context.add_cookies([{"name": "kontor-tips", "value": "never", "url": served.address}])
    page.goto(table.path)
    expect(page.locator("#connection")).to_have_attribute("data-is", "live")


def audit_page(
    page: Page, sizes: list[Size], title: str, seed: int | None, needed: str = NEEDED, about: tuple[str, ...] = ("",)
) -> list[str]:
    """Return a report of the faults of the page in windows of these sizes, or nothing if it has none.

    Only findings are reported that name one of the elements that the test is ``about``.
    """
    everything = findings_at(page, sizes, needed)
    sizes_of = {finding: at for finding, at in everything.items() if any(name in finding for name in about)}
    return [f"{title}:\n{report(sizes_of, seed)}"] if sizes_of else []


def windows_for(language: str, moment: str, turn: int) -> tuple[Size, ...]:
    """Return the fixed windows in which a moment is looked at in a language.

    Sentences are longest in German: at the longest moments it is looked at in every window, in ``./test`` in those
    with the least room and one other. At the other moments, and in other languages, windows take turns, those with
    the least room more often. The thorough profile leaves out none.
    """
    if PROFILE == "thorough":
        return (*FIXED_SIZES, *NARROW_DESKS)
    if language == "de" and moment in LONGEST:
        return (*TIGHT, WIDE[turn % len(WIDE)]) if IS_USUAL else FIXED_SIZES
    first = turn + LANGUAGES.index(language)
    taken = TIGHT[first % len(TIGHT)], WIDE[first % len(WIDE)]
    if language == "de":
        return (*taken, TIGHT[(first + 2) % len(TIGHT)])
    return (*taken, *NARROW_DESKS) if language == "en" and moment in IN_NARROW_DESKS else taken


@pytest.mark.long
@pytest.mark.parametrize("language", extended_after(1, LANGUAGES))
def test_every_text_of_the_desk_can_be_read_and_every_button_pressed(
    served: Served, chromium: Chromium, moments: dict[str, Moment], seed: int | None, language: str
) -> None:
    """Check windows that failed once, and some drawn at random.

    English and German are checked at all moments, the other languages only at the longest ones.
    """
    _LOG.info("Windows are drawn from seed %s.", seed)
    is_whole = language in ("en", "de")
    drawn = drawn_sizes(DRAWN, seed)
    findings: list[str] = []
    with browsing(chromium, served.address, locale=language) as page:
        for turn, (name, (table, seat)) in enumerate(moments.items()):
            if is_whole or name in LONGEST:
                at_table(page, served, table, seat)
                sizes = [*windows_for(language, name, turn), *(drawn if language == "en" else drawn[:2])]
                findings += audit_page(page, sizes, name, seed)
    assert not findings, "\n".join(findings)


def test_the_longest_reading_lies_over_nothing(
    served: Served, chromium: Chromium, moments: dict[str, Moment], seed: int | None
) -> None:
    """Check the desk with all silver horseshoes chosen, and a golden one."""
    table, seat = moments["action"]
    with browsing(chromium, served.address, locale="de") as page:
        at_table(page, served, table, seat)
        for shoe in page.locator("#df-rack input").all():
            shoe.evaluate("(shoe) => shoe.click()")
        expect(page.locator("#df-clear")).to_be_visible()
        findings = audit_page(page, [*windows_for("de", "all chosen", 0)], "all chosen", seed)
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize("language", extended_after(1, LANGUAGES))
@pytest.mark.parametrize("game", ["dutchman", "shanghaien"])
def test_a_tip_and_take_back_cover_nothing(
    served: Served, chromium: Chromium, seed: int | None, game: str, language: str
) -> None:
    """Check every window in German, which has long words, and two of them in each other language."""
    if game == "dutchman":
        table, seat = MOMENTS["first action"](served.service)
        first, then = ("#df-rack label", "#df-lay")
    else:
        table, seat = open_known_table(served.service, game, Options(starter=0), 2, 1), 0
        table.play(Roll())
        first, then = ("", '#table button[id^="sh-do-place"]')
    turn = LANGUAGES.index(language)
    windows = TIP if language == "de" else (TIP[turn], TIP[turn - 2])
    sizes = [*windows, *drawn_sizes(2, seed)]
    with browsing(chromium, served.address, locale=language) as page:
        at_table(page, served, table, seat, with_tips=True)
        expect(page.locator("#tips")).to_be_visible()
        findings = audit_page(page, sizes, "tip", seed, "#now, #tips > summary", HEAD)
        if first:
            page.locator(first).first.click()
        else:
            table.play(Number("left"))
        page.locator(then).first.click()
        page.locator("#undo button").wait_for()
        # The script hides the button after some seconds, but the audit takes longer.
        page.evaluate("new MutationObserver(() => { undo.hidden = false; }).observe(undo, { attributes: true })")
        findings += audit_page(page, sizes, "take back", seed, "#now, #undo button, #where strong", HEAD)
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize("language", extended_after(1, ["de", "en"]))
def test_the_tutorials_buttons_are_in_a_low_window(
    served: Served, chromium: Chromium, seed: int | None, language: str
) -> None:
    """Check every step in the lowest window and in one of the others, and some steps in all."""
    findings: list[str] = []
    steps = range(1, 13) if language == "en" else (2, 7, 9, 11)
    with browsing(chromium, served.address, locale=language) as page:
        for step in steps:
            page.goto(f"/learn/dutchman/{step}")
            windows = LOW if language == "de" else (LOW[0], LOW[1 + step % 3])
            findings += audit_page(page, list(windows), f"step {step}", seed, LESSON_NEEDED)
    assert not findings, "\n".join(findings)
