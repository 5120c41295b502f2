"""Desk of the Holländer: it fits every window. A real browser measures it at real tables.

Visible without scrolling are the chart, whose turn it is, and every button of the decision.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Page, expect

from kontor.games.dutchman.rules import Options
from kontor.players import player_named
from profiles import PROFILE, extended_after
from web.browsers import WIDTH, Chromium, known_as, new_page
from web.conftest import Served
from web.tables import Table, open_known_table

_LOG = logging.getLogger(__name__)
"""Logger of the measurements; ``--log-cli-level=info`` shows them."""

SIZES: Final = ((1366, 650), (1440, 900), (1920, 1080), (820, 1180), (360, 740))

STATES: Final[dict[str, Callable[[Any], bool]]] = {
    "first action": lambda view: view.step == "action" and view.round == 1,
    "action": lambda view: view.step == "action" and view.round > 2,
    "last action": lambda view: view.step == "action" and len(view.queue) == 1 and view.round > 2,
    "put": lambda view: view.step == "put",
    "sail": lambda view: view.step == "sail" and not view.rolls,
    "sail, rolled for": lambda view: view.step == "sail" and bool(view.rolls),
    "name": lambda view: view.step == "name",
    "propose": lambda view: view.step == "propose",
    "answer": lambda view: view.step == "answer",
    "again": lambda view: view.step == "again",
    "show": lambda view: view.step == "show",
    "check": lambda view: view.step == "check",
}
"""Conditions on the mover's view, by the name of the state."""

UNSEEN: Final = """() => {
  const found = [], all = (what) => [...document.querySelectorAll(what)];
  const hand = document.querySelector(".df-hand");
  const docked = hand && getComputedStyle(hand).position === "fixed" ? hand.getBoundingClientRect().top : innerHeight;
  const look = (one, name) => {
    const box = one.getBoundingClientRect();
    if (!box.width) return found.push(`${name}: not drawn`);
    const cut = Math.max(-box.top, box.bottom - innerHeight, -box.left, box.right - innerWidth);
    if (cut > 1) return found.push(`${name}: cut off by ${Math.round(cut)}`);
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!hit || !(one.contains(hit) || hit.contains(one))) found.push(`${name}: under ${hit?.id || hit?.className}`);
  };
  const now = document.getElementById("now");
  look(now, "whose turn it is");
  const chart = document.getElementById("df-sheet").getBoundingClientRect();
  if (chart.top < now.getBoundingClientRect().bottom - 1) found.push("chart: under what matters now");
  if (chart.bottom > docked + 1) found.push(`chart: ${Math.round(chart.bottom - docked)} too low`);
  if (chart.width < 300) found.push(`chart: only ${Math.round(chart.width)} wide`);
  for (const button of all("#df-hand .df-do button")) look(button, `#${button.id}`);
  const below = document.documentElement.scrollHeight - innerHeight - scrollY;
  const end = document.querySelector(".foot").getBoundingClientRect().bottom - below;
  if (end > docked + 1) found.push(`the end of the page: ${Math.round(end - docked)} behind the hand for good`);
  const people = document.querySelector(".df-people");
  if (innerWidth > 600 && people.scrollHeight > people.clientHeight + 1) found.push("merchants: not all in sight");
  return found;
}"""
"""Script that returns those things that should be visible and are not."""

WHERE: Final = """[...document.querySelectorAll("#df-hand button:not(#df-clear), #df-rack label")].map((one) => {
  const { x, y } = one.getBoundingClientRect();
  return [one.id || one.htmlFor, x, y];
})"""
"""Script that returns the position of everything that can be pressed."""

PARTS: Final = (".df-board", ".df-chests", ".df-people", "#df-own", ".df-rack", ".df-plate")
"""Parts of the desk that keep their place in every state of a round."""

CORNERS: Final = """(parts) => parts.map((part) => {
  const { x, y } = document.querySelector(part).getBoundingClientRect();
  return [x, y];
})"""
"""Script that returns the upper left corners of these parts."""

MOST_MEASURED: Final = 1000 if PROFILE == "thorough" else 2
"""Most times that the places are measured alike: in one step, for the same mover, and with as full a rack."""


def page_at(chromium: Chromium, served: Served, size: tuple[int, int], token: str | None, **more: Any) -> Page:
    """Return a page of this size, signed in by a session token."""
    width, height = size
    phone: dict[str, Any] = {"has_touch": True, "is_mobile": True, "draws": False} if width == WIDTH else {}
    page = new_page(chromium, served.address, viewport={"width": width, "height": height}, **phone, **more)
    known_as(page, served.address, token)
    return page


def choose_likely(table: Table, random: Random) -> Any:
    """Return a move of a fairly good player: often the best one, else a random one.

    There are too many proposals to compare, so these are random.
    """
    moves = table.moves
    shrewd = table.view.step != "propose" and random.random() < 0.75
    return player_named("dutchman", "greedy")(table.view, moves, random) if shrewd else random.choice(moves)


def table_of(
    served: Served,
    players: int,
    seed: int,
    check: Literal["never", "on request"] = "never",
) -> Table:
    options = Options(players=players, starter=0, circles=2, check=check)
    return open_known_table(served.service, "dutchman", options, players, seed)


