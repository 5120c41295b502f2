"""Both tables in every kind of scene, and the other pages, audited in windows that are drawn at random.

``KONTOR_WINDOW_COUNT=2000 KONTOR_WINDOWS=any ./test tests/web/test_drawn_windows.py`` is the long run.
"""

import logging
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from profiles import IS_USUAL, extended_after
from web.auditor import MOST_GROUND, SEED_VARIABLE, bare_ground, findings, shifts, small_targets
from web.browsers import Pages
from web.conftest import Served
from web.drawn_windows import COUNT_VARIABLE, NAMES, Window, draw_window, drawn_count, page_in, windows_seed
from web.failed_windows import failed_scenes, failed_windows
from web.other_pages import OCCASIONS, OtherPage, quick_judges
from web.scenes import LONG_PACE, Scene, occasions, scenes
from web.tables import NO_LIMIT

__all__ = ["quick_judges"]

_LOG = logging.getLogger(__name__)

USUAL: Final = 40
"""Windows of a usual run."""

GAMES: Final = (("dutchman", 4), ("shanghaien", 2))
FURTHER_GAMES: Final = (("dutchman", 3), ("dutchman", 5), ("dutchman", 6))
"""Games and their numbers of players, in every run and in the whole one; each gets an equal share of the windows."""

PACES: Final = (NO_LIMIT, LONG_PACE)

KINDS_IN_A_GAME: Final = 30
"""About as many kinds of scenes come in a game."""

NEEDED: Final = {
    "dutchman": "#now, .df-do button, .df-question, .df-way, .df-pick, .df-party :is(input, button)",
    "shanghaien": "#now, #sh-tray button",
}
GROUNDS: Final = {"dutchman": ".df-desk", "shanghaien": ".room, .counter"}

FIRST_SLIP: Final = """() => {
    const slips = document.querySelector(".df-hand:not(.mine) .df-slips");
    const first = slips?.querySelector(".df-column:first-child > :first-child");
    if (!first || !slips.checkVisibility()) return true;
    const box = first.getBoundingClientRect(), edge = slips.getBoundingClientRect();
    const isWhole = box.bottom <= edge.bottom + 2 && box.right <= edge.right + 2;
    const scroller = [first.parentElement, slips].find((one) => one.scrollHeight > one.clientHeight);
    const scrolls = scroller && getComputedStyle(scroller).overflowY === "auto";
    const LINES = 2;
    return isWhole || scrolls && scroller.clientHeight >= LINES * parseFloat(getComputedStyle(first).lineHeight);
}"""
"""Script that returns True if the bargain, voyage or lays can be read beside the chart, if nothing is asked."""

CUT_CAPTIONS: Final = """async () => {
    const cut = [];
    for (const { id, dataset } of document.querySelectorAll(".frame[data-next]")) {
        const first = dataset.next;
        let next = first;
        do {
            const text = await (await fetch(next)).text();
            const fresh = new DOMParser().parseFromString(text, "text/html").querySelector(".frame");
            const caption = document.querySelector(`#${id} .living`);
            caption.innerHTML = fresh.querySelector(".living").innerHTML;
            if (caption.scrollHeight > caption.clientHeight) cut.push(`text cut: “${caption.textContent}” in #${id}`);
            next = fresh.dataset.next;
        } while (next !== first);
    }
    return cut;
}"""
"""Script that returns the sentences of the recorded games on the first page that don't fit below their pictures."""

NEEDED_ELSEWHERE: Final = "#no-decision"
"""Selector of nothing: other pages are longer than a window."""

PAGES: Final = (
    *("/", "/learn", "/rules", "/puzzles", "/tournaments", "/records", "/best/dutchman", "/you"),
    "/open/dutchman",
)
"""Pages of a house in which nobody is yet."""

STEPS: Final = (*(f"/learn/dutchman/{step}" for step in (1, 5, 9)), *(f"/learn/shanghaien/{step}" for step in (2, 6)))


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people at tables have names of one to twenty letters."""
    monkeypatch.setattr("web.tables.NAMES", NAMES)


@pytest.fixture(scope="module")
def seed() -> int:
    seed = windows_seed()
    _LOG.info("Windows are drawn with %s=%d.", SEED_VARIABLE, seed)
    return seed


def faults(page: Page, game: str) -> list[str]:
    """Return what is wrong with a table's page: with its texts, decision, targets and bare ground."""
    wrong = [*findings(page, NEEDED[game]), *small_targets(page, NEEDED[game]), *shifts(page)]
    if game == "dutchman" and not page.evaluate(FIRST_SLIP):
        wrong.append("what has happened has no room beside the chart")
    if any("cut" in finding for finding in wrong):
        bare = bare_ground(page, "#board", GROUNDS[game])
        if bare > MOST_GROUND:
            wrong.append(f"{bare:.0%} of the board is bare while something is cut")
    return wrong


