"""Requests of browsers, crawlers, proxies and programs: HEAD, icons, content types, refusals."""

import asyncio
import json
import re
import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.types import Receive, Scope, Send

from guests import MACHINE, query, shanghaien
from kontor.server.composition import utc_now
from kontor.web.http.hosts import Hosts
from kontor.web.http.security_middleware import SecurityMiddleware
from kontor.web.http.turned_away import RefusalPages
from kontor.web.pages.languages import languages
from kontor.web.pages.render import Pages
from web.browsers import Chromium, browsing
from web.conftest import Served
from web.guests import Guest, open_shanghaien

STREAMS = ("/tables/{table}/live", "/api/tables/{table}/stream")

VALUES = {
    "game": "shanghaien",
    "digest": "x",
    "name": "kontor.css",
    "number": "1",
    "seat": "1",
    "step": "1",
    "which": "nothing",
}


class AheadClock:
    """Clock that runs ahead of the machine's time by as much as a test adds."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


def litestar_of(served: Served) -> Litestar:
    """Return the application inside all middleware."""
    app: Any = served._server.config.app
    while not isinstance(app, Litestar):
        app = app._app
    return app


def paths_of_get(served: Served, table: str) -> list[str]:
    """Return an address for each route with GET; routes of a table lead to this one."""
    values = {**VALUES, "table": table}
    formats = {route.path_format for route in litestar_of(served).routes if "GET" in getattr(route, "methods", ())}
    return sorted(re.sub(r"\{(\w+)[^}]*\}", lambda part: values.get(part[1], "x"), path) for path in formats)


@pytest.fixture(scope="module")
def asker(served: Served) -> Iterator[tuple[Guest, list[str]]]:
    """Yield a guest at a table of their own, and an address for each GET route except streams."""
    with served.guest("Anna") as anna:
        table = open_shanghaien(anna, chair__2="here", name__2="Bernd").rpartition("/")[2]
        ends = tuple(stream.rpartition("/")[2] for stream in STREAMS)
        paths = [path for path in paths_of_get(served, table) if not path.endswith(ends)]
        anna.client.follow_redirects = False
        yield anna, paths


# --------------------------------------------------------------------------------------------------------------- HEAD


@pytest.mark.long
def test_head_has_the_head_that_get_has_on_every_route(asker: tuple[Guest, list[str]]) -> None:
    anna, paths = asker
    assert len(paths) > 60
    for path in (*paths, "/nothing", "/api/nothing"):
        got, head = anna.client.get(path), anna.client.head(path)
        assert head.status_code == got.status_code, path
        for name in ("content-type", "location", "cache-control", "vary", "content-disposition"):
            assert head.headers.get(name) == got.headers.get(name), (path, name)
        assert head.content == b"", path


def test_head_sends_no_byte_of_a_body(served: Served) -> None:
    port = int(served.address.rpartition(":")[2])
    for path in ("/", "/static/x/kontor.css", "/nothing", "/api/games"):
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            answer = line.makefile("rb").read()
        head, _, body = answer.partition(b"\r\n\r\n")
        assert body == b"", path
        assert b"content-length: 0" not in head.lower(), "it is that of the page"


@pytest.mark.parametrize("path", STREAMS)
def test_head_of_a_stream_ends_at_once_and_opens_none(served: Served, anna: Guest, path: str) -> None:
    table = open_shanghaien(anna, chair__2="here", name__2="Bernd").rpartition("/")[2]
    answer = anna.client.head(path.format(table=table), headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.content == b""
    assert table not in served.hub.watched()
    assert anna.client.head(path.format(table="nothing")).status_code == 404


def test_head_where_only_forms_go_names_the_methods(served: Served) -> None:
    for path in ("/name", "/api/people"):
        answer = httpx.head(served.address + path)
        assert (answer.status_code, answer.headers["allow"]) == (405, "OPTIONS, POST")
    assert httpx.options(served.address).headers["allow"] == "GET, HEAD, OPTIONS"
    assert httpx.request("PROPFIND", served.address).headers["allow"] == "GET, HEAD, OPTIONS"


LOOKS = ("/tables/{table}", "/api/tables/{table}", "/api/tables/{table}/view", *STREAMS)


@pytest.mark.parametrize("path", LOOKS)
def test_head_is_no_visit(tmp_path: Path, path: str) -> None:
    with Served(tmp_path) as served, served.guest() as stranger:
        host = served.service.people.guest("Anna")[0].id
        table = served.service.opening.open(host, shanghaien(MACHINE, MACHINE))
        query(tmp_path, "UPDATE tables SET visited = 0")
        assert stranger.client.head(path.format(table=table)).status_code == 200
        assert query(tmp_path, "SELECT visited FROM tables") == [(0,)]
        assert served.service.listing.machine_turns() == (), "computer players do not go on for it"


def test_head_keeps_nobody_waiting_for_a_game_and_prolongs_no_session(tmp_path: Path) -> None:
    clock = AheadClock()
    with Served(tmp_path, clock=clock) as served, served.guest("Anna") as anna:
        anna.press(anna.get("/").button("seek-go"), game="shanghaien")
        for _ in range(2):
            clock.ahead += timedelta(seconds=20)
            anna.client.head("/play/waiting")
        assert "You are not looking for a game." in anna.get("/play/waiting").html
        clock.ahead += timedelta(days=40)
        assert "set-cookie" not in anna.client.head("/").headers
        assert "set-cookie" in anna.client.get("/").headers, "who looks stays known"


# ------------------------------------------------------------------------------------------------------ content types


def test_every_answer_says_once_what_it_is(served: Served, asker: tuple[Guest, list[str]]) -> None:
    anna, paths = asker
    for path in (*paths, "/nothing", "/api/nothing", "/static/x/kontor.js", "/static/x/htmx-LICENSE.txt"):
        answer = anna.client.get(path)
        kind, _, parameters = answer.headers.get("content-type", "").partition(";")
        if not answer.content:
            continue
        assert "/" in kind, path
        assert parameters.strip() in (("charset=utf-8",) if kind.startswith("text/") else ("", "charset=utf-8")), path
        if kind == "application/json":
            json.loads(answer.content)


@pytest.mark.parametrize("path", ["/robots.txt", "/health", "/ready"])
def test_plain_text_is_said_to_be_that(served: Served, path: str) -> None:
    assert httpx.get(served.address + path).headers["content-type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True), ("br, GZIP;q=0.5", True), ("*", True), ("gzip;q=0", False), ("gzip;q=0, *", False),
        ("*;q=0", False), ("br, xgzip", False), ("gzip;q=much", False), ("identity", False),
    ],
)  # fmt: skip
def test_answers_are_packed_only_for_those_who_take_them_packed(served: Served, accepted: str, packed: bool) -> None:
    for path in ("/rules", "/static/x/kontor.css"):
        with httpx.stream("GET", served.address + path, headers={"accept-encoding": accepted}) as answer:
            assert (answer.headers.get("content-encoding") == "gzip") is packed, path


# -------------------------------------------------------------------------------------------------------------- icons


def test_browsers_find_the_icons_where_they_look(chromium: Chromium, served: Served) -> None:
    icon = httpx.get(f"{served.address}/favicon.ico")
    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/vnd.microsoft.icon")
    assert struct.unpack("<HHHBB", icon.content[:8]) == (0, 1, 1, 192, 192)
    with served.guest("Anna") as anna, browsing(chromium, served.address, anna) as page:
        page.goto("/")
        for name, width in {
            "favicon.ico": 192,
            "apple-touch-icon.png": 512,
            "apple-touch-icon-precomposed.png": 512,
        }.items():
            drawn = page.evaluate(
                """async (address) => {
                    const image = new Image();
                    image.src = address;
                    await image.decode();
                    return image.naturalWidth;
                }""",
                f"/{name}",
            )
            assert drawn == width, name


# ----------------------------------------------------------------------------------------------------------- refusals

LONG = "x=" + "a" * 9000
LONGEST = "x=" + "a" * 40_000

REFUSED = {
    "another host": (421, "GET", "/", {"host": "games.example"}),
    "another site": (403, "POST", "/name", {"sec-fetch-site": "cross-site"}),
    "no origin": (403, "POST", "/name", {}),
    "an old page": (403, "POST", "/name", {"sec-fetch-site": "same-origin"}),
    "a long address": (431, "GET", f"/?{LONG}", {}),
    "the longest address": (431, "GET", f"/?{LONGEST}", {}),
    "no such page": (404, "GET", "/nothing", {}),
    "no such table": (404, "GET", "/tables/nothing", {}),
    "no such method": (405, "PROPFIND", "/", {}),
    "no HTTP": (400, "NONSENSE", "/", {}),
}

LANGUAGE_READ_LATE = {"no HTTP"}
"""Reasons for refusing a request before its headers are read, when its language is unknown."""


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_is_a_page_in_the_readers_language(served: Served, case: str) -> None:
    status, method, path, headers = REFUSED[case]
    headings = set()
    for language in languages():
        answer = httpx.request(method, served.address + path, headers={**headers, "accept-language": language})
        assert answer.status_code == status
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["content-security-policy"]
        expected = "en" if case in LANGUAGE_READ_LATE else language
        assert answer.text.startswith(f'<!doctype html>\n<html lang="{expected}"'), case
        assert 'name="viewport"' in answer.text
        (heading,) = re.findall(r"<h1[^>]*>([^<]+)</h1>", answer.text)
        headings.add(heading)
    assert len(headings) == (1 if case in LANGUAGE_READ_LATE else len(languages()))


@pytest.mark.parametrize("case", [case for case in REFUSED if case not in LANGUAGE_READ_LATE])
def test_programs_are_refused_in_json(served: Served, case: str) -> None:
    status, method, path, headers = REFUSED[case]
    answers = [httpx.request(method, served.address + path, headers={**headers, "accept": "application/json"})]
    if method == "GET":
        answers.append(httpx.get(f"{served.address}/api/nothing{path[1:]}", headers=headers))
    for answer in answers:
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/json"
        refusal = answer.json()
        assert (refusal["status"], bool(refusal["reason"])) == (status, True)


def test_too_much_data_is_refused_with_a_page_or_json(served: Served) -> None:
    body = b"x=" + b"a" * 100_000
    page = httpx.post(f"{served.address}/name", content=body, headers={"sec-fetch-site": "same-origin"})
    program = httpx.post(f"{served.address}/api/people", content=body, headers={"content-type": "application/json"})
    assert (page.status_code, page.headers["content-type"]) == (413, "text/html; charset=utf-8")
    assert (program.status_code, program.headers["content-type"]) == (413, "application/json")


def test_scripts_get_the_sentence_alone(served: Served) -> None:
    answer = httpx.post(f"{served.address}/name", headers={"hx-request": "true", "sec-fetch-site": "cross-site"})
    assert answer.status_code == 403
    assert answer.text.strip().startswith('<p id="refused" class="refused" role="alert">This came from another site')


def test_a_refused_name_is_shown_as_text_and_links_to_nowhere(served: Served) -> None:
    answer = httpx.get(served.address, headers={"host": "<b>evil.example"})
    assert answer.status_code == 421
    assert "“&lt;b&gt;evil.example”" in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert "href" not in answer.text
    assert "src" not in answer.text


def test_the_page_under_another_name_is_legible_and_fits_a_phone(chromium: Chromium, served: Served) -> None:
    host = "a-rather-long-name-for-a-server.in-a-rather-long.example"
    browser = chromium.launch(f"--host-resolver-rules=MAP {host} 127.0.0.1")
    try:
        page = browser.new_page(viewport={"width": 360, "height": 640})
        page.goto(served.address.replace("127.0.0.1", host))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.evaluate("getComputedStyle(document.querySelector('main')).textAlign") == "center", (
            "its style holds"
        )
    finally:
        browser.close()


def test_a_refused_reader_is_led_to_the_servers_own_address(tmp_path: Path) -> None:
    with Served(tmp_path, address="https://kontor.example") as served:
        answer = httpx.get(f"{served.address}/rules", headers={"host": "old.example"})
        assert 'href="https://kontor.example/">To the lobby</a>' in answer.text


def test_a_lost_database_is_told_on_a_page_too(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.guest("Anna", headers={"accept-language": "fr"}) as anna:
        query(tmp_path, "DROP TABLE tokens")
        answer = anna.client.get("/")
        assert answer.status_code == 503
        assert answer.text.startswith('<!doctype html>\n<html lang="fr"')
        program = anna.client.get("/", headers={"accept": "application/json"})
        assert program.json()["status"] == program.status_code == 503


def test_an_application_that_fails_before_it_answers_leaves_no_blank_page() -> None:
    async def fail(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError

    async def ask(path: str) -> httpx.Response:
        app: Any = SecurityMiddleware(fail, Hosts(), RefusalPages(Pages(), ""))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
            return await client.get(path, headers={"accept-language": "de"})

    with ThreadPoolExecutor(1) as pool:  # a browser's event loop may be running in this thread
        page, program = (pool.submit(asyncio.run, ask(path)).result() for path in ("/", "/api/games"))
    assert page.status_code == 500
    assert '<h1 class="big">Bei uns ist etwas' in page.text
    assert program.json()["status"] == 500


def test_a_fault_links_to_no_other_site(served: Served) -> None:
    for path, link in {
        "//evil.example/x": "/evil.example/x",
        "///evil.example": "/evil.example",
        "/nothing%3Fx%23y": "/nothing%3Fx%23y",
        "/%2Fevil.example?a=%26": "/%2Fevil.example?a=%26",
    }.items():
        with socket.create_connection(("127.0.0.1", int(served.address.rpartition(":")[2]))) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            page = line.makefile("rb").read().decode()
        assert page.startswith("HTTP/1.1 404 ")
        assert f'<a class="button" href="{link}">' in page
        assert 'href="//' not in page
        assert 'value="//' not in page
