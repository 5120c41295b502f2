"""Low windows: the cards of Shanghaien can be read in them, after a game or a puzzle, and in analysis."""

from __future__ import annotations

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

LEAST: Final = (56, 76)
"""Least width and height in pixels of a card of the row, in a window wider than a phone's."""

SMALL: Final = """([wide, high]) => [...document.querySelectorAll("#board .row .place .face")]
    .map((card) => card.getBoundingClientRect()).filter(({ width, height }) => width < wide || height < high)
    .map(({ width, height }) => `${Math.round(width)} × ${Math.round(height)}`)"""
"""Script that returns the sizes of the cards of the row that are smaller."""

CUT: Final = """() => [...document.querySelectorAll("#sh-room .front *")].filter((one) => {
    const { bottom, height } = one.getBoundingClientRect(), room = document.querySelector("#sh-room");
    return one.checkVisibility() && height > 2 && bottom > room.getBoundingClientRect().bottom + 1;
}).map((one) => one.id || one.getAttribute("class") || one.textContent)"""
"""Script that returns what of the reader's side of the bar is clipped below the room."""


def check_cards(page: Page, state: str) -> None:
    """Check the cards at low windows, and at sizes drawn at random if a seed is given."""
    small = []
    expect(page.locator("#board .row .place .face")).to_have_count(6)
    for width, height in (*LOW, *((max(width, 770), height) for width, height in drawn_sizes(3, drawn_seed()))):
        page.set_viewport_size({"width": width, "height": height})
        small += [f"{state}, {width} × {height}: a card of {one}" for one in page.evaluate(SMALL, LEAST)]
        small += [f"{state}, {width} × {height}: {one} is cut" for one in page.evaluate(CUT)]
    assert not small, "\n".join(small)


@pytest.fixture
def finished_table(served: Served, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Return a table at which a game was played to its end."""
    table = moment(served.service, monkeypatch, "the first turn")
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
def test_cards_can_be_read_after_somebody_resigned(
    served: Served, chromium: Chromium, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    table = moment(served.service, monkeypatch, "dice and three tricks")
    token, person = table.token, served.service.people.of_session(table.token)
    assert person
    served.service.early_endings.resign(table.id, table.mover, person.id)
    with browsing(chromium, served.address, token, locale=language) as page:
        page.goto(table.path)
        expect(page.locator("#ending")).to_be_visible()
        expect(page.locator("#sh-hand")).to_have_count(0)
        check_cards(page, "resigned")


@pytest.mark.parametrize("language", ["en", "de"])
def test_cards_and_outcome_can_be_read_at_the_end(
    served: Served, chromium: Chromium, finished_table: Table, language: str
) -> None:
    with browsing(chromium, served.address, finished_table.tokens[0], locale=language) as page:
        page.goto(finished_table.path)
        check_cards(page, "the end")
        for width, height in LOW[:3]:
            page.set_viewport_size({"width": width, "height": height})
            outcome, ending = (page.locator(part).bounding_box() for part in ("#sh-outcome p", "#ending"))
            assert outcome
            assert ending
            assert outcome["y"] + outcome["height"] <= ending["y"], f"{width} × {height}"


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
