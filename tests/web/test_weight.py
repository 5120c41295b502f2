"""Weight of a table's page, and complaints of browsers: no error, and no breach of our security policy."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from random import Random
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Page

from timeouts import waited_for
from web.browsers import BROWSER_TIMEOUT, Chromium
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend
from web.positions import SEED, moments, table_of

MOST: Final = 120 * 1024
"""Most bytes of the first load of a table, as they go over the wire."""

NAMES: Final = ("Anna", "Bernd", "Carla", "Dora", "Emil", "Fritz")

_BREACHES: Final = """
    addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`));
"""


@contextmanager
def listening(chromium: Chromium, served: Served, guest: Guest | None) -> Iterator[tuple[Page, list[str]]]:
    """Yield a page with an empty cache, and the list of everything that its browser complains of."""
    context = chromium.new_context(base_url=served.address)
    context.set_default_timeout(BROWSER_TIMEOUT)
    if guest:
        context.add_cookies([{"name": "kontor", "value": guest.client.cookies["kontor"], "url": served.address}])
    page = context.new_page()
    page.add_init_script(_BREACHES)
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    yield page, heard
    context.close()


def weigh_responses(page: Page, path: str) -> dict[str, int]:
    """Return the bytes of each response of a first load, with headers; of the live stream those so far."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    addresses: dict[str, str] = {}
    complete: set[str] = set()
    weights: dict[str, int] = {}

    def note_request(event: Any) -> None:
        addresses[event["requestId"]] = event["request"]["url"].removeprefix("http://")

    def weigh(event: Any) -> None:
        name = addresses[event["requestId"]]
        weights[name] = max(weights.get(name, 0), event["response"]["encodedDataLength"])

    def data(event: Any) -> None:
        weights[addresses[event["requestId"]]] += event["encodedDataLength"]

    def finish(event: Any) -> None:
        name = addresses[event["requestId"]]
        weights[name] = max(weights[name], event["encodedDataLength"])
        complete.add(name)

    def is_there() -> bool:
        """Return True if all responses are complete, and the endless stream has sent its first frame."""
        coming = {*addresses.values()} - complete
        return all("/live" in name and weights.get(name) for name in coming) and bool(
            page.evaluate("document.fonts.status") == "loaded"
        )

    wire.on("Network.requestWillBeSent", note_request)
    wire.on("Network.responseReceived", weigh)
    wire.on("Network.dataReceived", data)
    wire.on("Network.loadingFinished", finish)
    page.goto(path)
    page.locator("#connection .live").wait_for()
    waited_for(is_there, pause=lambda: page.wait_for_timeout(20))
    return weights


@pytest.mark.parametrize(("game", "players"), [("shanghaien", 2), ("dutchman", 6)])
def test_the_first_load_of_a_table_is_light(
    served: Served, chromium: Chromium, monkeypatch: pytest.MonkeyPatch, game: str, players: int
) -> None:
    """Check the load in the middle of a game, when there is most to see, at the fullest table."""
    monkeypatch.setattr("kontor.tables.next_seeds.of_person", lambda *_: SEED)
    with ExitStack() as stack:
        guests = [stack.enter_context(served.guest(name)) for name in NAMES[:players]]
        table = table_of(served, guests, game)
        mover = list(islice(moments(served, table, Random(2), set()), 6))[-1]
        page, heard = stack.enter_context(listening(chromium, served, guests[mover]))
        weights = weigh_responses(page, f"/tables/{table}")
    assert any(name.endswith(".woff2") for name in weights), "the font is counted too"
    assert any("/live" in name for name in weights)
    assert sum(weights.values()) <= MOST, weights
    assert not heard


def test_browsers_have_nothing_to_complain_of_on_any_page(served: Served, chromium: Chromium) -> None:
    with ExitStack() as stack:
        anna, bernd = stack.enter_context(served.guest("Anna")), stack.enter_context(served.guest())
        table = seat_friend(anna, bernd, starter="0")
        anna.press(anna.get(table).moves[0])
        waiting = open_shanghaien(anna)
        link = anna.press(anna.get(waiting).button("invite-2")).html.split('readonly value="')[1].split('"')[0]
        page, heard = stack.enter_context(listening(chromium, served, None))
        stranger = ("/", "/open/dutchman", httpx.URL(link).path, waiting, table, "/rules", "/api")
        for path in stranger:
            page.goto(path)
        hers, heard_of_hers = stack.enter_context(listening(chromium, served, anna))
        read = (
            "/rules/shanghaien", "/rules/dutchman", "/device/x", f"{table}/log", f"{table}/replay", f"{table}/fair",
        )  # fmt: skip
        mine = ("/", "/you", "/you/leave", "/return", "/open/shanghaien", "/open/dutchman", waiting, table)
        for path in (*mine, *read):
            hers.goto(path)
        missing, heard_of_it = stack.enter_context(listening(chromium, served, anna))
        missing.goto("/nothing/here")
    assert heard + heard_of_hers == []
    assert [text for text in heard_of_it if "404" not in text] == []


def test_a_breach_of_our_policy_is_heard(served: Served, chromium: Chromium) -> None:
    with listening(chromium, served, None) as (page, heard):
        page.goto("/rules")
        page.evaluate("document.body.setAttribute('style', 'color: red')")
        waited_for(
            lambda: any("policy: style-src" in text for text in heard), pause=lambda: page.wait_for_timeout(20)
        )
