"""Website: it builds without warnings, every link on it leads somewhere, and players read it in their language."""

import subprocess
import sys
import threading
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from kontor.web.adapter import web_adapters
from kontor.web.pages.languages import NAMES, words_in
from web.test_axe import LOOKS, complaints

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
MOST_BYTES = 600_000
"""Most bytes of a film."""

pytestmark = [pytest.mark.extended, pytest.mark.process, pytest.mark.xdist_group("website")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "made"
    result = subprocess.run(
        [sys.executable, ROOT / "scripts/website.py", "--out", out], capture_output=True, text=True, cwd=ROOT
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return out


class Links(HTMLParser):
    """Links of a page, and the anchors in it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if place := attributes.get("id"):
            self.places.add(place)
        for name in ("href", "src", "poster", "action"):
            if target := attributes.get(name):
                self.targets.append(target)


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    assert len(pages) > 30
    astray = defaultdict(list)
    for page, links in pages.items():
        for target in links.targets:
            where = urlsplit(target)
            if where.scheme or target.startswith("//"):
                continue
            file = (page.parent / unquote(where.path)).resolve() if where.path else page
            has_anchor = not where.fragment or file not in pages or where.fragment in pages[file].places
            if where.path.startswith("/") or not file.is_file() or not has_anchor:
                astray[page.relative_to(site).as_posix()].append(target)
    assert dict(astray) == {}


@pytest.mark.parametrize("language", NAMES)
def test_players_read_it_in_their_language(site: Path, language: str) -> None:
    folder, words = site if language == "en" else site / language, words_in(language)
    for game, adapter in web_adapters().items():
        rules = (folder / f"{game}.html").read_text("utf-8")
        assert f'<html lang="{language}"' in rules
        assert str(words.say("The rules in detail")) in rules
        home = (folder / "index.html").read_text("utf-8")
        assert str(words.say(adapter.book.lead)).split(".")[0].split("'")[0] in home
    own = tomllib.loads((ROOT / "website/words.toml").read_text("utf-8"))
    assert all(texts.keys() == NAMES.keys() for texts in own.values())


def test_each_game_has_a_film_that_is_small(site: Path) -> None:
    for game in web_adapters():
        assert (site / "_static" / f"moving-{game}.webm").stat().st_size < MOST_BYTES
        assert (site / "_static" / f"moving-{game}.webp").is_file()


class Quiet(SimpleHTTPRequestHandler):
    """File server without a log."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
        pass


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.browser
@pytest.mark.parametrize("page", ["index.html", "de/dutchman.html", "docs/deploy.html", "docs/league.html"])
def test_a_page_fits_a_phone_and_has_nothing_against_it(address: str, chromium: Browser, page: str) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    try:
        tab = context.new_page()
        missing: list[str] = []
        tab.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
        assert complaints(tab, f"{address}/{page}", *LOOKS[0]) == []
        assert tab.viewport_size == {"width": 360, "height": 740}
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        assert missing == []
    finally:
        context.close()


@pytest.mark.browser
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_film_runs_while_it_is_seen_unless_nothing_is_to_move(
    address: str, chromium: Browser, motion: Literal["no-preference", "reduce"]
) -> None:
    context = chromium.new_context(reduced_motion=motion)
    try:
        tab = context.new_page()
        tab.goto(f"{address}/index.html")
        film = tab.locator("video").first
        expect(film).to_be_in_viewport(ratio=0.6)
        if motion == "reduce":
            film.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert film.evaluate("(film) => film.paused")
        else:
            film.evaluate(
                "(film) => new Promise((done) => { film.ontimeupdate = () => film.currentTime > 0 && done(); })"
            )
    finally:
        context.close()
