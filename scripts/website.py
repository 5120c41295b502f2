"""Makes the site: the documentation, and what players read in five languages.

.venv/bin/python scripts/website.py --out site

Sphinx makes the documentation from the Markdown files; a broken link or heading stops it. The rules are the pages of
a running Kontor, and the first page is made from its catalogues, so that nothing is written twice.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import struct
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from sphinx.application import Sphinx

from kontor.web.adapter import WebAdapter, web_adapters
from kontor.web.pages.assets import page_folders
from kontor.web.pages.languages import NAMES, words_in

ROOT: Final = Path(__file__).parents[1]
WEBSITE: Final = ROOT / "website"
STATIC: Final = ROOT / "src/kontor/web/pages/static"
_BESIDE: Final = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "bench/load/README.md")
"""Pages outside docs."""

_LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)([^)#\s]+)(#[^)]*)?\)")
_TABLE: Final = re.compile(r"(?m)(?<=\n\n)\[[^\]]+\]\(([\w-]+\.csv)\)$(?=\n(?:\n|\Z))")
_FRAGMENT: Final = re.compile(r"(?s)<main id=\"main\"[^>]*>(.*)</main>")
_STYLES: Final = re.compile(r'<link rel="stylesheet" href="/static/[0-9a-f]+/([\w-]+\.css)')
_NOT_HERE: Final = re.compile(
    r'(?s)<template id="beside">.*?</template>|<p><a class="learn-it".*?</p>|<p class="go">.*?</p>'
)
_ELSEWHERE: Final = re.compile(r'(?s)<a (?:[^>]* )?href="/(?!rules/)[^"]*"[^>]*>(.*?)</a>')


# --------------------------------------------------------------------------------------------- the documentation


def copy_pages(source: Path) -> None:
    """Copy the Markdown files to where Sphinx reads them, and all files that they link to."""
    for page in (*(ROOT / "docs").glob("*.md"), *(ROOT / name for name in _BESIDE)):
        target = source / page.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_page(page, source), "utf-8")
    shutil.copytree(ROOT / "docs/pictures", source / "docs/pictures", dirs_exist_ok=True)
    index = source / "docs/index.md"
    index.write_text(index.read_text("utf-8") + "".join(_lists(index.read_text("utf-8"))), "utf-8")


def _page(page: Path, source: Path) -> str:
    """Return a page as the site shows it.

    A link to a folder becomes its text, because folders have no page. A paragraph that is a link to a table gets the
    table below it.
    """

    def linked(match: re.Match[str]) -> str:
        words, target, anchor = match[1], match[2], match[3] or ""
        file = (page.parent / target).resolve()
        if file.is_dir():
            return words
        name = file.relative_to(ROOT)
        if file.suffix == ".md":
            return f"[{words}]({target}{anchor})"
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, source / name)
        path = f"/{name}" if ".." in target else target
        return f"{{download}}`{words.strip('`')} <{path}>`"

    text = _TABLE.sub(
        r"\g<0>\n\n```{csv-table}\n:file: \1\n:header-rows: 1\n:class: csv\n```", page.read_text("utf-8")
    )
    return _LINK.sub(linked, text)


def _lists(index: str) -> Iterator[str]:
    """Yield the tables of contents with all pages, by the headings and links of the index."""
    for caption, entries in re.findall(r"\*\*(.+?)\*\*\n\n((?:- .*\n(?:  .*\n)*)+)", index):
        pages = [target for _, target, _ in _LINK.findall(entries) if target.endswith(".md")]
        yield "\n".join(("", "```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""))


# ------------------------------------------------------------------------------------------- pages for players


@contextmanager
def kontor() -> Iterator[str]:
    """Run a Kontor server, and yield its address."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "kontor.cli", "serve", "--port", "0", "--thinkers", "1", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 (ours)
            try:
                assert server.stdout
                yield server.stdout.readline().strip()
            finally:
                server.terminate()


def rules_page(address: str, game: str, language: str) -> tuple[str, list[str]]:
    """Return the rules of a game as Kontor shows them, without parts that need a server; and the page's styles."""
    request = urllib.request.Request(f"{address}/rules/{game}", headers={"Accept-Language": language})  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310 (our own server)
        page: str = answer.read().decode()
    main = _FRAGMENT.search(page)
    assert main
    assert f'<html lang="{language}"' in page
    styles = [name for name in _STYLES.findall(page) if name not in ("kontor.css", "pages.css")]
    text = _ELSEWHERE.sub(r"\1", _NOT_HERE.sub("", main[1]))
    return re.sub(r'href="/rules/(\w+)', r'href="\1.html', text), styles


def _size(picture: Path) -> tuple[int, int]:
    """Return width and height of a lossy WebP."""
    head = picture.read_bytes()[:30]
    assert head[12:16] == b"VP8 "
    width, height = struct.unpack_from("<HH", head, 26)
    return width & 0x3FFF, height & 0x3FFF


