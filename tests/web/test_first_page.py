"""The first page: strangers play with one click, friends come by one link, and who waits is joined from a list."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from kontor.people.texts import name_of
from web.auditor import findings_at, report
from web.browsers import MOVING, Chromium, browsing
from web.conftest import Served
from web.guests import Guest
from web.test_weight import MOST

LANGUAGES: Final = ("en", "de", "fr", "it", "ja")

WAYS: Final = ".acts button"

SIZES: Final = (
    *((1366, 768), (1366, 650), (1280, 720), (1920, 1080), (1024, 768), (768, 1024), (390, 844)),
    *((360, 640), (640, 360), (901, 655), (1127, 606), (2560, 1440)),
    *((320, 568), (560, 480), (570, 1234), (802, 1281)),
)

_SHIFTS: Final = """
    window.shifted = [];
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => shifted.push([
        entry.value, ...entry.sources.map(({ node, previousRect: { x, y }, currentRect }) =>
            `${node?.nodeName} ${node?.className}: ${x}, ${y} to ${currentRect.x}, ${currentRect.y}`),
    ]))).observe({ type: "layout-shift", buffered: true });
"""
"""Script that collects what moved on the page by itself."""


def table_id(path: str) -> str:
    return path.partition("/tables/")[2].partition("?")[0]


def post(guest: Guest, way: str, game: str) -> str:
    """Press one of the buttons of a game, as a browser without scripts does; return the path of the page."""
    fields = guest.get("/").button(f"play-{game}").form.fields
    return str(guest.post(way, fields).path)


# ------------------------------------------------------------------------------------------------ the three ways


@pytest.mark.parametrize(("game", "players"), [("shanghaien", 1), ("dutchman", 3)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stranger_plays_the_computer_with_one_click_and_gets_a_name(
    served: Served, language: str, game: str, players: int
) -> None:
    with served.guest(headers={"accept-language": language}) as stranger:
        table = table_id(post(stranger, "/play", game))
        info = served.service.tables.info(table)
        assert (info.game, info.status, info.pace.kind) == (game, "playing", "none")
        assert [seat.player for seat in info.seats] == ["", *["casual"] * players]
        name = info.seats[0].name
        assert name_of(name) == name
        assert served.service.tables.fair(table).salts[0] == "", (
            "nothing is mixed in that was sent before the promise"
        )
        renamed = stranger.press(stranger.get("/you").button("name-go"), name="Anna")
        assert renamed.status == 200
        assert "Anna" in stranger.get("/").html


@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
def test_the_first_move_of_a_stranger_takes_two_clicks(served: Served, chromium: Chromium, game: str) -> None:
    with browsing(chromium, served.address, viewport={"width": 1366, "height": 768}) as page:
        page.goto("/")
        page.locator(f"#play-{game}").click()
        page.wait_for_url("**/tables/*")
        table = table_id(page.url)
        mine = served.service.tables.info(table).seats[0].name
        first = page.locator('#table button[name="move"]:visible').first
        first.wait_for()
        first.click()
        page.wait_for_function("Number(document.getElementById('state').dataset.version) > 0")
        assert mine


def test_one_link_seats_friends_in_order_and_keeps_the_seat_links_working(served: Served) -> None:
    with served.guest() as host, served.guest() as bernd, served.guest() as carla, served.guest() as dora:
        table = table_id(post(host, "/play/friends", "dutchman"))
        page = host.get(f"/tables/{table}")
        assert [seat.kind for seat in served.service.tables.info(table).seats] == ["me", "friend", "friend", "friend"]
        again = host.press(page.button("invite-all"))
        link = re.search(r'id="link" readonly value="[^"]*(/invitations/[^"]+)"', again.html)
        assert link
        assert "<svg" in again.html.partition('id="qr-of-table"')[2][:200]
        for guest, name in ((bernd, "Bernd"), (carla, "Carla")):
            invitation = guest.get(link[1])
            assert [seat.name for seat in served.service.tables.info(table).seats].count(name) == 0, "looking is free"
            assert guest.press(invitation.button("sit"), name=name).path == f"/tables/{table}"
        assert [seat.name for seat in served.service.tables.info(table).seats][1:] == ["Bernd", "Carla", ""]
        seat_page = host.press(host.get(f"/tables/{table}").button("invite-4"))
        seat_link = re.search(r'id="link-4" readonly value="[^"]*(/invitations/[^"]+)"', seat_page.html)
        assert seat_link
        dora.press(dora.get(seat_link[1]).button("sit"), name="Dora")
        assert served.service.tables.info(table).status == "playing"
        with served.guest() as late:
            assert "This seat is already taken." in late.get(link[1]).html
            assert late.get(link[1][:-3]).status == 200, "only sitting down tells whether a link is right"


def test_the_host_fills_the_seats_that_are_left_with_one_click(served: Served, stranger: Guest) -> None:
    table = table_id(post(stranger, "/play/friends", "dutchman"))
    assert stranger.press(stranger.get(f"/tables/{table}").button("fill-rest")).path == f"/tables/{table}"
    info = served.service.tables.info(table)
    assert (info.status, [seat.player for seat in info.seats]) == ("playing", ["", *["casual"] * 3])


def test_the_pace_is_chosen_beside_the_link(served: Served, anna: Guest, stranger: Guest) -> None:
    path = post(anna, "/play/friends", "shanghaien")
    table = table_id(path)
    page = anna.press(anna.get(f"/tables/{table}").button("invite-all"))
    link = re.search(r'id="link" readonly value="[^"]*(/invitations/[^"]+)"', page.html)
    assert link
    for pace, seconds in (("live-60-600", 60), ("slow-86400-0", 86400)):
        page = anna.press(page.button(f"pace-{pace}"))
        assert link[1] in page.html, "the link stays"
        assert served.service.tables.info(table).pace.seconds == seconds
    assert 'value="slow-86400-0" aria-pressed="true"' in page.html
    stranger.press(stranger.get(link[1]).button("sit"), name="Bernd")
    assert served.service.tables.info(table).status == "playing"


def test_a_stranger_finds_someone_from_the_list_with_one_click(served: Served, chromium: Chromium) -> None:
    with (
        served.guest("Marta") as marta,
        browsing(chromium, served.address, viewport={"width": 390, "height": 844}) as page,
    ):
        assert (
            marta.post("/play/together", marta.get("/").button("play-shanghaien").form.fields).path == "/play/waiting"
        )
        page.goto("/")
        row = page.locator(".seeks li", has_text="Marta")
        expect(row).to_contain_text("Shanghaien, 10 minutes each")
        row.get_by_role("button", name="Join Marta").click()
        page.wait_for_url("**/tables/*")
        info = served.service.tables.info(table_id(page.url))
        assert (info.status, "Marta" in [seat.name for seat in info.seats]) == ("playing", True)
        assert 'id="seek-own"' not in marta.get("/").html


def test_who_waits_sees_their_own_line_and_who_comes_too_late_is_told(served: Served) -> None:
    with served.guest("Marta") as marta, served.guest() as stranger:
        fields = marta.get("/").button("play-dutchman").form.fields
        marta.post("/play/together", fields)
        assert 'id="seek-own" href="/play/waiting"' in marta.get("/").html
        join = next(
            button for form in stranger.get("/").forms for button in form.buttons if form.action == "/play/join"
        )
        marta.press(marta.get("/play/waiting").button("seek-stop"))
        late = stranger.press(join)
        assert late.status == 409
        assert "Nobody waits there any more." in late.text("refused")
        assert late.has("seek-go"), "one can look for a game oneself"
        assert stranger.client.cookies.get("kontor") is None, "nobody was made up for nothing"


# ------------------------------------------------------------------------------------------------ the page itself


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_scenes_are_seen(served: Served, chromium: Chromium, scripts: bool) -> None:
    """Check both ways: with scripts they are put in after the first paint."""
    with browsing(chromium, served.address, java_script_enabled=scripts, draws=True) as page:
        page.goto("/")
        for scene in ("#frame-shanghaien .face", "#frame-dutchman .df-sheet"):
            expect(page.locator(scene).first).to_be_visible()
            box = page.locator(scene).first.bounding_box()
            assert box
            assert min(box["width"], box["height"]) > 20, "its styles are there, too"


def test_recorded_games_go_on_unless_they_are_held(served: Served, chromium: Chromium) -> None:
    with browsing(chromium, served.address, viewport={"width": 1366, "height": 768}, **MOVING) as page:
        page.clock.install()
        page.goto("/")
        first = page.locator("#frame-shanghaien .living").text_content()
        advance(page)
        expect(page.locator("#frame-shanghaien .living")).not_to_have_text(first or "")
        page.locator("#frame-shanghaien .pause").click()
        expect(page.locator("#frame-dutchman .pause")).to_have_attribute("aria-pressed", "true")
        held = page.locator("#frame-shanghaien .living").text_content()
        advance(page)
        expect(page.locator("#frame-shanghaien .living")).to_have_text(held or "")


def advance(page: Page) -> None:
    """Let ten seconds pass on the page."""
    page.clock.run_for(10_000)


def test_recorded_games_stand_still_where_motion_is_reduced(served: Served, chromium: Chromium) -> None:
    with browsing(chromium, served.address, reduced_motion="reduce") as page:
        page.clock.install()
        page.goto("/")
        first = page.locator("#frame-shanghaien .living").text_content()
        advance(page)
        expect(page.locator("#frame-shanghaien .living")).to_have_text(first or "")
        expect(page.locator("#frame-shanghaien .pause")).to_be_hidden()


def test_the_page_follows_what_happens_elsewhere(served: Served, chromium: Chromium) -> None:
    with served.guest("Anna") as anna, browsing(chromium, served.address, anna) as page:
        page.clock.install()
        page.goto("/")
        before = page.locator("form.acts input[name=commitment]").first.input_value()
        anna.press(anna.get("/").button("play-shanghaien"))
        with served.guest("Marta") as marta:
            marta.post("/play/together", marta.get("/").button("play-dutchman").form.fields)
            page.clock.run_for(25_000)
            expect(page.locator(".seeks")).to_contain_text("Marta")
            expect(page.locator("#before")).to_contain_text("Shanghaien")
            assert page.locator("form.acts input[name=commitment]").first.input_value() != before
            page.locator("#play-dutchman").click()
            page.wait_for_url("**/tables/*")
            marta.press(marta.get("/play/waiting").button("seek-stop"))


def test_frames_are_found_by_their_numbers_only(stranger: Guest) -> None:
    assert stranger.get("/living/shanghaien/0").status == 200
    assert "max-age" in stranger.client.get("/living/shanghaien/0").headers["cache-control"]
    assert stranger.get("/living/shanghaien/999").status == 404
    assert stranger.get("/living/chess/0").status == 404


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_on_the_first_page_can_be_read_and_pressed(
    served: Served, chromium: Chromium, language: str
) -> None:
    with browsing(chromium, served.address, locale=language) as page:
        page.goto("/")
        found_at = findings_at(page, SIZES, WAYS)
        ours = {finding: sizes for finding, sizes in found_at.items() if "header" not in finding}
    assert not ours, report(ours, None)


@pytest.fixture(scope="module")
def resized(served: Served, chromium: Chromium) -> Iterator[Page]:
    """Yield a page for tests that set its size and load it: a page of its own for each takes a second of a core."""
    with browsing(chromium, served.address) as page:
        yield page


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_both_games_and_all_ways_into_them_are_in_the_first_window(resized: Page, size: tuple[int, int]) -> None:
    width, height = size
    resized.set_viewport_size({"width": width, "height": height})
    resized.goto("/")
    boxes = [button.bounding_box() for button in resized.locator(WAYS).all()]
    assert len(boxes) == 6
    assert all(box and box["y"] + box["height"] <= height for box in boxes)
    assert resized.evaluate("document.documentElement.scrollWidth") <= width
    if width > height * 11 / 8 and width >= 1080 and height >= 650:
        side = resized.locator("#side").bounding_box()
        assert side
        assert side["y"] + side["height"] <= height, "all is in one window"


def test_the_first_load_is_light_and_nothing_moves(served: Served, chromium: Chromium) -> None:
    context = chromium.new_context(base_url=served.address, viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.add_init_script(_SHIFTS)
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    weights: list[int] = []
    wire.on("Network.loadingFinished", lambda event: weights.append(int(event["encodedDataLength"])))
    page.goto("/", wait_until="networkidle")
    assert 0 < sum(weights) <= MOST
    shifts = page.evaluate("window.shifted")
    assert sum(shift[0] for shift in shifts) < 0.01, shifts
    context.close()
