"""Kontor below a path of a domain: no address leads out of it, and everything works there as at a domain's root."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from time import sleep
from typing import Any, Final

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape
from playwright.sync_api import Page, expect

from guests import ME, OPEN, play_one, shanghaien
from kontor.server.app import all_routes, application
from kontor.server.site import SiteOptions
from kontor.web.base_path import ADDRESS_ATTRIBUTES, base_path_of, rebase_html
from kontor.web.http.base_path_middleware import BasePathMiddleware
from kontor.web.http.request_metrics import RequestMetrics
from kontor.web.pages.assets import page_folders
from kontor.web.pages.fragments import NOTHING_SHOWN, FragmentCache, PageBuilder
from kontor.web.pages.fragments import Page as FragmentedPage
from loops import run_in_thread
from notifying.test_push import Browser as Subscribed
from ports import free_ports
from timeouts import HANG_TIMEOUT
from web.browsers import BROWSER_TIMEOUT, Chromium, FirstFew, Hand, no_complaints, table_of
from web.conftest import Served
from web.crawler import Crawler
from web.other_pages import OCCASIONS, quick_judges, reader, seated
from web.test_api import EXAMPLE
from web.test_deploy import PROXIES, Other, Proxy, caddy, nginx
from web.test_installed import KEY, replace_push_service
from web.test_whole_passkeys import device_in, make_passkey

__all__ = ["quick_judges"]

PATH: Final = "/kontor"
CONTACT: Final = "mailto:me@games.example"

BELOW: Final[dict[Proxy, tuple[Other, ...]]] = {
    nginx: (("    location / {", "    location /kontor/ {"), ("Host $host;", "Host $http_host;")),
    caddy: (("\treverse_proxy 127", "\tredir /kontor /kontor/\n\treverse_proxy /kontor/* 127"),),
}
"""The changes that the files of both proxies name for a server below a path.

nginx also passes the port on, which in tests is not the usual one.
"""


def make_served(folder: Path, address: str) -> Served:
    """Return a server with this public address, and with everything that an operator can offer."""
    return Served(
        folder, address=address, contact=CONTACT, ways=frozenset({"push", "mail"}), push_key=KEY, passkeys=True
    )


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server below a path, without a proxy."""
    with make_served(tmp_path_factory.mktemp("server"), f"http://games.localhost{PATH}") as served:
        yield served


@contextmanager
def behind(proxy: Proxy, folder: Path) -> Iterator[tuple[Served, str]]:
    """Yield a server below a path behind a proxy, and its public address."""
    port = free_ports()
    address = f"https://localhost:{port}{PATH}"
    with (
        make_served(folder / "server", address) as served,
        proxy(folder, int(served.address.rpartition(":")[2]), others=BELOW[proxy], own_port=port),
    ):
        yield served, address


# ------------------------------------------------------------------------------------------------------- addresses


@given(st.text(alphabet=st.sampled_from("href=\"'/ <>&") | st.characters(), max_size=40))
def test_what_people_write_is_never_changed(text: str) -> None:
    written = str(escape(f'href="/{text}'))
    assert rebase_html(written, PATH) == written


@given(st.sampled_from(ADDRESS_ATTRIBUTES), st.text(max_size=20))
def test_each_address_of_the_server_gets_the_path_once(name: str, rest: str) -> None:
    page = f'<b {name}="/{escape(rest)}">'
    assert rebase_html(page, PATH) == f'<b {name}="{PATH}/{escape(rest)}">'
    assert rebase_html(page, "") is page
    elsewhere = f'<b {name}="https://example.org/{escape(rest)}">'
    assert rebase_html(elsewhere, PATH) == elsewhere