def player_pages(address: str) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return all pages for players by their names, and the words around them by language."""
    own = tomllib.loads((WEBSITE / "words.toml").read_text("utf-8"))
    templates = Environment(loader=FileSystemLoader(WEBSITE), undefined=StrictUndefined, autoescape=True)
    adapters: dict[str, WebAdapter] = dict(web_adapters())
    pages: dict[str, dict[str, Any]] = {}
    words_of: dict[str, dict[str, Any]] = {}
    places = {code: "" if code == "en" else f"{code}/" for code in NAMES}
    for code, place in places.items():
        words = words_in(code)
        say = words.say
        titles = [adapter.title for adapter in adapters.values()]
        words_of[code] = {
            **{name: sentences[code] for name, sentences in own.items()},
            "home": f"{place}index",
            "rules": [(adapter.title, f"{place}{game}") for game, adapter in adapters.items()],
            "skip": say("Skip to content"),
            "menu": say("Menu"),
            "language": say("Language"),
            "rules_of": say("The rules of {game}", game="{game}"),
            "description": say(
                "{games} in the browser: with friends or computer players, live or turn-based.",
                games=words.all_of(titles),
            ),
            "authors": say(
                "The games belong to their authors: {authors}. Kontor is a place to play them.",
                authors=words.all_of([author for adapter in adapters.values() for author in adapter.authors]),
            ),
        }
        games = []
        for game, adapter in adapters.items():
            width, height = _size(ROOT / f"docs/pictures/moving-{game}.webp")
            about = {"players": say(adapter.book.players), "lead": say(adapter.book.lead)}
            games.append({"name": game, "title": adapter.title, "tone": adapter.tone, "width": width, **about})
            games[-1]["height"] = height
            text, styles = rules_page(address, game, code)
            pages[f"{place}{game}"] = {
                "language": code,
                "title": f"{say('The rules of {game}', game=adapter.title)} – Kontor",
                "description": about["lead"],
                "content": Markup(text),  # noqa: S704 (our own page)
                "styles": styles,
                "room": f"{game} rulebook",
                "others": {other: f"{folder}{game}" for other, folder in places.items()},
            }
        home = templates.get_template("home.html")
        static = "_static/" if code == "en" else "../_static/"
        pages[f"{place}index"] = {
            "language": code,
            "title": f"Kontor – {words.all_of(titles)}",
            "description": words_of[code]["description"],
            "content": Markup(home.render(words=words_of[code], games=games, static=static)),  # noqa: S704 (ours)
            "styles": [],
            "room": "",
            "others": {other: f"{folder}index" for other, folder in places.items()},
        }
    return pages, words_of


def copy_static(folder: Path) -> None:
    """Copy the server's own styles, fonts and signs, and the films."""
    folder.mkdir()
    for pattern in ("*.woff2", "*-LICENSE.txt", "kontor.svg"):
        for file in STATIC.glob(pattern):
            shutil.copy(file, folder)
    for pages in page_folders():
        for style in Path(str(pages.joinpath("static"))).glob("*.css"):
            shutil.copy(style, folder)
    for game in web_adapters():
        for film in (ROOT / "docs/pictures").glob(f"moving-{game}.*"):
            shutil.copy(film, folder)


# ---------------------------------------------------------------------------------------------- the whole site


def build(out: Path) -> None:
    """Write the site. Sphinx raises an error if a link is broken."""
    with TemporaryDirectory() as name, kontor() as address:
        source = Path(name) / "source"
        source.mkdir()
        copy_pages(source)
        copy_static(Path(name) / "static")
        pages, words = player_pages(address)
        site = {
            "pages": pages,
            "words": words,
            "names": NAMES,
            "mark": Markup((STATIC.parent / "templates/mark.svg").read_text("utf-8")),  # noqa: S704 (ours)
        }
        settings = {
            "project": "Kontor",
            "extensions": ["myst_parser"],
            "myst_heading_anchors": 4,
            "root_doc": "docs/index",
            "html_theme": "theme",
            "html_theme_path": [str(WEBSITE)],
            "html_static_path": [str(Path(name) / "static")],
            "html_additional_pages": dict.fromkeys(pages, "player.html"),
            "html_context": {"site": site},
            "html_copy_source": False,
            "html_use_index": False,
            "html_title": "Kontor",
            "highlight_language": "none",
            # Tests of docs check which pages can be reached; some pages are linked to by one page alone.
            "suppress_warnings": ["misc.highlighting_failure", "toc.not_included"],
        }
        shutil.rmtree(out, ignore_errors=True)
        warnings = io.StringIO()
        doctrees = str(Path(name) / "doctrees")
        sphinx = Sphinx(
            str(source), None, str(out), doctrees, "html", confoverrides=settings, status=None, warning=warnings
        )
        sphinx.build()
        if warnings.getvalue():
            raise SystemExit(f"No site:\n{warnings.getvalue()}")
    for trace in (".buildinfo", "objects.inv"):
        (out / trace).unlink(missing_ok=True)
    shutil.rmtree(out / "_sources", ignore_errors=True)
    (out / ".nojekyll").touch()


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="the folder that the site comes into")
    build(parser.parse_args().out)


if __name__ == "__main__":
    main()
