"""Requests refused before anything is done: from pages of other sites, for other hosts, or without JSON."""

import json
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from guests import query
from kontor.server.public_url import public_url
from kontor.web.http.hosts import Hosts
from ports import free_ports
from web.browsers import Chromium
from web.conftest import Refused, Served
from web.guests import open_shanghaien
from web.test_serve import LANGUAGE, SERVE, serving

CONTACT = "mailto:me@games.example"


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """Yield a server on which only this test makes people."""
    with Served(tmp_path) as served:
        yield served


def people_in(folder: Path) -> list[str]:
    return [name for (name,) in query(folder, "SELECT name FROM people ORDER BY name")]


# ---------------------------------------------------------------------------------------------- pages of other sites


@contextmanager
def another_site(page: str) -> Iterator[str]:
    """Yield the address of a page of another site: ``localhost`` is not the same site as 127.0.0.1."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            """Write no log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


FETCH = """<!doctype html><script>
fetch("{address}/api/people", {{method: "POST", mode: "no-cors", headers: {{"content-type": "text/plain"}},
    body: JSON.stringify({{name: "Mallory"}})}})
    .then(() => document.title = "sent", () => document.title = "refused");
</script>"""

FORM = """<!doctype html><form method="post" enctype="text/plain" action="{address}/api/people">
<input name='{{"name": "Mallory' value='"}}'><button id="go">Win a prize</button></form>"""


def test_no_page_elsewhere_makes_people_in_a_visitors_name(
    chromium: Chromium, own_server: Served, tmp_path: Path
) -> None:
    page = chromium.new_page()
    try:
        with another_site(FETCH.format(address=own_server.address)) as elsewhere:
            page.goto(elsewhere)
            page.wait_for_function("document.title")
        assert people_in(tmp_path) == []
        with another_site(FORM.format(address=own_server.address)) as elsewhere:
            page.goto(elsewhere)
            with page.expect_response("**/api/people") as answered:
                page.locator("#go").click()
            assert people_in(tmp_path) == []
            assert answered.value.status == 403
            assert "another site" in answered.value.json()["reason"]
    finally:
        page.close()


FOREIGN: tuple[dict[str, str], ...] = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "origin": "{address}"},
    {"origin": "https://elsewhere.example"},
    {"origin": "null"},
    {"origin": "http://["},
)


