"""Layout shift at a table in a whole game without input, as the browser itself measures it."""

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.players import player_named
from profiles import first_cases
from turns import LAST
from web.browsers import MOVING, Chromium, FirstFew, Hand, browsing
from web.conftest import Served
from web.shifts import shifts_of, watch_shifts
from web.tables import open_known_table
from web.test_whole_shanghaien import KINDS

_LOG = logging.getLogger(__name__)
"""Logger of the measurements; ``--log-cli-level=info`` shows them."""

MOST_SHIFT: Final = 0.05
"""Highest cumulative layout shift of a whole game: half of what web.dev/cls calls good."""


@dataclass(frozen=True)
class WatchedGame:
    """A game that the server plays, and the windows in which the first seat watches it."""

    game: str
    options: Any
    players: int
    dice: int
    random: int
    shrewd: float
    """Share of the moves that are the best ones."""
    sizes: Sequence[tuple[int, int]]
    stops: int = 1
    """Number of moves of a kind, for each seat, that the pages show one by one."""
    kinds: frozenset[str] = frozenset()
    """Kinds of moves that must be made in it."""


TAVERN: Final = WatchedGame(
    "shanghaien",
    ShanghaienOptions(starter=0, first_trick="nudge"),
    *(2, 212, 2, 0.7),  # of many games a short one in which everything happens
    sizes=first_cases(2, ((1366, 650), (390, 844), (820, 1180))),
    kinds=frozenset(KINDS),
)
LONG_TAVERN: Final = WatchedGame(
    "shanghaien",
    ShanghaienOptions(starter=0, first_trick="both"),
    *(2, 3, 5, 0.5),
    sizes=((1366, 650), (1366, 768), (820, 1180), (412, 915), (360, 740)),
    stops=2,
)
CHARTROOM: Final = WatchedGame(
    "dutchman",
    DutchmanOptions(players=4, starter=0, circles=2),
    *(4, 5, 2, 0.75),
    sizes=first_cases(2, ((1366, 650), (360, 740), (820, 1180), (1366, 768), (412, 915))),
)


@LAST
@pytest.mark.long
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(TAVERN, id="shanghaien"),
        pytest.param(CHARTROOM, id="dutchman"),
        pytest.param(LONG_TAVERN, id="another shanghaien", marks=pytest.mark.extended),
    ],
)
def test_nothing_moves_by_itself_in_a_whole_game(served: Served, chromium: Chromium, case: WatchedGame) -> None:
    table = open_known_table(served.service, case.game, case.options, case.players, case.dice)
    with ExitStack() as stack:
        pages = {}
        for width, height in case.sizes:
            phone: dict[str, Any] = {"has_touch": True, "is_mobile": True} if width < 500 else {}
            screen = {"viewport": {"width": width, "height": height}, "draws": False, **phone, **MOVING}
            page = stack.enter_context(browsing(chromium, served.address, table.tokens[0], **screen))
            watch_shifts(page)
            page.goto(table.path)
            expect(page.locator("#connection")).to_have_attribute("data-is", "live")
            pages[width, height] = page
        greedy, random, first_few, made = (
            player_named(case.game, "greedy"),
            Random(case.random),
            FirstFew(case.stops),
            set(),
        )

        def all_see() -> None:
            for page in pages.values():
                Hand(page).wait_for_line(table.number)
            page.wait_for_timeout(100)  # the browser reports a frame once it is drawn

        while table.service.tables.info(table.id).status == "playing":
            moves = table.moves
            shrewd = table.view.step != "propose" and random.random() < case.shrewd  # too many proposals to compare
            move = greedy(table.view, moves, random) if shrewd else random.choice(moves)
            made.add(type(move).__name__)
            stops = first_few(min(table.mover, 1), move) or type(move).__name__ == "Shanghai"  # others count as one
            if stops:
                all_see()
            table.play(move)
            if stops:
                all_see()
        all_see()
        assert case.kinds <= made
        shifts = {size: shifts_of(page) for size, page in pages.items()}
        sums = {size: sum(value for value, *_ in moved) for size, moved in shifts.items()}
    _LOG.info("Cumulative layout shift: %s", sums)
    assert max(sums.values()) <= MOST_SHIFT, (sums, {size: moved[:5] for size, moved in shifts.items()})
