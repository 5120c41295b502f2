"""Every language once, in a real browser: the lobby, a round of each game, and the switch from one to another."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from kontor.players.levels import usual
from kontor.web.languages import NAMES, SOURCE, languages
from web.browsers import Hand, Pages, come_in, table_of
from web.conftest import Served
from web.prepared import owned_seed, seed_of

ENGLISH = (
    "Open a table",
    "My tables",
    "Look again",
    "Who sits where",
    "Your turn.",
    "Your turn: ",
    "At the table",
    "What happened",
    "The rules here",
    "Since your last move",
    "Public knowledge",
    "In play",
    "horseshoes",
    "two dice",
)
"""What stands on the pages in English. Elsewhere none of it is seen."""


@pytest.mark.parametrize("language", languages())
def test_a_round_of_each_game_in_every_language(
    served: Served, pages: Pages, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    owned_seed(monkeypatch, seed_of(1))
    with pages(locale=language, reduced_motion="reduce") as page:
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        come_in(page, "Karin")
        seen = english_on(page)
        for game in ("shanghaien", "dutchman"):
            page.goto(f"/open/{game}")
            seen |= english_on(page)
            if game == "shanghaien":
                page.locator("#chair-2").select_option("here")
                page.locator("#name-2").fill("Helga")
            else:
                for chair in (2, 3, 4):
                    page.locator(f"#chair-{chair}").select_option(f"machine-{usual(game)}")
            page.locator("#open-it").click()
            seen |= play_a_round(served, page)
            expect(page.locator("html")).to_have_attribute("lang", language)
            page.goto("/")
            seen |= english_on(page)
        assert seen == (set(ENGLISH) if language == SOURCE else set())

        for other in (*(set(languages()) - {language}), language):
            page.locator(".settings summary").click()
            page.get_by_role("button", name=NAMES[other]).click()
            expect(page.locator("html")).to_have_attribute("lang", other)


def play_a_round(served: Served, page: Page) -> set[str]:
    """Moves at random until the second round; what was seen of English."""
    expect(page.locator("#board")).to_be_visible()
    table, hand, random = table_of(page), Hand(page), Random(1)
    seen = set()
    while served.service.look(table, None).view.round < 2:
        info = served.service.info(table)
        look = served.service.look(table, info.mover)
        if info.mover is not None and not info.seats[info.mover].player:
            hand.sees(look.number)
            hand.make(look.moves[random.randrange(min(3, len(look.moves)))])
            seen |= english_on(page)
    return seen


def english_on(page: Page) -> set[str]:
    """What of the sentences above is on the page, also in what is folded up or only read aloud."""
    text = page.locator("body").text_content() or ""
    return {sentence for sentence in ENGLISH if sentence in text}
