"""Notices: the contents and their licences, and the contact for security problems."""

import re
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from kontor.web.http.notices import notices
from kontor.web.pages.languages import NAMES
from web.browsers import Chromium
from web.conftest import Served

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "kontor" / "web" / "pages" / "static"


def test_somebody_finds_the_licences_from_any_page(chromium: Chromium, served: Served) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 740})
    try:
        page.goto(f"{served.address}/rules/shanghaien")
        page.get_by_role("link", name="Licences").click()
        page.wait_for_url("**/notices")
        assert page.locator("h1").inner_text() == "Licences"
        held = page.locator("main").inner_text()
        for words in (
            "MIT License",
            "Zero-Clause BSD",
            "SIL OPEN FONT LICENSE Version 1.1",
            "The EB Garamond Project",
        ):
            assert words in held
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, "no page scrolls sideways"
    finally:
        page.close()


@pytest.mark.parametrize("language", NAMES)
def test_the_page_is_there_in_every_language(served: Served, language: str) -> None:
    page = httpx.get(f"{served.address}/notices", headers={"accept-language": language})
    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text
    assert page.text.count('<pre class="code licence" lang="en"') == len(notices())


def test_every_licence_of_the_package_is_on_the_page_in_full(served: Served) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(project["license"].split(" AND ")) == {notice.licence for notice in notices()}
    texts = {file.read_text("utf-8") for pattern in project["license-files"] for file in ROOT.glob(pattern)}
    assert texts == {notice.text for notice in notices()}
    assert len(texts) == 4


def test_what_others_made_comes_with_a_licence() -> None:
    """Check the folder with fonts and scripts of others: each of them needs a licence beside it."""
    files = {file.name for file in STATIC.iterdir() if file.suffix == ".woff2" or ".min." in file.name}
    expected = {"htmx.min.js", "hx-sse.min.js", "kontor-text.woff2", "kontor-text-600.woff2"}
    assert files == expected, "give it a Notice, and its licence a place in pyproject.toml"


def test_without_a_contact_there_is_no_security_txt(served: Served) -> None:
    assert httpx.get(f"{served.address}/.well-known/security.txt").status_code == 404


def test_security_txt_names_the_operators_contact_and_is_fresh(tmp_path: Path) -> None:
    with Served(tmp_path, contact="https://games.example/security") as served:
        answer = httpx.get(f"{served.address}/.well-known/security.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "https://games.example/security"
    assert fields["Preferred-Languages"] == "en"
    assert "Canonical" not in fields, "nobody has said by which address the house is reached"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", fields["Expires"])
    left = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
    assert timedelta(days=30) < left < timedelta(days=365)
