"""Strangers' films: from the first screen to the end of a game against the computer, pressed on the picture only.

In ``./test`` their first move is in ``test_first_page.py``; decisions are in view in ``test_drawn_windows.py``; whole
games are played in ``test_whole_shanghaien.py`` and ``test_whole_dutchman.py``, and watched in ``test_windows.py``.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from kontor.players import player_named
from timeouts import waited_for
from web.auditor import NEEDED, findings
from web.browsers import MOVING, By, Chromium, new_page, no_complaints, table_of
from web.conftest import Served
from web.prepared import owned_seed, seed_of
from web.shifts import shifts_of, watch_shifts
from web.strangers import Stranger

_LOG = logging.getLogger(__name__)
"""Logger of the measurements; ``--log-cli-level=info`` shows them."""

WINDOWS: Final[dict[By, dict[str, Any]]] = {
    "touch": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "de"},
    "mouse": {"viewport": {"width": 1366, "height": 768}, "draws": True},
}

MOST_SHIFT: Final = 0.05
"""Highest cumulative layout shift from the first screen to the end."""

LIES_STILL: Final = """() => !document.getAnimations().some((one) => one.playState === "running"
  && Number.isFinite(one.effect.getComputedTiming().endTime))"""
"""A script that returns true if nothing flies: dice on their way lie over what is below them."""

ENDS: Final = {"shanghaien": "#sh-outcome p", "dutchman": "#df-end"}
"""Selectors of what tells the result."""


def choose_varied(moves: Sequence[Any], view: Any, game: str, made: Counter[str], random: Random) -> Any:
    """Return a move of a stranger: often a good one, else one of the kind that was made least so far."""
    is_naming = getattr(view, "step", "") == "propose"
    if random.random() < 0.5 and not is_naming:
        return player_named(game, "greedy")(view, moves, random)
    some = moves if len(moves) < 500 else [random.choice(moves) for _ in range(20)]
    return min(some, key=lambda move: (made[type(move).__name__], random.random()))


class Film:
    """Film of a stranger's game: the pictures of each kind of moment, and what was wrong."""

    def __init__(self, page: Page, folder: Path) -> None:
        """Take pictures of the page into the folder."""
        self._page = page
        self._folder = folder
        self._taken: Counter[str] = Counter()
        self.faults: list[str] = []

    def look(self, kind: str) -> None:
        """Take a picture of the first moment of a kind, and check that all of its decision is in the window."""
        self._taken[kind] += 1
        self._page.wait_for_function(LIES_STILL)
        self.faults += [f"{kind}: {fault}" for fault in findings(self._page, NEEDED) if fault.startswith("needed")]
        if self._taken[kind] == 1:
            self._page.screenshot(path=self._folder / f"{len(self._taken):02} {kind}.png")


@pytest.mark.extended
@pytest.mark.long
@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
@pytest.mark.parametrize("by", ["touch", "mouse"])
def test_a_stranger_plays_from_the_first_screen_to_the_result(
    served: Served, chromium: Chromium, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str, by: By
) -> None:
    owned_seed(monkeypatch, seed_of(1))
    page = new_page(chromium, served.address, **WINDOWS[by], **MOVING)
    watch_shifts(page)
    stranger, film = Stranger(page, by), Film(page, tmp_path)
    with no_complaints(page):
        page.goto("/")
        film.look("first screen")
        moved = shifts_of(page)
        stranger.press(page.locator(f"#play-{game}"))
        page.wait_for_url("**/tables/*")
        play_to_the_end(served, stranger, film, game)
        expect(page.locator("#ending")).to_be_visible()
        expect(page.locator(ENDS[game])).to_be_visible()
        page.wait_for_timeout(500)
        film.look("the end")
        moved += shifts_of(page)
    page.context.close()
    shift = sum(value for value, *_ in moved)
    _LOG.info("%s by %s: layout shift %.4f, pictures in %s", game, by, shift, tmp_path)
    assert not film.faults, "\n".join(film.faults)
    assert shift <= MOST_SHIFT, moved[:10]


def play_to_the_end(served: Served, stranger: Stranger, film: Film, game: str) -> None:
    """Make the stranger's moves, each as soon as it is their turn."""
    page, random, made = stranger.page, Random(7), Counter[str]()
    table = table_of(page)
    tables = served.service.tables
    while True:
        waited_for(lambda: tables.info(table).mover in (0, None))
        info = tables.info(table)
        stranger.wait_for_line(info.number)
        if info.mover is None:
            return
        look = tables.view(table).look(0)
        expect(page.locator("#state")).to_have_attribute("data-turn", "mine")
        move = choose_varied(look.moves, look.view, game, made, random)
        kinds = sorted({type(move).__name__ for move in look.moves[:500]})
        film.look(" ".join([look.view.step, *(kinds if len(made) < 500 else [])]))
        stranger.make(move)
        made[type(move).__name__] += 1
        film.look(f"after {type(move).__name__}")
