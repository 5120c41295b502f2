"""Names and headings in tables stay whole words: no column is so narrow that a name is broken."""

from typing import Final

import pytest
from playwright.sync_api import expect

from profiles import extended_after
from web.auditor import LANGUAGES, drawn_seed, drawn_sizes, findings_at, report
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.guests import Guest
from web.test_review_page import guests, play_game, simple_judges

__all__ = ["guests", "simple_judges"]

SIZES: Final = ((1366, 768), (1366, 650), (1280, 720), (360, 740))
OPEN_PARTS: Final = "for (const part of document.querySelectorAll('main details')) part.open = true"


@pytest.mark.parametrize("game", extended_after(1, ["dutchman", "shanghaien"]))
@pytest.mark.usefixtures("simple_judges")
def test_no_name_in_a_review_is_broken(served: Served, chromium: Chromium, guests: list[Guest], game: str) -> None:
    """Check every window in German, which has long words, and in the other languages the narrowest and one other."""
    table, seed = play_game(served, guests, game), drawn_seed()
    for turn, language in enumerate(LANGUAGES):
        windows = SIZES if language == "de" else (SIZES[turn % 3], SIZES[-1])
        with browsing(chromium, served.address, guests[0], locale=language) as page:
            page.goto(f"{table}/review")
            expect(page.locator("#review-sums")).to_be_visible()
            page.evaluate(OPEN_PARTS)
            sizes_of = findings_at(page, (*windows, *drawn_sizes(2, seed)), "#review-sums")
            broken = {finding: at for finding, at in sizes_of.items() if finding.startswith("word broken")}
            assert not broken, f"{language}: {report(broken, seed)}"
