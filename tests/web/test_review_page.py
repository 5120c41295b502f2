"""Review of a game on the web: who sees it, when, its content, and that everyone can read it."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import expect

from guests import play_one
from kontor.review import review
from review.judges import DUTCHMAN_JUDGE, SHANGHAIEN_JUDGE
from timeouts import HANG_TIMEOUT, waited_for
from web.browsers import Pages
from web.conftest import Served
from web.guests import Guest, Page
from web.positions import table_of
from web.test_axe import LOOKS, complaints

NAMES = ("Anna", "Bernd", "Carla")


def judge_simply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge games quickly and simply, and in this process."""
    judges = {"shanghaien": SHANGHAIEN_JUDGE, "dutchman": DUTCHMAN_JUDGE}
    monkeypatch.setattr("kontor.review.judging.judge_named", judges.__getitem__)
    monkeypatch.setattr("kontor.studies.reviews.review", lambda record, tell, share: review(record, tell, map))


@pytest.fixture
def simple_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    judge_simply(monkeypatch)


@pytest.fixture
def guests(served: Served) -> Iterator[list[Guest]]:
    people = [served.guest(name) for name in NAMES]
    yield people
    for guest in people:
        guest.close()


def play_game(served: Served, guests: list[Guest], game: str, seed: int = 1) -> str:
    table = table_of(served, guests[: 2 if game == "shanghaien" else 3], game)
    random = Random(seed)
    while play_one(served.service, table, random):
        pass
    assert served.service.tables.info(table).status == "over"
    return f"/tables/{table}"


def thought_out(guest: Guest, table: str) -> Page:
    """Return the page with the review, once it is there."""
    page = no_longer_in_progress(guest, table)
    assert page.has("review-sums"), page.text("main")
    return page


def no_longer_in_progress(guest: Guest, table: str) -> Page:
    """Return the page of the review, once it is there or has failed."""

    def page_at_the_end() -> Page | None:
        page = guest.get(f"{table}/review")
        assert page.status == 200, page.text("main")
        return None if page.has("review-progress") else page

    return waited_for(page_at_the_end)


@pytest.fixture(scope="module", params=["shanghaien", "dutchman"])
def reviewed(request: pytest.FixtureRequest, served: Served) -> Iterator[tuple[str, str, list[Guest]]]:
    """Yield a game, the path of a table at which it was played and reviewed, and the guests who sat there."""
    game: str = request.param
    with ExitStack() as stack:
        guests = [stack.enter_context(served.guest(name)) for name in NAMES]
        table = play_game(served, guests, game)
        with pytest.MonkeyPatch.context() as patch:
            judge_simply(patch)
            thought_out(guests[0], table)
        yield game, table, guests


def points(cell: str) -> float:
    """Return the number in a cell such as ``−12.3`` or ``62%``."""
    return float(cell.replace("−", "-").replace("%", ""))


@pytest.mark.long
@pytest.mark.usefixtures("simple_judges")
def test_a_game_that_is_over_is_reviewed_for_everybody(
    stranger: Guest, reviewed: tuple[str, str, list[Guest]]
) -> None:
    game, table, guests = reviewed
    for page in (guests[0].get(table), guests[0].get(f"{table}/replay")):
        assert f'href="{table}/review"' in page.html
    page = thought_out(guests[0], table)
    level = {"shanghaien": "expert", "dutchman": "steady"}[game]
    assert f"Opponents are assumed to play at level “{level}”." in page.text("main")
    assert stranger.get(f"{table}/review").text("review-sums") == page.text("review-sums")
    sums = re.search(r'<table id="review-sums">.*?</table>', page.html, re.DOTALL)
    assert sums
    rows = re.findall(r'<tr><th scope="row" class="named">(.*?)</th>(.*?)</tr>', sums[0])
    assert [name for name, _ in rows] == list(NAMES[: len(rows)])
    for _, cells in rows:
        start, *changes, end = map(points, re.findall("<td>(.*?)</td>", cells))
        assert start + sum(changes) == pytest.approx(end, abs=0.5 * (len(changes) + 2) / 10 + 0.5)
    curve = re.findall(rf'href="({table}/replay\?at=\d+&amp;as=\d)" tabindex="-1"', page.html)
    assert len(curve) > 5, "the curve leads to its moments (how many there are, the dice decide)"
    assert guests[1].get(curve[5].replace("&amp;", "&")).has("replay")
    assert len({*re.findall(rf'href="({table}/review/\d+)"', page.html)}) > 30


