"""Each language once: the lobby, and a round of each game; and in a real browser the switch from one to another."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from kontor.web.pages.languages import NAMES, SOURCE, languages
from profiles import extended_after
from timeouts import waited_for
from web.browsers import Hand, Pages, come_in, table_of
from web.conftest import Served
from web.prepared import owned_seed, seed_of

ENGLISH = (
    "Open a table", "My tables", "Reload", "Seats", "Your turn.", "Your turn: ", "At the table", "Log",
    "Rules for this step", "Since your last move", "Public knowledge", "what is still in play", "horseshoes",
    "two dice",
)  # fmt: skip
"""English sentences of the pages, none of which may appear in other languages."""


@pytest.mark.long
@pytest.mark.parametrize("language", extended_after(2, languages()))
def test_a_round_of_each_game_in_every_language(
    served: Served, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    owned_seed(monkeypatch, seed_of(1))
    with served.guest("Karin", headers={"accept-language": language}) as karin:

        def look(path: str) -> set[str]:
            html = karin.get(path).html
            assert f'<html lang="{language}"' in html
            return english_in(re.sub(r"<[^>]*>", " ", html))

        seen = look("/")
        for game, others in OTHERS.items():
            seen |= look(f"/open/{game}")
            path = karin.press(karin.get(f"/open/{game}").button("open-it"), **others).path
            for move in a_round(served, path.removeprefix("/tables/")):
                seen |= look(path)
                play(served, path.removeprefix("/tables/"), move)
            seen |= look("/")
        assert seen == (set(ENGLISH) if language == SOURCE else set())


OTHERS: Final = {
    "shanghaien": {"chair__2": "here", "name__2": "Helga"},
    "dutchman": {f"chair__{chair}": "machine-random" for chair in (2, 3, 4)},
}
"""Form fields for the other seats of a table."""


def test_in_a_browser_news_come_in_its_language_until_another_is_chosen(
    served: Served, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    owned_seed(monkeypatch, seed_of(1))
    language = "ja"
    with pages(locale=language) as page:
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        come_in(page, "Karin")
        page.goto("/open/dutchman?way=machines")
        page.locator("#open-it").click()
        expect(page.locator("#board")).to_be_visible()
        hand = Hand(page)
        for move in a_round(served, table_of(page)):
            hand.wait_for_line(served.service.tables.info(table_of(page)).number)
            hand.make(move)
            assert not english_in(page.locator("body").text_content() or "")
        for other in (*(set(languages()) - {language}), language):
            page.locator("#menu-open").click()
            page.locator(".settings summary").click()
            page.get_by_role("button", name=NAMES[other]).click()
            expect(page.locator("html")).to_have_attribute("lang", other)


def a_round(served: Served, table: str) -> Iterator[Any]:
    """Yield random moves of the people, until the second round."""
    random = Random(1)

    def is_over() -> bool:
        return bool(served.service.tables.view(table).look(None).view.round > 1)

    def is_for_a_person() -> bool:
        info = served.service.tables.info(table)
        return info.mover is not None and not info.seats[info.mover].player

    while waited_for(lambda: is_for_a_person() or is_over()) and not is_over():
        moves = served.service.tables.view(table).look(served.service.tables.info(table).mover).moves
        yield moves[random.randrange(min(3, len(moves)))]


def play(served: Served, table: str, move: Any) -> None:
    info = served.service.tables.info(table)
    served.service.moves.play(table, info.mover or 0, info.number, move)


def english_in(text: str) -> set[str]:
    """Return the sentences above that are in a text, even if they are folded up or only read aloud."""
    return {sentence for sentence in ENGLISH if sentence in " ".join(text.split())}
