"""Layout shift at the table of Shanghaien in a whole game."""

import logging
import re
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from kontor.games.shanghaien.rules import Options
from kontor.players import player_named
from web.browsers import MOVING, WIDTH, Chromium, FirstFew, known_as, new_page
from web.conftest import Served
from web.shifts import shifts_of, watch_shifts
from web.tables import open_known_table

_LOG = logging.getLogger(__name__)
"""Logger of the measurements; ``--log-cli-level=info`` shows them."""

SIZES: Final = ((1366, 650), (1366, 768), (820, 1180), (412, 915), (360, 740))

MOST_SHIFT: Final = 0.05
"""Highest cumulative layout shift of a whole game, as at the other table."""


@pytest.mark.extended  # test_windows.py watches another game
@pytest.mark.long
def test_nothing_moves_by_itself_in_a_whole_game(
    served: Served, chromium: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the layout shift that the browser itself measures, as the one captain sees a game of two."""
    options = Options(starter=0, first_trick="both")
    table = open_known_table(served.service, monkeypatch, "shanghaien", options, 2, 3)
    pages = {}
    for width, height in SIZES:
        phone: dict[str, Any] = {"has_touch": True, "is_mobile": True, "draws": False} if width == WIDTH else {}
        page = new_page(chromium, served.address, viewport={"width": width, "height": height}, **phone, **MOVING)
        known_as(page, served.address, table.tokens[0])
        watch_shifts(page)
        page.goto(table.path)
        expect(page.locator("#connection")).to_have_attribute("data-is", "live")
        pages[width, height] = page
    greedy, random, first_few = player_named("shanghaien", "greedy"), Random(5), FirstFew(2)

    def all_see() -> None:
        for page in pages.values():
            expect(page.locator("#state")).to_have_attribute("data-version", re.compile(rf"^{table.number}\d{{5}}$"))
        page.wait_for_timeout(100)  # the browser reports a frame once it is drawn

    while table.service.tables.info(table.id).mover is not None:
        moves = table.moves
        move = greedy(table.view, moves, random) if random.random() < 0.5 else random.choice(moves)
        stops = first_few(table.mover, move) or type(move).__name__ == "Shanghai"
        if stops:
            all_see()
        table.play(move)
        if stops:
            all_see()
    all_see()
    shifts = {size: shifts_of(page) for size, page in pages.items()}
    for page in pages.values():
        page.context.close()
    sums = {size: sum(value for value, *_ in moved) for size, moved in shifts.items()}
    _LOG.info("Cumulative layout shift: %s", sums)
    assert max(sums.values()) <= MOST_SHIFT, (sums, {size: moved[:5] for size, moved in shifts.items()})