@pytest.mark.long
@pytest.mark.parametrize("players", extended_after(1, [3, 6]))
def test_chart_turn_and_every_button_are_seen_without_scrolling_in_every_state(
    served: Served, chromium: Chromium, players: int
) -> None:
    """Check every size with six players, also for those who wait or watch; there is least room.

    With three players check those who move, on a telephone and at one other size in turn. The thorough profile checks
    everything with three players too.
    """
    missing, is_whole = dict(STATES), players == 6 or PROFILE == "thorough"
    failed: list[str] = []
    rows: list[str] = []
    desk, phone = SIZES[:-1], SIZES[-1:]
    pages = {sizes: page_at(chromium, served, sizes[0], None) for sizes in (desk, phone)}

    def looked_at(state: str, table: Table, token: str | None) -> None:
        """Note what is unseen in a window that opens at each size in turn, and is then resized to the others."""
        row = f"{state:18}"
        for sizes, page in pages.items():
            page.context.clear_cookies()
            known_as(page, served.address, token)
            first = len(rows) % len(sizes)
            in_turn = (*sizes[first:], *sizes[:first])
            for size in in_turn if is_whole else in_turn[:1]:
                page.set_viewport_size({"width": size[0], "height": size[1]})
                if size == sizes[first]:
                    page.goto(table.path)
                    expect(page.locator("#df-table[tabindex]")).to_be_attached()
                unseen = page.evaluate(UNSEEN)
                failed.extend(f"{state}, {players} players, {size[0]} × {size[1]}: {one}" for one in unseen)
                row += f" {size[0]}×{size[1]} {'NO' if unseen else 'yes':3}"
            page.goto("/health")  # so that it doesn't follow the game to the next moment
        rows.append(row)

    for seed in (5, *range(1, 40)):  # with six players, the fifth game has all states
        if not missing:
            break
        table = table_of(served, players, seed, "on request" if seed % 2 else "never")
        random = Random(seed)
        while table.service.tables.info(table.id).mover is not None and missing:
            for state in [state for state, wanted in missing.items() if wanted(table.view)]:
                del missing[state]
                looked_at(state, table, table.token)
                if is_whole and state in ("action", "sail", "propose"):
                    looked_at(f"{state}: another", table, table.tokens[table.mover - 1])
                    looked_at(f"{state}: watching", table, None)
            table.play(choose_likely(table, random))
    for page in pages.values():
        page.context.close()
    summary = "\n".join([*rows, *failed])
    _LOG.info("\n%s", summary)
    assert not missing, missing.keys()
    assert not failed, f"\n{summary}"


@pytest.mark.long
def test_each_thing_has_its_place_and_keeps_it(served: Served, chromium: Chromium) -> None:
    """Check the places to a pixel, also that of the rack, which has room for up to two rows of horseshoes.

    They are measured the first times that the reader is to move, and that others are, in each step of a round, with
    a full rack and with an emptier one.
    """
    table = table_of(served, 3, 2)
    sizes = [size for size in SIZES if size != (1920, 1080) and size[0] > WIDTH]
    page = page_at(chromium, served, sizes[0], table.tokens[0])
    page.goto(table.path)
    random, measured = Random(3), Counter[tuple[str, bool, bool]]()
    places: dict[tuple[tuple[int, int], str], dict[tuple[float, float], str]] = {
        (size, part): {} for size in sizes for part in PARTS
    }
    while table.service.tables.info(table.id).mover is not None and table.view.round < 7:
        look = table.service.tables.view(table.id).look(0).view
        at = (look.step, table.mover == 0, len(look.rack) > 5)
        if not look.players[0].bankrupt and 0 < len(look.rack) <= 10 and measured[at] < MOST_MEASURED:
            measured[at] += 1
            expect(page.locator("#state")).to_have_attribute("data-version", re.compile(rf"^{table.number}\d{{5}}$"))
            for size in sizes:
                page.set_viewport_size({"width": size[0], "height": size[1]})
                for part, (left, top) in zip(PARTS, page.evaluate(CORNERS, PARTS), strict=True):
                    spots = places[size, part]
                    if not any(abs(x - left) <= 1 and abs(y - top) <= 1 for x, y in spots):
                        spots[left, top] = look.step
        table.play(choose_likely(table, random))
    page.context.close()
    assert len({step for step, *_ in measured}) > 2
    assert {part: spots for part, spots in places.items() if len(spots) != 1} == {}


@pytest.mark.parametrize("size", SIZES)
def test_no_button_moves_under_the_pointer_when_something_is_chosen(
    served: Served, chromium: Chromium, size: tuple[int, int]
) -> None:
    table = table_of(served, 3, 3)
    page = page_at(chromium, served, size, table.token)
    page.goto(table.path)
    shoes = page.locator("#df-rack label")
    before = page.evaluate(WHERE)
    for place in (0, 1, -1, 0):
        (shoes.nth(place) if place >= 0 else shoes.last).click()
        assert page.evaluate(WHERE) == before
    page.locator("#df-choose-smith").click()
    page.locator("#df-ask-smith-no").click()
    assert page.evaluate(WHERE) == before
    page.context.close()