def test_in_a_page_and_in_what_changes_of_it_all_addresses_are_below_the_path() -> None:
    cache = FragmentCache(lambda *_: '<p id="one" ><a href="/rules">', "1")
    builder = PageBuilder(cache, "en")
    drawn = f'<form action="/say">{builder.fragment("p#one", "one.html")}</form>'
    page = FragmentedPage('<link href="/icon">', drawn, 7, lambda: "", builder.fragments, cache, PATH)
    update, _ = page.since(NOTHING_SHOWN, page.state())
    assert update.layout
    texts = [str(text) for _, text in update.layout.entries]
    for html in (page.html(), "".join((update.head, *texts, *update.fragments.values()))):
        assert re.findall('="(/[^"]*)"', html) == [f"{PATH}/{name}" for name in ("icon", "say", "rules")]
    assert 'action="/say"' in page.__html__(), "a page within another one gets the path with that one"


def test_templates_write_addresses_only_where_the_path_can_come_before_them() -> None:
    written: set[str] = set()
    for folder in page_folders():
        for file in Path(str(folder.joinpath("templates"))).rglob("*.[hs][tv][mg]*"):
            text = file.read_text("utf-8")
            written.update(re.findall(r'[\s"]([\w:-]+)="/[a-z{]', text))
            unquoted = re.findall(r"<[a-z][^>]*\s(?:href|src|action|formaction)=(?!\")[^>]{,20}", text)
            assert not unquoted, f"{file}: write addresses in double quotes"
    assert "href" in written
    assert written <= {*ADDRESS_ATTRIBUTES, "value"}, "name the attribute in kontor.web.base_path"


# -------------------------------------------------------------------------------------------- requests and headers


Headers = list[tuple[bytes, bytes]]


def respond(path: str, *headers: tuple[bytes, bytes], raw_path: str = "", query: bytes = b"") -> dict[str, Any]:
    """Return what an application around which the middleware is gets, and what the client gets from it."""
    result: dict[str, Any] = {}

    async def inner(scope: Any, _: Any, send: Any) -> None:
        result["inner"] = (scope["path"], scope["raw_path"].decode(), base_path_of(scope))
        await send({"type": "http.response.start", "status": 200, "headers": list(headers)})

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            result["status"] = message["status"]
            result["headers"] = dict(message["headers"])

    scope: Any = {"type": "http", "path": path, "raw_path": (raw_path or path).encode(), "query_string": query}
    app: Any = BasePathMiddleware(inner, PATH)
    run_in_thread(app(scope, None, send))
    return result


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/kontor/", "/"),
        ("/kontor/tables/x", "/tables/x"),
        ("/kontor/kontor/x", "/kontor/x"),
        ("/tables/x", "/tables/x"),  # the proxy has stripped the path
        ("/", "/"),
        ("/kontorx", "/kontorx"),
        ("/tables/kontor/x", "/tables/kontor/x"),
    ],
)
def test_the_path_is_taken_off_a_request_or_was_before(path: str, inside: str) -> None:
    assert respond(path)["inner"] == (inside, inside, PATH)


def test_an_encoded_path_is_none() -> None:
    assert respond("/kontor/x", raw_path="/%6bontor/x")["inner"] == ("/kontor/x", "/%6bontor/x", PATH)


def test_the_path_itself_leads_into_it() -> None:
    assert respond("/kontor", query=b"in=de") == {
        "status": 308,
        "headers": {b"location": b"/kontor/?in=de", b"content-length": b"0"},
    }


def test_headers_lead_below_the_path_and_concern_no_other_program_of_the_host() -> None:
    sent = (
        (b"Location", b"/tables/x"),
        (b"link", b'</api/games>; rel="next", </static/a.css>; rel=preload, <https://example.org/>; rel=help'),
        (b"strict-transport-security", b"max-age=31536000; includeSubDomains"),
        (b"clear-site-data", b'"cache", "storage"'),
        (b"content-type", b"text/html"),
    )
    assert respond("/kontor/", *sent)["headers"] == {
        b"Location": b"/kontor/tables/x",
        b"link": (
            b'</kontor/api/games>; rel="next", </kontor/static/a.css>; rel=preload, <https://example.org/>; rel=help'
        ),
        b"strict-transport-security": b"max-age=31536000",
        b"content-type": b"text/html",
    }
    assert respond("/x", (b"location", b"https://example.org/"))["headers"] == {b"location": b"https://example.org/"}


