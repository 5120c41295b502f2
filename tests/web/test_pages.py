"""Texts of pages: the rules by number, no word outside the catalogues, and the language of the browser."""

import re
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Final

import httpx
import pytest

from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.web.sample_game import NAMES as SAMPLE_NAMES
from kontor.games.shanghaien import words as shanghaien_words
from kontor.web.adapter import adapter_of, web_adapters
from kontor.web.pages import languages
from kontor.words import Words
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend

WEB = Path(str(files("kontor.web")))
TEMPLATES = sorted(Path(str(files("kontor"))).rglob("templates/**/*.html"))

NOT_SAID = {"Kontor", "Shanghaien", "Der fliegende Holländer", "Kaspar", "Melchior", "Balthasar",
            *SAMPLE_NAMES, "random", "greedy", "expert", *languages.NAMES.values(), "EN"}  # fmt: skip
"""Names, which are the same in every language."""


@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
def test_every_rule_that_is_cited_can_be_read(stranger: Guest, game: str) -> None:
    page = stranger.get(f"/rules/{game}").html
    anchors = set(re.findall(r'class="rule" id="(\w+)"', page))
    assert anchors == set(adapter_of(game).book.numbers)
    source = "".join(path.read_text() for path in (WEB.parent / "games" / game / "rules").glob("*.py"))
    cited = set(re.findall(r'(?:IllegalMove|BadOptions|Refusal)\(\s*"([SH]\d+[a-z]?)"', source))
    short = shanghaien_words.RULES if game == "shanghaien" else dutchman_words.RULES
    assert cited | set(short) <= anchors
    assert cited


def test_each_rule_has_one_number() -> None:
    for book in [adapter.book for adapter in web_adapters().values()]:
        assert len(set(book.numbers)) == len(book.numbers)


class Bracketed(Words):
    """Catalogue that puts its sentences in brackets, so that they can be told from all other text of a page."""

    def say(self, sentence: str, /, **details: object) -> str:
        return f"⟦{super().say(sentence, **details)}⟧"

    def count(self, singular: str, plural: str, n: int, /, **details: object) -> str:
        return f"⟦{super().count(singular, plural, n, **details)}⟧"

    def letter(self, what: str, letter: str) -> str:
        return f"⟦{super().letter(what, letter)}⟧"


def untranslated_words(html: str) -> list[str]:
    """Return the words that people can see or hear, and that come from no catalogue."""
    html = re.sub(r"<(script|style|pre)\b.*?</\1>|<code\b.*?</code>|<!doctype.*?>", " ", html, flags=re.DOTALL)
    before = ""
    while before != html:
        before, html = html, re.sub(r"⟦[^⟦⟧]*⟧", "", html)
    heard = re.findall(r'\s(?:title|alt|placeholder|aria-label)="([^"]*)"', html)
    text = " ".join([re.sub(r"<[^>]*>", " ", html), *heard])
    for name in sorted(NOT_SAID | {field.name for field in OURS.fields}, key=len, reverse=True):
        text = text.replace(name, " ")
    return re.findall(r"[^\W\d_]{2,}", text)


@pytest.mark.long
def test_no_word_stands_outside_the_catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = Bracketed("en")
    for module in ("pages.visitor", "pages.render"):
        monkeypatch.setattr(f"kontor.web.{module}.words_in", lambda language, zone="": words)
    with Served(tmp_path) as served, served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        tables = [seat_friend(anna, bernd, starter="0"), open_shanghaien(anna)]
        tables += [
            open_shanghaien(anna, chair__2="machine-random", pace=pace) for pace in ("live-60-600", "slow-86400-0")
        ]
        tables.append(anna.press(anna.get("/open/dutchman").button("open-it"), chair__2="machine-random").path)
        anna.press(anna.get(tables[0]).moves[0])
        over = open_shanghaien(anna, chair__2="here", name__2="Bernd")
        while not (page := anna.get(over)).has("ending"):
            anna.press(page.moves[-1])
        places = ["/", "/you", "/you/leave", "/you/left", "/return", "/learn", "/people", "/people?name=a", "/games",
                  "/rules", "/rules/shanghaien", "/rules/dutchman",
                  "/open/shanghaien", "/open/dutchman", "/device/x", "/nothing", *tables, f"{tables[0]}/log",
                  f"{tables[0]}/replay", f"{tables[0]}/fair", over,
                  f"{tables[0]}/people", f"{over}/replay", f"{over}/fair", f"{over}/fair?verify=1"]  # fmt: skip
        for reader in (anna, bernd):
            for place in places:
                html = reader.get(place).html
                assert "⟦" in html
                assert not untranslated_words(html), place


