"""Pages whose fonts arrive after their first paint, as on a slow network."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route

from timeouts import waited_for
from web.auditor import findings, shifts
from web.browsers import BROWSER_TIMEOUT, Chromium
from web.conftest import Served

PAINTED: Final = "performance.getEntriesByName('first-contentful-paint').length > 0"
LOADED: Final = "document.fonts.status == 'loaded' && document.fonts.size > 0"
OURS: Final = {"EB Garamond SemiBold"}
"""Fonts of a heading that is drawn in ours."""

NOTHING: Final = "#no-decision"
"""Selector of nothing: these pages ask for no decision."""

FIRST_PAGES: Final = (
    ("/", 1348, 654, "de"),
    ("/puzzles", 443, 813, "de"),
    ("/open/dutchman", 947, 452, "de"),
    ("/best/dutchman", 490, 397, "it"),
    ("/learn/dutchman/5", 1511, 1061, "de"),
)
"""Pages and windows in which lines broke in other places once the fonts were there, and moved what stands below."""


@contextmanager
def late_fonts(chromium: Chromium, served: Served, more: dict[str, Any], path: str) -> Iterator[Page]:
    """Yield a page of a browser with an empty cache; its fonts arrive once it has been painted."""
    context = chromium.new_context(base_url=served.address, draws=True, **more)
    context.set_default_timeout(BROWSER_TIMEOUT)
    page = context.new_page()
    held: list[Route] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    page.goto(path, wait_until="commit")
    waited_for(lambda: page.evaluate(PAINTED), pause=lambda: page.wait_for_timeout(20))
    assert held, "the page asks for its fonts"
    for route in held:
        route.continue_()
    waited_for(lambda: page.evaluate(LOADED), pause=lambda: page.wait_for_timeout(20))
    yield page
    context.close()


def fonts_of_heading(page: Page) -> set[str]:
    """Return the names of the fonts in which the page's first heading is drawn."""
    wire = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        wire.send(f"{domain}.enable")
    root = wire.send("DOM.getDocument")["root"]["nodeId"]
    heading = wire.send("DOM.querySelector", {"nodeId": root, "selector": "h1"})["nodeId"]
    return {font["familyName"] for font in wire.send("CSS.getPlatformFontsForNode", {"nodeId": heading})["fonts"]}


@pytest.mark.parametrize(("path", "width", "height", "language"), FIRST_PAGES)
def test_nothing_moves_and_all_can_be_read_when_fonts_come_late(
    served: Served, chromium: Chromium, path: str, width: int, height: int, language: str
) -> None:
    more = {"viewport": {"width": width, "height": height}, "locale": language}
    with late_fonts(chromium, served, more, path) as page:
        assert not [*findings(page, NOTHING), *shifts(page)]
        assert fonts_of_heading(page) != OURS