def test_without_a_path_nothing_stands_between(served: Served) -> None:
    for address in ("", "https://games.example"):
        assert isinstance(application(served.service, served.thinkers, SiteOptions(address=address)), RequestMetrics)
        assert all(name not in httpx.get(served.address).text for name in ("/kontor/", PATH + '"'))


# ----------------------------------------------------------------------------------------------------- every page


def plain_routes() -> Iterator[str]:
    """Yield the paths of all pages, files and calls whose address has no part to fill in."""
    for route in all_routes().routes:
        if "{" not in route.path and "GET" in getattr(route, "methods", ()):
            yield route.path


def crawl_everything(crawler: Crawler, served: Served) -> None:
    """Visit all that people and programs can reach, in all states of the server; check that nothing leads outside."""
    token = reader(served, 2).token
    for path in plain_routes():
        crawler.crawl(path)
        crawler.crawl(path, token)
    for pages in OCCASIONS.values():
        for page in pages(served):
            crawler.crawl(page.path, page.token)
    crawler.close()
    assert not crawler.problems, "\n".join(sorted(crawler.problems))
    assert len(crawler.visited) > 300


@pytest.mark.long
@pytest.mark.usefixtures("quick_judges")
def test_no_address_of_any_page_leads_out_of_the_path(below: Served) -> None:
    crawl_everything(Crawler(f"http://games.localhost{PATH}", below.address), below)


@pytest.mark.long
@pytest.mark.process
@pytest.mark.extended
@pytest.mark.usefixtures("quick_judges")
@pytest.mark.parametrize("proxy", PROXIES)
def test_behind_a_proxy_no_address_leads_out_of_the_path(proxy: Proxy, tmp_path: Path) -> None:
    with behind(proxy, tmp_path) as (served, address):
        crawl_everything(Crawler(address), served)
        with httpx.Client(verify=False) as client:  # noqa: S501 (the certificate is a minute old)
            assert client.get(address).headers["location"] in (f"{address}/", f"{PATH}/")
            assert client.get(f"{address}/").headers["strict-transport-security"] == "max-age=31536000"
            assert client.get(address.removesuffix(PATH) + "/tables").text.count("Kontor") == 0


@pytest.mark.process
@pytest.mark.extended
def test_behind_a_proxy_that_strips_the_path_everything_is_at_its_place(tmp_path: Path) -> None:
    port = free_ports()
    address = f"https://localhost:{port}{PATH}"
    strips = (*BELOW[nginx], ("proxy_pass http://kontor;", "proxy_pass http://kontor/;"))
    with ExitStack() as open_:
        served = open_.enter_context(make_served(tmp_path / "server", address))
        inner = int(served.address.rpartition(":")[2])
        open_.enter_context(nginx(tmp_path, inner, others=strips, own_port=port))
        crawler = Crawler(address)
        crawler.crawl("/", reader(served, 0).token)
        crawler.close()
        assert not crawler.problems
        assert "/tables" in crawler.visited


def test_crawlers_programs_and_probes_are_answered_at_both_places(below: Served) -> None:
    with httpx.Client(base_url=below.address) as client:
        for path in ("/health", "/ready", f"{PATH}/health", f"{PATH}/ready"):
            assert client.get(path).status_code == 200
        assert f"\nDisallow: {PATH}/tables/\n" in client.get(f"{PATH}/robots.txt").text
        assert client.get(f"{PATH}/openapi.json").json()["servers"] == [{"url": PATH}]
        assert f"Canonical: http://games.localhost{PATH}/.well-known" in (
            client.get(f"{PATH}/.well-known/security.txt").text
        )


