"""Texts that people write: they are shown unchanged, and never become markup, an event or a line of a log."""

import html
import json
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from itertools import cycle
from random import Random

import pytest

from kontor.games.dutchman.rules import Options
from kontor.tables.values import Plan, SeatPlan, Share
from web.conftest import Served
from web.guests import Guest, open_shanghaien

NAMES = (
    "<script>alert(1)</script>",
    "</textarea><svg onload=alert(1)>",
    "\"'><img src=x onerror=a(1)>",
    "<!--", "-->", "]]>", "&lt;b&gt;", "&amp;",
    "{name}", "{0}", "{name.__class__}", "{", "}}", "%(name)s", "%s%n", "{{ 7 * 7 }}", "{% raw %}", "${7*7}",
    "'; DROP TABLE people; --", "javascript:alert(1)", "../../etc/passwd", "\\u003cb\\u003e",
    "שלום", "日本語", "👩‍🚀",
)  # fmt: skip

LANGUAGES = ("en", "de", "ja")


class Tags(HTMLParser):
    """A parser for every tag of a page with the names of its attributes, and the comments."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[tuple[str, str]] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.update([(tag, name) for name, _ in attrs] or [(tag, "")])

    def handle_comment(self, data: str) -> None:
        assert re.fullmatch(r" [0-9a-f]* ", data), data


def table_with(served: Served, host: Guest, others: Sequence[str], salt: str = "") -> str:
    """Open a game of the Holländer of the host and others at the same device; return the path of its page."""
    person = served.person_id(host)
    seats = (SeatPlan("me"), *[SeatPlan("here", name=other) for other in others])
    plan = Plan("dutchman", Options(players=len(seats), starter=0), seats)
    table = served.service.opening.open(person, plan, share=Share(salt))
    random = Random(1)
    for _ in range(20):
        mover = served.service.tables.info(table).mover
        assert mover is not None
        look = served.service.tables.view(table).look(mover)
        served.service.moves.play(table, mover, look.number, look.moves[random.randrange(len(look.moves))])
    return f"/tables/{table}"


def tags_of(guest: Guest, *paths: str, language: str) -> tuple[set[tuple[str, str]], str]:
    """Return every tag of some pages, and their text."""
    tags, text = set[tuple[str, str]](), ""
    for path in paths:
        answer = guest.client.get(path, headers={"accept-language": language})
        assert answer.status_code == 200
        tags |= Tags(answer.text).tags
        text += html.unescape(answer.text)
    return tags, text


@pytest.mark.long
def test_a_name_is_a_name_on_every_page(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.tables.next_seeds.of_person", lambda *_: bytes(32))  # the same game each time

    def read_pages(host: str, others: Sequence[str], language: str) -> tuple[set[tuple[str, str]], str]:
        with Guest(served.address) as guest:
            guest.press(guest.get("/").button("name-go"), name=host)
            table, salted = (table_with(served, guest, others, salt) for salt in ("", others[0]))
            for text in others:
                guest.press(guest.get(table).button("say-go"), text=text)
            played = (table, f"{table}?as=1", f"{table}/log?as=1", f"{table}/replay?as=1")
            return tags_of(guest, "/", "/you", *played, f"{salted}/fair", language=language)

    usual, _ = read_pages("Anna", ("Bernd", "Carla", "Dora", "Emil", "Fritz"), "en")
    for first, language in zip(range(0, len(NAMES), 5), cycle(LANGUAGES), strict=False):
        names = NAMES[first : first + 5]
        tags, text = read_pages(names[0], names, language)
        assert tags <= usual
        assert [name for name in names if name not in text] == []


SAID = (
    "one\n\nevent: evil\ndata: two\n\n", "one\r\rdata: two", "one\r\ndata: two\r\n\r\nid: 666",
    "one\u2028data: two\u2029id: 666", "one\x85data: two\x0bevent: evil\x0c", ":comment\nretry: 1",
)  # fmt: skip


def events_of(lines: Iterator[str]) -> list[str]:
    """Return the lines of the first event that has data."""
    heard = []
    for line in lines:
        heard.append(line)
        if not line and any(part.startswith("data") for part in heard):
            return heard
    raise AssertionError("no event came")


@pytest.mark.parametrize("text", SAID)
def test_what_is_said_is_no_event_of_a_stream(anna: Guest, text: str) -> None:
    table = open_shanghaien(anna)
    anna.press(anna.get(table).button("say-go"), text=text)
    with anna.client.stream("GET", f"{table}/live") as streaming:
        received = b""
        for piece in streaming.iter_bytes():
            received += piece
            if b"\ndata: " in received and received.endswith(b"\n\n"):
                break
    assert b"\r" not in received
    head, _, rest = received.decode().partition("\ndata: ")
    assert re.fullmatch(r"(:[0-9a-f]*\n|retry: 1000\n|\n)*id: [0-9a-f]{16}", head), head
    assert "\n\n" not in rest.removesuffix("\n\n"), "it is one event"
    assert all(line.startswith("data: ") for line in rest.removesuffix("\n\n").split("\n")[1:])


def test_the_stream_for_programs_is_one_line_of_json_an_event(served: Served) -> None:
    with Guest(served.address) as guest:
        guest.press(guest.get("/").button("name-go"), name="{0}data: x")
        table = table_with(served, guest, ["]}\\n\\nevent: evil", "{}"]).removeprefix("/tables/")
        with guest.client.stream("GET", f"/api/tables/{table}/stream") as streaming:
            heard = events_of(streaming.iter_lines())
    (data,) = [line for line in heard if line.startswith("data: ")]
    assert json.loads(data[6:])["table"]["id"] == table
    assert not [line for line in heard if not re.match(r"(data: \{|id: \d+$|retry: 1000$|:|$)", line)]


@pytest.mark.parametrize("name", ["\u202eanna", "an\u2066na", "an\u200bna", "\ufeffanna", "an\x00na", "an\x1b[31mna"])
def test_a_name_that_would_look_like_another_or_turn_the_line_is_refused(served: Served, name: str) -> None:
    with Guest(served.address) as guest:
        page = guest.press(guest.get("/").button("name-go"), name=name)
        assert page.status == 422
        assert not set(guest.client.cookies)


def test_no_answer_has_a_header_that_somebody_wrote(anna: Guest) -> None:
    token = anna.get("/").forms[0].fields["token"]
    for odd in ("/x\r\nset-cookie: a=b", "/x\nx: y", "/\x00", "/x\u0100", "/%0d%0aset-cookie:a=b", "/é"):
        answer = anna.client.post(
            "/settings",
            data={"token": token, "next": odd, "language": "de\r\nx: y", "theme": "dark"},
            headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        )
        assert answer.status_code == 303
        assert list(answer.cookies) == ["kontor-theme"]
        assert "x" not in answer.headers
        assert answer.headers["location"].isascii()


@pytest.mark.parametrize(
    "path",
    [
        "/static/x/../app.py", "/static/x/..%2fapp.py", "/static/x/%2e%2e%2fapp.py", "/static/..%2f..%2fapp.py/x",
        "/static/x/..%5capp.py", "/static/x/kontor.css%00.py", "/static//etc/passwd", "/static/x//etc/passwd",
        "/static/x/", "/static/", "/static/x/KONTOR.CSS", "/.git/config", "/kontor.db", "/.env",
    ],
)  # fmt: skip
def test_no_file_is_given_but_those_that_are_meant(served: Served, path: str) -> None:
    with Guest(served.address) as guest:
        answer = guest.client.send(guest.client.build_request("GET", f"{served.address}{path}"))
        assert answer.status_code == 404, path
        assert "import" not in answer.text


def test_addresses_for_friends_are_those_that_the_server_was_told(anna: Guest) -> None:
    """Check links without ``--url``: they begin with the address that the host's own browser requested."""
    table = open_shanghaien(anna)
    form = anna.get(table).button("invite-2").form
    data = {**form.fields, "token": anna.get(table).forms[0].fields["token"]}
    page = anna.post(form.action, data, **{"x-forwarded-host": "elsewhere.example", "forwarded": "host=elsewhere"})
    assert 'id="link-2"' in page.html
    assert "elsewhere" not in page.html