@pytest.mark.parametrize("headers", FOREIGN)
def test_the_api_does_nothing_for_another_sites_page(
    own_server: Served, tmp_path: Path, headers: dict[str, str]
) -> None:
    """Check also requests without Sec-Fetch-Site, which browsers don't send over plain HTTP in a home network.

    There, Origin decides.
    """
    headers = {name: value.format(address=own_server.address) for name, value in headers.items()}
    answer = httpx.post(f"{own_server.address}/api/people", json={"name": "Mallory"}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["reason"].startswith("This came from another site")
    assert people_in(tmp_path) == []


@pytest.mark.parametrize("headers", [{}, {"sec-fetch-site": "same-origin"}, {"origin": "{address}"}])
def test_programs_and_our_own_pages_may_call_it(own_server: Served, tmp_path: Path, headers: dict[str, str]) -> None:
    headers = {name: value.format(address=own_server.address) for name, value in headers.items()}
    answer = httpx.post(f"{own_server.address}/api/people", json={"name": "Robota"}, headers=headers)
    assert answer.status_code == 201
    assert people_in(tmp_path) == ["Robota"]


# --------------------------------------------------------------------------------------------------------- JSON alone


OTHER_TYPES = (
    "text/plain",
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
)


@pytest.mark.parametrize("kind", [*OTHER_TYPES, "application/jsonx", "x application/json", ""])
def test_what_is_not_said_to_be_json_is_refused_everywhere(served: Served, kind: str) -> None:
    document = httpx.get(f"{served.address}/openapi.json").json()
    paths = [path for path, calls in document["paths"].items() if "requestBody" in calls.get("post", {})]
    assert len(paths) >= 7
    for path in paths:
        address = served.address + path.replace("{table}", "nothing").replace("{seat}", "0")
        headers = {"content-type": kind} if kind else {}
        answer = httpx.post(address, headers=headers, content=b'{"name": "Mallory"}')
        assert answer.status_code == 415, path
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["reason"].startswith("Only JSON is understood here")
    pieces = httpx.post(f"{served.address}/api/people", content=iter([b'{"name":', b'"Mallory"}']))
    assert pieces.status_code == 415


def test_json_is_json_in_any_spelling_and_nothing_needs_no_type(served: Served) -> None:
    for kind in ("application/json", "Application/JSON; charset=utf-8", "application/json;x=y"):
        body = json.dumps({"name": "Robota"}).encode()
        answer = httpx.post(f"{served.address}/api/people", content=body, headers={"content-type": kind})
        assert answer.status_code == 201, kind
    token = answer.json()["token"]
    seats = [{"kind": "me"}, {"kind": "friend"}]
    with httpx.Client(base_url=f"{served.address}/api/", headers={"authorization": f"Bearer {token}"}) as client:
        table = client.post("tables", json={"game": "shanghaien", "seats": seats}).json()["table"]
        assert client.post(f"tables/{table}/seats/1/invitation").status_code == 201, "there is no body"


def test_whoever_is_turned_away_is_told_in_their_language(served: Served) -> None:
    german = {"accept-language": "de"}
    answers = (
        httpx.post(f"{served.address}/api/people", content=b"{}", headers={**german, "content-type": "text/plain"}),
        httpx.post(f"{served.address}/name", headers={**german, "sec-fetch-site": "cross-site"}),
        httpx.get(f"{served.address}/", headers={**german, "host": "games.example"}),
    )
    sentences = (
        "Hier wird nur JSON verstanden",
        "Das kam von einer anderen Website",
        "ist unter „games.example“ nicht",
    )
    for answer, words in zip(answers, sentences, strict=True):
        assert words in answer.text


# ------------------------------------------------------------------------------------------------------------ OPTIONS


@pytest.mark.long
def test_options_names_every_method_of_a_path(served: Served) -> None:
    document = httpx.get(f"{served.address}/openapi.json").json()
    assert any({"get", "post"} <= calls.keys() for calls in document["paths"].values())
    for path, calls in document["paths"].items():
        address = served.address + path.replace("{table}", "x").replace("{seat}", "0").replace("{token}", "x")
        answer = httpx.options(address)
        assert (answer.status_code, answer.text) == (204, "")
        named = set(answer.headers["allow"].split(", "))
        assert named == {name.upper() for name in calls} | {"OPTIONS"} | ({"HEAD"} if "get" in calls else set()), path
        assert set(httpx.patch(address, json={}).headers["allow"].split(", ")) == named


def test_pages_name_theirs_too(served: Served) -> None:
    for path, allowed in {
        "/": "GET, HEAD, OPTIONS",
        "/name": "OPTIONS, POST",
        "/device/x": "GET, HEAD, OPTIONS, POST",
        "/tables/x/chat": "GET, HEAD, OPTIONS, POST",
    }.items():
        assert httpx.options(served.address + path).headers["allow"] == allowed, path
    assert httpx.options(f"{served.address}/nothing").status_code == 404


# -------------------------------------------------------------------------------------------------------------- hosts


HOME = ("localhost", "LOCALHOST:1729", "127.0.0.1:80", "127.8.9.1", "[::1]:1729", "192.168.1.4:1729", "10.0.0.2")
MORE_HOME = (
    "172.20.1.1", "100.64.0.7", "[fe80::1]", "[fd00::2]:1729", "printer.local:1729", "pi.lan", "a.home.arpa.",
)  # fmt: skip
ELSEWHERE = (
    "games.example", "evil.localhost.example", "8.8.8.8", "[2606:4700::1111]:80", "127.0.0.1.nip.io", "local",
)  # fmt: skip
MORE_ELSEWHERE = (
    "",
    "a b",
    "localhost@games.example",
    "games.example#localhost",
    "[localhost]",
    "2130706433",
    ":1729",
    "x" * 9000,
)


@pytest.mark.parametrize("host", HOME + MORE_HOME)
def test_this_machine_and_its_network_are_known(host: str) -> None:
    assert Hosts().answers_to(host)


@pytest.mark.parametrize("host", ELSEWHERE + MORE_ELSEWHERE)
def test_no_name_is_that_somebody_could_own(host: str) -> None:
    assert not Hosts().answers_to(host)


def test_the_machine_is_known_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Pinta.harbour.example")
    hosts = Hosts()
    assert [name for name in ("pinta", "PINTA:1729", "pinta.harbour.example") if not hosts.answers_to(name)] == []
    assert not hosts.answers_to("harbour.example")


def test_names_that_are_allowed_are_known_and_nothing_below_them() -> None:
    hosts = Hosts(["games.example", "Bücher.example", "8.8.8.8", "[2606:4700::1111]"])
    for host in ("games.example:443", "GAMES.example.", "xn--bcher-kva.example", "8.8.8.8:80", "[2606:4700::1111]"):
        assert hosts.answers_to(host), host
    for host in ("sub.games.example", "example", "games.example.evil", "8.8.4.4"):
        assert not hosts.answers_to(host), host


def test_whoever_asks_for_another_host_is_told_so_and_gets_nothing(own_server: Served, tmp_path: Path) -> None:
    with own_server.guest("Anna") as anna:
        table = open_shanghaien(anna)
        for path in ("/", "/you", table, f"{table}/live", "/openapi.json", "/nothing"):
            answer = anna.client.get(path, headers={"host": "games.example"})
            assert answer.status_code == 421, path
            sentence = (
                "This server does not answer to “games.example”. Its operator can allow that with --allowed-host."
            )
            assert f"<h1>{sentence}</h1>" in answer.text
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["content-security-policy"]
        answer = anna.client.post("/api/people", json={"name": "Mallory"}, headers={"host": "games.example"})
        assert answer.status_code == 421
        assert "--allowed-host" in answer.json()["reason"]
        with socket.create_connection(("127.0.0.1", anna.client.base_url.port or 0)) as line:
            line.sendall(
                b"GET /rules HTTP/1.1\r\nHost: localhost\r\nHost: games.example\r\nConnection: close\r\n\r\n"
            )
            assert line.makefile("rb").readline().split()[1] in (b"400", b"421"), "of two, one is not ours"
        for path in ("/health", "/ready"):
            assert anna.client.get(path, headers={"host": "games.example"}).status_code == 200, "probes may ask"
    assert people_in(tmp_path) == ["Anna"]


def test_a_name_that_somebody_lets_lead_here_opens_nothing(chromium: Chromium, served: Served) -> None:
    """Check that DNS rebinding gets no answer, in a browser for which the name leads to this machine."""
    name = served.address.replace("127.0.0.1", "rebound.example")
    browser = chromium.launch("--host-resolver-rules=MAP rebound.example 127.0.0.1")
    try:
        page = browser.new_page(bypass_csp=True)  # as on a page of the attacker who rebinds the name
        answer = page.goto(name)
        assert answer
        assert answer.status == 421
        assert "This server does not answer to “rebound.example" in page.inner_text("body")
        status = page.evaluate(
            """async () => (await fetch("/api/people", {method: "POST", body: '{"name": "Mallory"}',
                headers: {"content-type": "application/json"}})).status"""
        )
        assert status == 421
    finally:
        browser.close()


@pytest.mark.process
def test_the_servers_address_and_names_that_are_allowed_open_it(tmp_path: Path) -> None:
    port = free_ports()
    more = ("--allowed-host", "club.example", "--allowed-host", "Bücher.example", "--security-contact", CONTACT)
    with serving(tmp_path, port, "--url", f"http://games.example:{port}", *more) as served:
        address = f"http://127.0.0.1:{served.port}/"
        for host in ("games.example", "games.example:443", "club.example", "xn--bcher-kva.example", "localhost"):
            assert httpx.get(address, headers={"host": host}).status_code == 200, host
        assert httpx.get(address, headers={"host": "example"}).status_code == 421
        contact = httpx.get(f"{address}.well-known/security.txt").text
        assert f"Contact: {CONTACT}\n" in contact
        assert f"Canonical: http://games.example:{port}/.well-known/security.txt\n" in contact


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--url", "http://"), "“http://” is not the name of a host."),
        (("--url", "https://["), "“https://[” is not the name of a host."),
        (("--url", "http://games.example/a/../b"), "digits and hyphens only, such as /kontor, not “/a/../b”."),
        (("--url", "http://games.example//kontor"), "such as /kontor, not “//kontor”."),
        (("--url", "http://games.example/k%6Fntor/"), "such as /kontor, not “/k%6Fntor”."),
        (("--url", "http://games.example/“kontor”"), "such as /kontor, not “/“kontor””."),
        (("--url", "http://games.example/?game=x"), "Give --url without a user name, query or fragment"),
        (("--url", "http://games.example?"), "Give --url without a user name, query or fragment"),
        (("--url", "http://games.example/#x"), "Give --url without a user name, query or fragment"),
        (("--url", "http://me:secret@games.example"), "Give --url without a user name, query or fragment"),
        (("--url", "games.example"), "An address begins with http:// or https://, not “games.example”."),
        (("--url", "//games.example"), "An address begins with http:// or https://"),
        (("--url", "http:/games.example"), "An address begins with http:// or https://"),
        (("--url", "ftp://games.example"), "An address begins with http:// or https://"),
        (("--url", "ftp://me:secret@games.example"), "not “…@games.example”."),
        (("--url", "http://games.example:0"), "a number from 1 to 65535, not “0”."),
        (("--url", "http://games.example:65536"), "a number from 1 to 65535, not “65536”."),
        (("--url", "http://games.example:x"), "a number from 1 to 65535, not “x”."),
        (("--url", "http://games example"), "is not the name of a host."),
        (("--url", "http://games.exa\tmple"), "is not the name of a host."),
        (("--url", "http://games.example\\kontor"), "is not the name of a host."),
        (("--allowed-host", "games.example:80"), "“games.example:80” is not the name of a host."),
        (("--allowed-host", "a" * 64), "is not the name of a host."),
        (("--proxy", "127.0.0.1,caddy"), "addresses and networks, comma-separated, or *, not “caddy”."),
        (("--proxy", "127.0.0.1, *"), "addresses and networks, comma-separated, or *, not “*”."),
        (("--proxy", "10.0.0.0/33"), "not “10.0.0.0/33”."),
        (("--security-contact", "me@games.example"), "A contact begins with mailto:, https:// or tel:"),
        (("--security-contact", "mailto:me\nExpires: never"), "A contact begins with mailto:, https:// or tel:"),
    ],
)
def test_names_proxies_and_contacts_that_are_none_are_refused(
    refused: Refused, tmp_path: Path, arguments: tuple[str, str], reason: str
) -> None:
    assert reason in refused("--port", "0", "--data", str(tmp_path), *arguments)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("", ""),
        ("https://games.example", "https://games.example"),
        (" HTTPS://Games.Example/ ", "https://games.example"),
        ("https://games.example:443//", "https://games.example"),
        ("http://games.example:443", "http://games.example:443"),
        ("http://games.example:", "http://games.example"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://games.example/kontor", "https://games.example/kontor"),
        ("https://games.example:443/Club/board-games_2.0~x//", "https://games.example/Club/board-games_2.0~x"),
    ],
)
def test_an_address_is_taken_as_browsers_write_it(given: str, url: str) -> None:
    assert public_url(given) == url


@pytest.mark.process
def test_a_bad_path_is_refused_in_the_environment_too(tmp_path: Path) -> None:
    environment = {"KONTOR_URL": "http://games.example/a;b", "KONTOR_PORT": "0", "KONTOR_DATA": str(tmp_path)}
    ended = subprocess.run(SERVE, env={**LANGUAGE, **environment}, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "A path in --url has letters, digits and hyphens only, such as /kontor, not “/a;b”.\n"
    assert not list(tmp_path.iterdir()), "nothing was begun"