def test_words_that_no_page_should_say() -> None:
    for template in TEMPLATES:
        text = " ".join(re.findall(r'say(?:_html)?\("([^"]*)"', template.read_text("utf-8"))).lower()
        assert not re.search(r"\berrors?\b|\binvalid\b|\busers?\b", text), template


def test_the_language_is_the_visitors_choice_or_the_browsers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "languages", lambda: ("de", "en", "fr"))
    assert languages.language_of(None, None) == "en"
    assert languages.language_of(None, "de-AT,de;q=0.9,en;q=0.8") == "de"
    assert languages.language_of(None, "ja, fr;q=0.2, de;q=0.4") == "de"
    assert languages.language_of(None, "fr;q=0, xx") == "en"
    assert languages.language_of("fr", "de") == "fr"
    assert languages.language_of("klingon", "de") == "de"
    assert languages.language_of(None, "q=,;;," * 1000) == "en"


def test_pages_say_in_which_language_they_are(served: Served) -> None:
    with served.guest(headers={"accept-language": "tlh"}) as reader:
        page = reader.get("/")
        assert '<html lang="en">' in page.html
        assert "accept-language" in page.answer.headers["vary"]


def test_every_static_file_comes_with_its_licence() -> None:
    static = {path.name for path in (WEB / "pages" / "static").iterdir()}
    assert {"htmx-LICENSE.txt", "kontor-text-LICENSE.txt"} <= static
    fonts = sum((WEB / "pages" / "static" / name).stat().st_size for name in static if name.endswith("woff2"))
    assert fonts <= 40 * 1024


PRETENDERS: Final = ("Kaspar (computer player, expert)", "Anna (me)")


def test_no_name_can_pretend_to_be_a_machine_or_the_reader(served: Served) -> None:
    """Check that the role is an element of its own beside the name.

    Before the name of a computer player is a sign that no name can hold: in the lobby, on the invitation, at the
    table and in its log.
    """
    person, me = PRETENDERS
    with served.guest(me) as anna, served.guest(person) as bernd, served.guest() as stranger:
        path = open_shanghaien(anna)
        page = anna.press(anna.get(path).button("invite-2"))
        link = httpx.URL(page.html.split('id="link-2" readonly value="')[1].split('"')[0]).path
        assert f"with {me}." in stranger.get(link).text("main")
        bernd.press(bernd.get(link).button("sit"))
        for reader, mine, other in ((anna, me, person), (bernd, person, me)):
            players = reader.get(path).html.split('id="sitting"')[1].split("</ul>")[0]
            assert f'<span class="sitter">{mine}</span> <span class="role">you</span>' in players
            assert re.search(rf'>{re.escape(other)}</span>( <span class="presence">[a-z ]+</span>)?</li>', players)
            assert players.count('class="role"') == 1
        with_machine = anna.get(open_shanghaien(anna, chair__2="machine-random", starter="0"))
        assert "⚙ Kaspar computer player, random" in with_machine.text("sitting")
        assert "⚙ Kaspar" in with_machine.text("board")
        assert "⚙\u00a0Kaspar" in unescape(anna.get("/").html)
        seats = anna.client.get(f"/api{with_machine.path}").json()["seats"]
        assert [(seat["name"], seat["kind"]) for seat in seats] == [(me, "me"), ("Kaspar", "machine")]
    with served.guest() as nobody:
        for sign in ("⚙", "⛭"):
            page = nobody.press(nobody.get("/").button("name-go"), name=f"{sign} Kaspar")
            assert page.status == 422
            assert "reserved for computer players" in page.html