def test_cookies_are_those_of_the_path_alone(below: Served) -> None:
    home = {"host": "games.localhost", "x-forwarded-proto": "https", "sec-fetch-site": "same-origin"}
    with httpx.Client(base_url=below.address, headers=home) as client:
        page = client.get(f"{PATH}/").text
        token = page.split('name="token" value="')[1].split('"')[0]
        named = client.post(f"{PATH}/name", data={"token": token, "name": "Anna", "next": "/you"})
        assert (named.status_code, named.headers["location"]) == (303, f"{PATH}/you")
        (cookie,) = named.headers.get_list("set-cookie")
        assert cookie.startswith("__Host-kontor+kontor="), "no neighbouring host can set it"
        assert "Path=/;" in cookie
        del home["x-forwarded-proto"]
        page = httpx.get(f"{below.address}{PATH}/", headers=home).text
        token = page.split('name="token" value="')[1].split('"')[0]
        named = httpx.post(f"{below.address}{PATH}/name", headers=home, data={"token": token, "name": "Anna"})
        (cookie,) = named.headers.get_list("set-cookie")
        assert cookie.startswith("kontor+kontor=")
        assert f"Path={PATH}/" in cookie


def test_the_cookie_of_another_server_at_the_host_is_not_taken_for_ones_own(below: Served) -> None:
    anna, bernd = (below.service.people.guest(name)[1] for name in ("Anna", "Bernd"))
    for scheme, prefix in (("http", ""), ("https", "__Host-")):
        cookies = [f"{prefix}kontor+kontor={anna}", f"{prefix}kontor={bernd}", f"__Secure-kontor={bernd}"]
        headers = {"host": "games.localhost", "x-forwarded-proto": scheme}
        for sent in (cookies, cookies[::-1]):
            page = httpx.get(f"{below.address}{PATH}/you", headers={**headers, "cookie": "; ".join(sent)})
            assert 'value="Anna"' in page.text, (scheme, sent)
        foreign = httpx.get(f"{below.address}{PATH}/you", headers={**headers, "cookie": "; ".join(cookies[1:])})
        assert foreign.status_code == 403


@pytest.mark.process
def test_the_example_of_the_api_plays_by_a_link_below_the_path(below: Served) -> None:
    service, random = below.service, Random(1)
    table = service.opening.open(reader(below, 0).id, shanghaien(ME, OPEN))
    link = f"{below.address}{PATH}/tables/{table}"
    with subprocess.Popen([sys.executable, EXAMPLE, link, "Robota"], stdout=subprocess.PIPE) as program:
        while (info := service.tables.info(table)).status != "over":
            assert program.poll() is None
            if info.mover == 0:
                play_one(service, table, random)
            else:
                sleep(0.01)
        assert program.wait(HANG_TIMEOUT) == 0


# -------------------------------------------------------------------------------------------------------- browsers


@pytest.fixture(params=[nginx, pytest.param(caddy, marks=pytest.mark.extended)])
def public(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Served, str]]:
    """Yield a server below a path behind each of the proxies, and its public address."""
    with behind(request.param, tmp_path) as server:
        yield server


Opened = Callable[[], Page]


@pytest.fixture
def opened(chromium: Chromium) -> Iterator[Opened]:
    """Yield a function that opens a browser which accepts the proxy's certificate; fail if it logs an error."""
    browser = chromium.launch("--ignore-certificate-errors")
    with ExitStack() as closing:
        closing.callback(browser.close)

        def open_page() -> Page:
            context = browser.new_context(reduced_motion="reduce", accept_downloads=True)
            context.set_default_timeout(BROWSER_TIMEOUT)
            page = context.new_page()
            closing.enter_context(no_complaints(page))
            page.on("request", lambda request: requests.append(request.url))
            return page

        requests: list[str] = []
        yield open_page
        outside = {url for url in requests if url.startswith("http") and f"{PATH}/" not in url}
        assert not outside, "all requests of a browser go below the path"


def sign_in(page: Page, address: str, token: str) -> None:
    """Give a browser a session."""
    host = address.removesuffix(PATH)
    page.context.add_cookies([{"name": "__Host-kontor+kontor", "value": token, "url": f"{host}/", "secure": True}])


