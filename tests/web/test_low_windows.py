"""The cards of Shanghaien can be read in any window, after a game or a puzzle, and in analysis too."""

from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from guests import play_one
from kontor.games.shanghaien.rules.state import Place
from kontor.puzzles.collection import puzzles_of
from kontor.puzzles.values import PuzzlePosition
from web.auditor import drawn_seed, drawn_sizes
from web.browsers import Chromium, browsing, known_as
from web.conftest import Served
from web.tables import Table
from web.tavern_moments import moment

LOW: Final = ((1366, 650), (1280, 720), (1366, 768), (900, 600))
"""Sizes of windows that are low for their width."""

NARROW: Final = ((390, 844), (360, 640), (640, 360), (768, 1024), (1024, 768))
"""Sizes of telephones and tablets."""

LEAST: Final = (56, 76)
"""Least width and height in pixels of a card of the row."""

LEAST_IN_LANE: Final = (24, 33)
"""Least width and height in pixels of a card in the lane of the last round."""

SMALL: Final = """([wide, high]) => [...document.querySelectorAll("#board .row .place .face")]
    .map((card) => card.getBoundingClientRect()).filter(({ width, height }) => width < wide || height < high)
    .map(({ width, height }) => `${Math.round(width)} × ${Math.round(height)}`)"""
"""Script that returns the sizes of the cards of the row that are smaller."""

CUT: Final = """() => [...document.querySelectorAll("#sh-room :is(.front, .decide) *")].filter((one) => {
    const { bottom, height } = one.getBoundingClientRect(), room = document.querySelector("#sh-room");
    return one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen") && height > 2
        && bottom > room.getBoundingClientRect().bottom + 1;
}).map((one) => one.id || one.getAttribute("class") || one.textContent)"""
"""Script that returns what of the reader's side of the bar is clipped below the room."""

CROSSED: Final = """() => {
    const lane = document.querySelector("#sh-dealt");
    if (!lane.checkVisibility()) return [];
    const { left, right, top, bottom } = lane.getBoundingClientRect();
    const parts = document.querySelectorAll("#sh-room :is(.wall, .bar, .front, .decide, .lineup, .row, .ledger)");
    return [...parts].filter((part) => {
        const box = part.getBoundingClientRect();
        return part.checkVisibility() && box.width && box.left < right - 1 && left < box.right - 1
            && box.top < bottom - 1 && top < box.bottom - 1;
    }).map((part) => part.id || part.className);
}"""
"""Script that returns the parts of the table on which the lane of the last round lies."""


def windows() -> tuple[tuple[int, int], ...]:
    """Return the sizes at which a state is looked at, with some drawn at random if a seed is given."""
    return (*LOW, *NARROW, *drawn_sizes(3, drawn_seed()))


def check_cards(page: Page, state: str) -> None:
    """Check that cards can be read, that nothing is cut, and that the lane of the last round lies on nothing."""
    faults = []
    expect(page.locator("#board .row .place .face")).to_have_count(6)
    for width, height in windows():
        page.set_viewport_size({"width": width, "height": height})
        where = f"{state}, {width} × {height}"
        faults += [f"{where}: a card of {one}" for one in page.evaluate(SMALL, LEAST)]
        faults += [f"{where}: {one} is cut" for one in page.evaluate(CUT)]
        faults += [f"{where}: the last round lies on {one}" for one in page.evaluate(CROSSED)]
    assert not faults, "\n".join(faults)


@pytest.fixture
def finished_table(served: Served) -> Table:
    """Return a table at which a game was played to its end."""
    table = moment(served.service, "the first turn")
    random = Random(2)
    while play_one(served.service, table.id, random):
        pass
    return table


@pytest.mark.parametrize("language", ["en", "de"])
def test_cards_can_be_read_after_a_puzzle_is_answered(served: Served, chromium: Chromium, language: str) -> None:
    puzzles = puzzles_of("shanghaien").values()
    puzzle = next(puzzle for puzzle in puzzles if isinstance(PuzzlePosition(puzzle).moves[puzzle.best], Place))
    with browsing(chromium, served.address, locale=language) as page:
        page.goto(f"/puzzles/shanghaien/{puzzle.id}?again=1")
        check_cards(page, "asked")
        page.locator("#sh-room button.thrown").first.click()
        expect(page.locator("#answer")).to_be_visible()
        check_cards(page, "answered")


