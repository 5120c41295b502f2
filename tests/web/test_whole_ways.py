"""Same tables in other ways: without scripts, and two at one device, by the keyboard or on a telephone.

Parts of the prepared game of the Holländer are played, so that every kind of decision comes up.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from kontor.games.shanghaien.rules import Options
from kontor.tables.values import Plan, SeatPlan
from profiles import extended_after
from web.browsers import PHONE, By, Hand, Pages
from web.conftest import Served
from web.prepared import (
    ANNA,
    BERND,
    MOVES,
    NAMES,
    PEOPLE,
    PLAN,
    at_line,
    brought_to,
    lines,
    owned_seed,
    prepared_table,
)
from web.test_whole_shanghaien import choice

WAYS: Final[dict[str, tuple[By, dict[str, Any]]]] = {
    "by the keyboard alone": ("keys", {}),
    "without scripts": ("mouse", {"java_script_enabled": False}),
    "on a telephone": ("touch", PHONE),
}

PARTS: Final = ((5, 6), (13, 15), (21, 24), (55, 61), (64, 66), (91, 92), (94, 95))
"""Ranges of lines of the prepared game in which each decision comes once.

They are cards, a lay, an island; a failed bargain and the deciding round; a bargain that is agreed on; passing.
"""

AT_ONE_DEVICE: Final = ((5, 12), (55, 60))
"""Ranges of lines in which two people at one device move in turn or twice in a row.

In some of them computer players move between.
"""


@pytest.mark.parametrize("way", extended_after(1, ["without scripts", "by the keyboard alone"]))
def test_every_decision_of_the_hollaender_in_another_way(
    served: Served, pages: Pages, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    anna, bernd = served.service.people.guest("Anna"), served.service.people.guest("Bernd")
    table = prepared_table(monkeypatch, served.service, anna[0].id, bernd[0].id)
    with ExitStack() as open_pages:
        hands = {}
        made = set()
        for first, last in PARTS:
            brought_to(served.service, table, first)
            for number, step in lines(first, last):
                if step.seat in PEOPLE:
                    if step.seat not in hands:
                        token = (anna if step.seat == ANNA else bernd)[1]
                        hands[step.seat] = open_pages.enter_context(at_table(pages, served, table, token, way))
                    at_line(served.service, table, number - 1)
                    hands[step.seat].wait_for_line(number - 1)
                    hands[step.seat].make(step.action)
                    made.add(type(step.action))
                    check_width(hands[step.seat].page)
        assert made == MOVES


@pytest.mark.parametrize("way", extended_after(1, ["by the keyboard alone", "without scripts"]))
def test_rounds_of_shanghaien_with_tricks_by_two_at_one_device(
    served: Served, pages: Pages, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    owned_seed(monkeypatch, bytes(32))
    anna, token = served.service.people.guest("Anna")
    plan = Plan(
        "shanghaien", Options(first_trick="nudge"), (SeatPlan("me"), SeatPlan("here", "Bernd")), tempo="at once"
    )
    table = served.service.opening.open(anna.id, plan)
    with at_table(pages, served, table, token, way) as hand:
        made: Counter[str] = Counter()
        random = Random(1)
        rounds = 2 if hand.by == "keys" else 1
        while served.service.tables.view(table).look(None).view.round <= rounds:
            look = served.service.tables.view(table).look(served.service.tables.info(table).mover)
            move = choice(look.moves, made, random)
            hand.wait_for_line(look.number)
            hand.make(move)
            made[type(move).__name__] += 1
            check_width(hand.page)
        assert {"Roll", "Number", "Place", "Nudge", "Shanghai"} <= set(made)


def test_a_curtain_falls_between_two_at_one_device_with_machine_players_beside_them(
    served: Served, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, token = served.service.people.guest("Anna")
    seats = list(PLAN.seats)
    seats[BERND] = SeatPlan("here", "Bernd")
    table = prepared_table(monkeypatch, served.service, anna.id, plan=replace(PLAN, seats=tuple(seats)))
    with at_table(pages, served, table, token, "on a telephone") as hand:
        behind = -1
        for first, last in AT_ONE_DEVICE:
            brought_to(served.service, table, first)
            hand.page.goto(f"/tables/{table}")
            behind = -1
            for number, step in lines(first, last):
                if step.seat in PEOPLE:
                    at_line(served.service, table, number - 1)
                    hand.wait_for_line(number - 1)
                    if step.seat != behind:
                        hand.lift(NAMES[step.seat])
                        behind = step.seat
                    expect(hand.page.locator("#now")).to_contain_text("Your turn.")
                    hand.make(step.action)


@contextmanager
def at_table(pages: Pages, served: Served, table: str, token: str, way: str) -> Iterator[Hand]:
    by, more = WAYS[way]
    with pages(token, **more) as page:
        page.goto(f"/tables/{table}")
        yield Hand(page, by, scripts="java_script_enabled" not in more)


def check_width(page: Page) -> None:
    """Check that nothing is wider than the screen."""
    size = page.viewport_size
    assert size
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
