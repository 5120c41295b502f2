"""The page ``docs/verify.html``, opened from its folder."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from web.browsers import Chromium, new_page, no_complaints
from web.verifier.verdicts import FILE


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Page]:
    page = new_page(chromium, FILE.as_uri())
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(FILE.as_uri())
    with no_complaints(page):
        yield page
    assert set(addresses) <= {FILE.as_uri(), "data:,"}
    page.context.close()