@pytest.mark.parametrize("screen", [(1366, 650), (1280, 720), (1366, 768)])
def test_a_puzzles_answer_and_its_board_are_in_view_together(
    served: Served, chromium: Chromium, screen: tuple[int, int]
) -> None:
    puzzles = puzzles_of("shanghaien").values()
    puzzle = next(puzzle for puzzle in puzzles if isinstance(PuzzlePosition(puzzle).moves[puzzle.best], Place))
    width, height = screen
    with browsing(chromium, served.address, viewport={"width": width, "height": height}) as page:
        page.goto(f"/puzzles/shanghaien/{puzzle.id}?again=1")
        page.locator("#sh-room button.thrown").first.click()
        expect(page.locator("#answer")).to_be_visible()
        for part in ("#sh-room", "#answer"):
            box = page.locator(part).bounding_box()
            assert box
            assert box["y"] + box["height"] <= height, part


@pytest.mark.parametrize("language", ["en", "de"])
def test_cards_can_be_read_after_somebody_resigned(served: Served, chromium: Chromium, language: str) -> None:
    table = moment(served.service, "dice and three tricks")
    token, person = table.token, served.service.people.holder_of_session(table.token)
    assert person
    served.service.early_endings.resign(table.id, table.mover, person.id)
    with browsing(chromium, served.address, token, locale=language) as page:
        page.goto(table.path)
        expect(page.locator("#ending")).to_be_visible()
        expect(page.locator("#sh-hand")).to_have_count(0)
        check_cards(page, "resigned")


LANE: Final = """([wide, high]) => [...document.querySelectorAll("#sh-dealt .face")]
    .map((card) => card.getBoundingClientRect()).filter(({ width, height }) => width < wide || height < high)
    .map(({ width, height }) => `${Math.round(width)} × ${Math.round(height)}`)"""
"""Script that returns the sizes of the cards of the last round that are smaller."""


def check_end(page: Page, table: Table) -> None:
    """Check that outcome, points and the last round can be read, and are not covered by the ways on."""
    faults = []
    page.goto(table.path)
    expect(page.locator("#sh-dealt .face")).to_have_count(6)
    for width, height in windows():
        page.set_viewport_size({"width": width, "height": height})
        ending = page.locator("#ending").bounding_box()
        assert ending
        for part in ("#sh-outcome p", "#sh-final .columns", "#sh-dealt", "#sh-plate-mine"):
            box = page.locator(part).bounding_box()
            if box is None or box["y"] + box["height"] > ending["y"] + 1:
                faults.append(f"{width} × {height}: {part} is not above the ways on")
        faults += [f"{width} × {height}: a card of {one}" for one in page.evaluate(LANE, LEAST_IN_LANE)]
        faults += [f"{width} × {height}: the last round lies on {one}" for one in page.evaluate(CROSSED)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", ["en", "de"])
def test_outcome_points_and_last_round_can_be_read_at_the_end(
    served: Served, chromium: Chromium, finished_table: Table, language: str
) -> None:
    with browsing(chromium, served.address, finished_table.tokens[0], locale=language) as page:
        check_end(page, finished_table)


@pytest.mark.parametrize("seat", [0, 1])
def test_outcome_points_and_last_round_can_be_read_when_a_rematch_is_offered(
    served: Served, chromium: Chromium, finished_table: Table, seat: int
) -> None:
    host = served.service.people.holder_of_session(finished_table.tokens[0])
    assert host
    served.service.opening.rematch(finished_table.id, host.id)
    with browsing(chromium, served.address, finished_table.tokens[seat], locale="de") as page:
        check_end(page, finished_table)


def test_cards_can_be_read_on_the_analysis_board(served: Served, chromium: Chromium, finished_table: Table) -> None:
    """Check the cards, also before it is said where the 1 is.

    The folded choice of cards must not move the bar.
    """
    with browsing(chromium, served.address) as page:
        known_as(page, served.address, finished_table.tokens[0])
        for line, state in ((4, ".bar.choosing"), (42, ".bar:not(.choosing)")):
            page.goto(f"{finished_table.path}/analysis?at={line}")
            expect(page.locator(state)).to_be_visible()
            check_cards(page, f"analysis of line {line}")
            margin: Any = page.locator(".bar").evaluate("bar => getComputedStyle(bar).marginTop")
            assert margin == "0px"
