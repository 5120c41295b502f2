"""Draws the two pictures of the README: a table of each game, in a real browser.

PYTHONPATH=tests:. .venv/bin/python scripts/pictures_browser.py

The dice are those of tests, so the same tables come out each time. It needs Debian's Chromium; with pngquant the
pictures are a third as large.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pytest
from playwright.sync_api import expect, sync_playwright
from png_files import pack

from kontor.games.dutchman.rules import Options
from web.browsers import browsing, chromium_path
from web.conftest import Served
from web.tables import Table, brought_there, open_known_table
from web.tavern_moments import moment

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = {"width": 1440, "height": 900}


def tables(served: Served) -> list[tuple[str, Table, Literal["light", "dark"]]]:
    """Return the tables that are photographed: the name of each picture, its table and colour scheme."""
    with pytest.MonkeyPatch.context() as patch:
        at_sea = open_known_table(served.service, patch, "dutchman", Options(players=4, starter=0, circles=2), 4, 5)
        in_the_tavern = moment(served.service, patch, "dice and three tricks")
    return [
        ("dutchman", brought_there(at_sea, "dutchman", lambda view: view.step == "sail" and view.round > 3), "light"),
        ("shanghaien", in_the_tavern, "dark"),
    ]


if __name__ == "__main__":
    with TemporaryDirectory() as folder, Served(Path(folder)) as served, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        for name, table, theme in tables(served):
            with browsing(chromium, served.address, table.token, viewport=SIZE, color_scheme=theme) as page:
                page.goto(table.path)
                expect(page.locator("#connection")).to_have_attribute("data-is", "live")
                picture = PICTURES / f"browser-{name}.png"
                page.screenshot(path=picture)
                pack(picture)
        chromium.close()