def look_at_scene(pages: Pages, address: str, scene: Scene, game: str, window: Window) -> list[str]:
    """Return the faults of a scene in a window, each with both."""
    token = None if scene.seat is None else scene.table.tokens[scene.seat]
    with page_in(pages, window, token) as page:
        page.context.add_cookies([{"name": "kontor-tips", "value": "never", "url": address}])
        page.goto(scene.table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        return [f"{scene.title} ({window}): {fault}" for fault in faults(page, game)]


def drawn_pairs(
    all_scenes: Iterator[Scene], failed: Sequence[tuple[str, Window]], share: float, random: Random
) -> Iterator[tuple[Scene, Window]]:
    """Yield windows for scenes: those that ``failed`` once, and ``share`` drawn ones a scene in the mean."""
    for scene in all_scenes:
        yield from ((scene, window) for title, window in failed if title == scene.title)
        for _ in range(int(share) + (random.random() < share % 1)):
            yield scene, draw_window(random)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "players"), [*GAMES, *(pytest.param(*further, marks=pytest.mark.extended) for further in FURTHER_GAMES)]
)
def test_every_scene_of_a_game_can_be_read_and_played_in_drawn_windows(
    served: Served, pages: Pages, seed: int, game: str, players: int
) -> None:
    random = Random(f"{seed} {game} {players}")
    games = GAMES if IS_USUAL else (*GAMES, *FURTHER_GAMES)
    share = drawn_count(USUAL) / len(games) / len(PACES) / KINDS_IN_A_GAME
    wrong: list[str] = []
    games_played = (scenes(served.service, game, players, seed, pace) for pace in PACES)
    all_scenes = chain(*games_played, occasions(served.service, game, players))
    failed = failed_scenes(game, players)
    for scene, window in drawn_pairs(all_scenes, failed, share, random):
        wrong += look_at_scene(pages, served.address, scene, game, window)
    assert not wrong, _report(wrong, seed)


def look_at_page(pages: Pages, target: OtherPage, window: Window) -> list[str]:
    """Return the faults of a page beyond the tables in a window, each with both."""
    with page_in(pages, window, target.token) as page:
        page.goto(target.path)
        wrong = [*findings(page, NEEDED_ELSEWHERE), *small_targets(page, NEEDED_ELSEWHERE), *shifts(page)]
        wrong += page.evaluate(CUT_CAPTIONS)
        return [f"{target.path} ({window}): {fault}" for fault in wrong]


@pytest.mark.long
@pytest.mark.parametrize("path", [*PAGES, *STEPS])
def test_every_other_page_can_be_read_in_drawn_windows(served: Served, pages: Pages, seed: int, path: str) -> None:
    random = Random(f"{seed} {path}")
    wrong: list[str] = []
    drawn = [draw_window(random) for _ in range(max(1, drawn_count(USUAL) // 40))]
    for window in (*failed_windows(path), *drawn):
        wrong += look_at_page(pages, OtherPage(path), window)
    assert not wrong, _report(wrong, seed)


@pytest.mark.long
@pytest.mark.parametrize("occasion", extended_after(3, OCCASIONS))
@pytest.mark.usefixtures("quick_judges")
def test_pages_with_people_and_games_can_be_read_in_drawn_windows(
    served: Served, pages: Pages, seed: int, occasion: str
) -> None:
    random = Random(f"{seed} {occasion}")
    wrong: list[str] = []
    for target in OCCASIONS[occasion](served):
        drawn = [draw_window(random) for _ in range(max(1, drawn_count(USUAL) // 40))]
        for window in (*failed_windows(target.kind), *drawn):
            wrong += look_at_page(pages, target, window)
    assert not wrong, _report(wrong, seed)


def _report(wrong: Sequence[str], seed: int) -> str:
    again = f"{SEED_VARIABLE}={seed} {COUNT_VARIABLE}={drawn_count(USUAL)}"
    return "\n".join([*wrong, f"The same windows are drawn with {again}."])