def play_by_mouse(served: Served, page: Page, seat: int = 0) -> None:
    """Play the game on a page to its end: each kind of move of one seat by the mouse, all others by the server."""
    table, random, first_few = table_of(page), Random(4), FirstFew()
    hand = Hand(page)
    while (info := served.service.tables.info(table)).status == "playing":
        assert info.mover is not None
        look = served.service.tables.view(table).look(info.mover)
        move = look.moves[random.randrange(len(look.moves))]
        if info.mover == seat and first_few(seat, move):
            hand.wait_for_line(look.number)
            expect(page.locator("#state")).to_have_attribute("data-turn", "mine")
            hand.make(move)
        else:
            served.service.moves.play(table, info.mover, look.number, move)
    expect(page.locator("#ending")).to_be_visible()


@pytest.mark.browser
@pytest.mark.process
def test_two_browsers_meet_and_play_through_a_proxy(public: tuple[Served, str], opened: Opened) -> None:
    served, address = public
    hers, his = opened(), opened()
    hers.goto(f"{address}/")
    hers.locator("#name").fill("Anna")
    hers.locator("#name-go").click()
    expect(hers.locator("#mine")).to_be_visible()
    hers.locator("#open-shanghaien").click()
    hers.locator("#open-it").click()
    hers.locator("#invite-2").click()
    link = hers.locator("#link-2").input_value()
    assert link.startswith(f"{address}/invitations/")
    his.goto(link)
    his.locator("#name").fill("Bernd")
    his.locator("#sit").click()
    for page in (hers, his):
        expect(page.locator("#board")).to_be_visible()
        expect(page.locator("#connection .live")).to_be_visible()
    hers.evaluate("window.never_reloaded = true")
    play_by_mouse(served, hers)
    assert hers.evaluate("window.never_reloaded"), "everything arrived live"
    expect(his.locator("#ending")).to_be_visible()
    with hers.expect_download() as downloading:
        hers.get_by_role("link", name="Download record").click()
    assert downloading.value.url.startswith(f"{address}/tables/")
    for cookie in hers.context.cookies():
        assert cookie["secure"], cookie
        is_of_table = cookie["path"].startswith(f"{PATH}/")
        assert cookie["name"].startswith("__Secure-kontor-" if is_of_table else "__Host-kontor"), cookie
        assert cookie["name"].endswith("+kontor"), cookie


@pytest.mark.browser
@pytest.mark.process
def test_the_hollaender_is_played_through_a_proxy(public: tuple[Served, str], opened: Opened) -> None:
    served, address = public
    path, (host, *_) = seated(served, "dutchman", moves=0)
    page = opened()
    sign_in(page, address, host.token)
    page.goto(f"{address}{path}")
    expect(page.locator("#connection .live")).to_be_visible()
    play_by_mouse(served, page)
    page.goto(f"{address}{seated(served, 'dutchman', moves=9)[0]}")
    page.locator("#how-played").click()
    expect(page.locator("#beside-table")).to_be_visible()


@pytest.mark.browser
@pytest.mark.process
def test_app_notifications_and_passkeys_are_those_of_the_path(public: tuple[Served, str], opened: Opened) -> None:
    served, address = public
    page = opened()
    replace_push_service(page, *Subscribed().given)
    person = reader(served, 0)
    sign_in(page, address, person.token)
    page.goto(f"{address}/you?open=notifications")
    page.click("#push-go")
    expect(page.locator("#notifications li")).to_contain_text("in a browser")
    scope = page.evaluate("navigator.serviceWorker.ready.then((registration) => registration.scope)")
    assert scope == f"{address}/"
    manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
    fields = json.loads(manifest["data"])
    assert (manifest["errors"], fields["start_url"], fields["scope"]) == ([], "../../", "../../")
    assert manifest["url"].startswith(f"{address}/static/")

    session, device = device_in(page)
    page.goto(f"{address}/you")
    make_passkey(page, "Laptop")
    expect(page.locator("#passkeys .known li")).to_contain_text("Laptop")
    assert session.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    page.context.clear_cookies()
    page.goto(f"{address}/return")
    page.locator("#return-passkey").click()
    expect(page.locator(".me")).to_be_visible()
    assert page.url == f"{address}/"

    page.context.set_offline(True)
    page.goto(f"{address}/tables/xyz")
    expect(page.locator("h1")).to_have_text("You are at sea without a connection")
    page.context.set_offline(False)
