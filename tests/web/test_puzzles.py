"""Puzzles in the browser: solved on the picture of the table and without scripts, by strangers and by people."""

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from kontor.games.dutchman.rules.state import Lay
from kontor.games.shanghaien.rules.state import Nudge, Place
from kontor.puzzles import progress
from kontor.puzzles.collection import puzzles_of, retired_of
from kontor.puzzles.daily import puzzle_of_day
from kontor.puzzles.values import Puzzle, PuzzlePosition
from web.browsers import PHONE, Chromium, Hand, browsing
from web.conftest import Served
from web.guests import Button, Guest
from web.guests import Page as Seen

GAMES: Final = ("shanghaien", "dutchman")
KIND: Final = {"shanghaien": Place, "dutchman": Lay}
"""Kind of the best move of the puzzle that is solved here."""

DAY: Final = "2026-11-03"


@pytest.fixture
def stranger(served: Served) -> Iterator[Guest]:
    with served.guest() as stranger:
        yield stranger


def asking_for(game: str) -> Puzzle:
    """Return the first puzzle of a game whose best move is of this kind."""
    for puzzle in puzzles_of(game).values():
        if isinstance(PuzzlePosition(puzzle).moves[puzzle.best], KIND[game]):
            return puzzle
    raise AssertionError(game)


def answers(page: Seen) -> list[Button]:
    """Return the buttons that answer."""
    return [
        button for form in page.forms if form.action.startswith("/puzzles/") for button in form.buttons if button.name
    ]


def level_of(page: Seen) -> bool:
    """Return True if the overview shows a level."""
    return "Solved" in page.text("main")


def test_todays_puzzle_is_the_same_for_everybody(served: Served, stranger: Guest) -> None:
    with served.guest("Anna") as anna:
        for game in GAMES:
            annas, strangers = (who.get(f"/puzzles/{game}/daily") for who in (anna, stranger))
            assert annas.status == strangers.status == 200
            assert annas.path == strangers.path
            assert date.fromisoformat(annas.path.rpartition("/")[2])
            assert annas.text("board") == strangers.text("board") != ""


def test_there_is_no_puzzle_of_tomorrow_and_none_of_nonsense(stranger: Guest) -> None:
    for path in ("2099-01-01", "2020-01-01", "20261124", "nothing"):
        assert stranger.get(f"/puzzles/shanghaien/{path}").status == 404
    assert stranger.get("/puzzles/pig").status == 404
    assert stranger.get("/puzzles/shanghaien?theme=none").status == 404


def test_links_to_retired_puzzles_go_on_working(stranger: Guest) -> None:
    name = next(iter(retired_of("shanghaien")))
    assert name not in stranger.get("/puzzles/shanghaien").html
    answered = stranger.press(answers(stranger.get(f"/puzzles/shanghaien/{name}"))[0])
    assert answered.status == 200
    assert answered.has("answer")


def test_a_stranger_solves_without_scripts_and_their_browser_remembers(stranger: Guest) -> None:
    assert not level_of(stranger.get("/puzzles"))
    puzzle = stranger.get(f"/puzzles/shanghaien/{DAY}")
    assert not puzzle.has("answer")
    answered = stranger.press(answers(puzzle)[0])
    assert answered.status == 200
    assert answered.has("answer")
    assert answered.has("puzzle-share")
    assert level_of(stranger.get("/puzzles"))
    assert stranger.get(f"/puzzles/shanghaien/{DAY}").has("answer")
    assert not stranger.get(f"/puzzles/shanghaien/{DAY}?again=1").has("answer")
    assert stranger.client.cookies["kontor-puzzles"]


@pytest.mark.parametrize(("game", "level"), [("shanghaien", "expert"), ("dutchman", "steady")])
def test_an_answer_says_against_whom_its_chances_are(stranger: Guest, game: str, level: str) -> None:
    name = next(iter(puzzles_of(game)))
    page = stranger.get(f"/puzzles/{game}/{name}?move=0")
    assert f"Opponents are assumed to play at level “{level}”." in page.html
    assert page.html.count("Opponents are assumed") == 1


def test_a_puzzle_whose_claim_did_not_hold_is_in_no_list_and_its_link_goes_on_working(stranger: Guest) -> None:
    assert "95fe3f4" not in stranger.get("/puzzles/dutchman").html
    page = stranger.get("/puzzles/dutchman/95fe3f4?move=1")
    assert page.has("answer")
    assert "78%" not in page.html