@pytest.mark.usefixtures("simple_judges")
def test_a_moment_shows_the_move_played_and_the_better_one_on_the_board(
    reviewed: tuple[str, str, list[Guest]],
) -> None:
    _, table, guests = reviewed
    review = thought_out(guests[0], table)
    dear = re.search(rf'id="review-dearest-1".*?href="({table}/review/\d+)"', review.html, re.DOTALL)
    assert dear
    pages = {show: guests[1].get(f"{dear[1]}?show={show}") for show in ("before", "played", "better")}
    assert guests[1].get(dear[1]).text("board") == pages["better"].text("board")
    assert pages["played"].text("told") != pages["better"].text("told")
    step = int(dear[1].rpartition("/")[2])
    log = guests[1].get(f"{table}/log?as=1")
    assert pages["before"].text("told").split(".")[0] in log.html
    assert log.text(f"line-{step + 1}-1").partition(" ")[2] in pages["played"].text("told")
    for show, page in pages.items():
        assert re.search(rf'id="show-{show}"[^>]* aria-current="true"', page.html)
        assert page.status == 200
        assert not page.moves
        assert "Played: " in page.text("main")
    assert guests[1].get(f"{table}/review/1").status == 404, "chance decides nothing"
    assert guests[1].get(f"{table}/review/99999").status == 404


def test_those_who_think_for_the_server_review_its_games(served: Served, guests: list[Guest]) -> None:
    page = thought_out(guests[0], play_game(served, guests, "shanghaien", 5))
    assert "Round 8: exact" in page.html
    assert page.has("review-dearest-0")


def test_no_review_tells_anything_of_a_game_that_goes_on(served: Served, guests: list[Guest]) -> None:
    table = table_of(served, guests, "dutchman")
    for guest in guests:
        page = guest.get(f"/tables/{table}/review")
        assert page.status == 409
        assert "over" in page.text("main")
        assert not page.has("review-sums")
    assert served.service.tables.info(table).status == "playing"
    assert 'href="/tables/{table}/review"' not in guests[0].get(f"/tables/{table}").html


def test_a_review_is_for_those_who_may_see_the_table(stranger: Guest, guests: list[Guest]) -> None:
    host = guests[0]
    page = host.press(host.get("/open/shanghaien").button("open-it"), watch="no", machine_2="random")
    assert stranger.get(f"{page.path}/review").status == 403


@pytest.mark.usefixtures("simple_judges")
def test_a_review_that_came_to_nothing_says_so_and_is_tried_again(
    served: Served, guests: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = play_game(served, guests, "shanghaien", 2)
    with monkeypatch.context() as patch:
        patch.setattr("kontor.studies.reviews.review", lambda *given: 1 / 0)
        page = no_longer_in_progress(guests[0], table)
        assert page.text("review-failed") == "The review failed."
        assert guests[0].get(f"{table}/review/20").path == f"{table}/review", "it has to be thought out first"
    assert guests[0].get(f"{table}/review").has("review-failed")
    page = guests[0].press(page.button("review-again"))
    assert page.path == f"{table}/review"
    assert thought_out(guests[0], table).has("review-curve")


@pytest.mark.usefixtures("simple_judges")
def test_in_a_browser_the_page_waits_for_the_review_and_can_be_read_by_keys(
    served: Served, guests: list[Guest], pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = play_game(served, guests, "dutchman", 3)
    go = Event()

    def review_slowly(record: Any, tell: Any, share: Any) -> Any:
        tell(1, 4)
        go.wait(HANG_TIMEOUT)
        return review(record, tell, map)

    monkeypatch.setattr("kontor.studies.reviews.review", review_slowly)
    findings = []
    with pages(guests[0]) as page:
        page.goto(f"{table}/review")
        expect(page.locator("#review-progress")).to_have_attribute("max", "4")
        findings += complaints(page, f"{table}/review", LOOKS[0][0])
        go.set()
        expect(page.locator("#review-curve")).to_be_visible()
        page.locator("#review-numbers summary").press("Enter")
        expect(page.get_by_role("row", name=re.compile("^end"))).to_be_visible()
        page.locator("#review-decisions summary").press("Enter")
        expect(page.locator("table.decisions").first).to_be_visible()
        findings += complaints(page, f"{table}/review", *LOOKS[1])
        link = page.locator("#review-dearest-0 a").first
        link.press("Enter")
        expect(page.locator("#replay")).to_be_visible()
    assert not findings, "\n".join(findings)


@pytest.mark.usefixtures("simple_judges")
def test_the_moves_that_decided_it_lead_to_the_board_and_the_record_to_a_file(
    reviewed: tuple[str, str, list[Guest]],
) -> None:
    game, table, guests = reviewed
    page = thought_out(guests[0], table)
    decided = page.html.partition('id="review-decided"')[2].partition("</ol>")[0]
    steps = re.findall(rf'href="{table}/review/([0-9]+)"', decided)
    assert len(steps) == 3
    assert steps == sorted(steps, key=int)
    analysed = re.findall(r'href="(/tables/[^"]*/analysis[^"]*)"', decided)
    assert len(analysed) == 3
    board = guests[0].get(analysed[0].replace("&amp;", "&"))
    assert (board.path, board.status) == (f"/analysis/{game}", 200)
    lines = guests[0].get(f"{table}/review.jsonl").html.splitlines()
    record = guests[0].get(f"{table}/record.jsonl").html.splitlines()
    assert [line for line in lines if not line.startswith("#")] == record
    assert len(lines) > len(record)