def test_the_line_to_share_gives_nothing_away(stranger: Guest) -> None:
    puzzle = puzzle_of_day("shanghaien", date.fromisoformat(DAY))
    answered = stranger.press(answers(stranger.get(f"/puzzles/shanghaien/{DAY}"))[0])
    line = answered.html.split('id="puzzle-share"')[1].split('value="')[1].split('"')[0]
    assert line.startswith("Shanghaien, puzzle of 2026-11-03: ")
    assert line.endswith(f"/puzzles/shanghaien/{DAY}")
    assert puzzle.id not in line


def test_what_a_stranger_solved_comes_with_the_name_they_choose_and_is_kept(served: Served) -> None:
    with served.guest() as guest:
        guest.press(answers(guest.get("/puzzles/shanghaien/2026-11-04"))[0])
        guest.press(guest.get("/").button("name-go"), name="Anna")
        assert level_of(guest.get("/puzzles"))
        guest.press(answers(guest.get("/puzzles/shanghaien/2026-11-05"))[0])
        del guest.client.cookies["kontor-puzzles"]
        person = served.person_id(guest)
        assert progress.decode(served.service.solving.of(person))["shanghaien"].count == 2
        assert level_of(guest.get("/puzzles"))
        served.service.leaving.leave(person, "Anna")
        assert served.service.solving.of(person) == ""


def test_no_legal_move_is_refused_in_words(stranger: Guest) -> None:
    puzzle = asking_for("shanghaien")
    page = stranger.get(f"/puzzles/shanghaien/{puzzle.id}")
    fields = answers(page)[0].form.fields
    for sent in ({"move": "nonsense"}, {}, {"move": "number:left"}):
        answer = stranger.post(f"/puzzles/shanghaien/{puzzle.id}", {**fields, **sent})
        assert answer.status in (409, 422)
        assert answer.text("refused")
    assert stranger.post(f"/puzzles/shanghaien/{puzzle.id}", {"move": "place:1"}).status == 403


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_shows_nothing_hidden(game: str, stranger: Guest) -> None:
    """Check that the page holds only the view, and not even the hidden things dealt anew to set the puzzle up."""
    for puzzle in list(puzzles_of(game).values())[:5]:
        assert puzzle.view["seat"] == puzzle.view["mover"]
        for player in puzzle.view.get("players", ()):
            assert player["held"] is None
        assert stranger.get(f"/puzzles/{game}/{puzzle.id}").status == 200


def test_no_sheet_of_the_table_lies_open_by_itself(served: Served, chromium: Chromium) -> None:
    """Check that the puzzles' own styles don't affect elements of the table with the same names."""
    shanghaien = puzzles_of("shanghaien").values()
    puzzle = next(one for one in shanghaien if any(isinstance(move, Nudge) for move in PuzzlePosition(one).moves))
    with browsing(chromium, served.address) as page:
        page.goto(f"/puzzles/shanghaien/{puzzle.id}")
        expect(page.locator("#sh-nudge")).to_be_attached()
        assert page.locator("[popover]:visible").count() == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_best_move_is_made_with_the_mouse_on_the_picture(served: Served, chromium: Chromium, game: str) -> None:
    with browsing(chromium, served.address, viewport={"width": 1440, "height": 900}) as page:
        _solved(page, game, "mouse")


@pytest.mark.parametrize("game", GAMES)
def test_the_same_with_the_keyboard(served: Served, chromium: Chromium, game: str) -> None:
    with browsing(chromium, served.address, viewport={"width": 1440, "height": 900}) as page:
        _solved(page, game, "keys")


@pytest.mark.parametrize("game", GAMES)
def test_the_same_on_a_phone_by_touch_and_next_follows(served: Served, chromium: Chromium, game: str) -> None:
    with browsing(chromium, served.address, None, **PHONE) as page:
        _solved(page, game, "touch")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        fixed = "one => getComputedStyle(one).position === 'fixed' && one.getClientRects().length"
        assert page.evaluate(f"[...document.querySelectorAll('#board *')].filter({fixed}).length") == 0
        page.locator("#puzzle-next").tap()
        expect(page.locator("#board")).to_be_visible()
        expect(page.locator("#answer")).to_have_count(0)


def _solved(page: Page, game: str, by: Any) -> None:
    puzzle = asking_for(game)
    page.goto(f"/puzzles/{game}/{puzzle.id}")
    hand, move = Hand(page, by), PuzzlePosition(puzzle).moves[puzzle.best]
    hand._choose(move)
    lit = hand._lit(move)
    if by == "mouse" and lit.count():
        lit.click()
    else:
        hand._press(hand._button(move))
    expect(page.locator("#answer")).to_be_visible()
    expect(page.locator("#now")).to_have_text("The best move! Nothing lost.")
    expect(page.locator("li.best.yours").first).to_be_visible()
