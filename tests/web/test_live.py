"""Live pages in a real browser: moves of others arrive by themselves; a page that was away shows the latest state."""

import asyncio
import re
import signal
import zlib
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from kontor.games.dutchman.rules.state import Smith
from kontor.tables.reading import TableQueries
from kontor.tables.views import TableView
from kontor.web.live import stream as live
from kontor.web.live.drawing import DrawingThread
from kontor.web.live.hub import Hub
from kontor.web.live.rendering import EndOfStream, RenderQueue
from kontor.web.live.stream import StreamReader, stream
from loops import run_in_thread
from timeouts import HANG_TIMEOUT, until, waited_for
from web.browsers import Chromium, Pages, browsing
from web.conftest import Served
from web.guests import Guest, open_shanghaien, seat_friend
from web.test_serve import serving

WIDTHS = (360, 820, 1440)


def test_anothers_move_arrives_without_reloading(anna: Guest, stranger: Guest, pages: Pages) -> None:
    path = seat_friend(anna, stranger, starter="0")
    with pages(anna) as hers, pages(stranger) as his:
        hers.goto(path)
        his.goto(path)
        expect(his.locator("#connection .live")).to_be_visible()
        his.evaluate("window.never_reloaded = true")
        expect(his.locator("#now")).to_have_text("Anna starts round 1 and rolls.")
        his.locator("#text").fill("half a sentence")
        assert hers.title().startswith("● Your turn")
        hers.locator("#sh-do-roll").click()
        expect(his.locator("#now")).to_contain_text("Anna rolled")
        expect(hers.locator("#now")).to_contain_text("Where is the 1?")
        hers.locator("#sh-do-number-left").click()
        hers.locator("button.thrown").first.click()
        expect(his.locator("#now")).to_have_text("Your turn: roll two dice.")
        assert his.title() == "● Your turn – Shanghaien"
        assert hers.title().startswith("Bernd rolls")
        assert his.locator("#text").input_value() == "half a sentence", "what was being typed is still there"
        assert his.evaluate("document.activeElement.id") == "text", "and so is the focus"
        assert his.evaluate("window.never_reloaded")
        his.locator("#say-go").click()
        expect(hers.locator("#chat .talk")).to_contain_text("half a sentence")
        expect(his.locator("#text")).to_have_value("")


def test_a_page_is_of_one_moment_though_somebody_moves_while_it_is_made(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served.guest("Anna") as anna:
        opening = anna.get("/open/dutchman").button("open-it")
        others = {f"chair__{chair}": "here" for chair in (2, 3)} | {f"chair__{chair}": "none" for chair in (4, 5, 6)}
        page = anna.press(opening, name__2="Bernd", name__3="Carla", starter="0", **others)
        table = page.path.removeprefix("/tables/")
        before = served.service.tables.info(table).number

        looking = TableQueries.view

        def moment(tables: TableQueries, table_id: str, person: str | None = None) -> TableView:
            """Let the mover play as soon as the page first looks at the table.

            Computer players look by another function.
            """
            if table_id != table:
                return looking(tables, table_id, person)
            monkeypatch.undo()
            seen = tables.view(table_id, person)
            served.service.moves.play(table_id, seen.info.mover or 0, seen.info.number, Smith())
            return seen

        monkeypatch.setattr(TableQueries, "view", moment)
        page = anna.get(f"{page.path}?as=0")
        assert served.service.tables.info(table).number > before
        number = int(page.html.split('data-version="')[1].split('"')[0]) // 100_000
        assert number == before
        assert page.has("board"), "the curtain belongs to the next version"
        assert not page.has("curtain")
        page = anna.get(f"{page.path}?as=0")
        assert page.text("curtain").startswith("Hand the device to Bernd.")
        assert not page.has("board")


def test_overviews_open_by_a_look_and_stay_when_pressed(anna: Guest, stranger: Guest, pages: Pages) -> None:
    path = seat_friend(anna, stranger, starter="0")
    with pages(anna) as page:
        page.goto(path)
        crew, coming = page.locator("#sh-crew-mine"), page.locator("#sh-coming")
        page.hover("#sh-open-mine")
        expect(crew).to_be_visible()
        page.mouse.move(1, 1)
        expect(crew).to_be_hidden()
        page.hover("#sh-open-mine")
        expect(crew).to_be_visible()
        page.click("#sh-open-mine")
        page.mouse.move(1, 1)
        page.keyboard.press("Tab")
        expect(crew).to_be_visible()
        page.keyboard.press("Escape")
        expect(crew).to_be_hidden()
        page.locator("#sh-open-mine").focus()
        page.keyboard.press("Tab")
        expect(coming).to_be_visible()
        page.keyboard.press("Tab")
        expect(coming).to_be_hidden()
    with pages(anna, has_touch=True, viewport={"width": 360, "height": 740}) as page:
        page.goto(path)
        page.tap("#sh-look-theirs")
        expect(page.locator("#sh-crew-theirs")).to_be_visible()
        page.tap("#sh-crew-theirs-close")
        expect(page.locator("#sh-crew-theirs")).to_be_hidden()


def test_lateness_is_seen_when_the_clock_has_run_out(anna: Guest, stranger: Guest, pages: Pages) -> None:
    path = seat_friend(anna, stranger, starter="1", pace="live", seconds="5", reserve="0")
    with pages(anna) as page:
        page.goto(path)
        expect(page.locator("#stand-in")).to_be_visible()
        page.locator("#stand-in").click()
        expect(page.locator("#stand-in")).to_have_count(0)
        expect(page.locator("#players")).to_contain_text("away")
        back = stranger.press(stranger.get(path).button("come-back-1"))
        assert back.status == 200


def test_whoever_has_a_wrong_clock_is_shown_the_time_that_is_left(served: Served, chromium: Chromium) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        path = seat_friend(anna, stranger, starter="1", pace="live", seconds="600", reserve="0")
        for minutes in (-10, 10):
            with browsing(chromium, served.address, anna) as page:
                page.add_init_script(f"const right = Date.now; Date.now = () => right() + {minutes} * 60_000;")
                page.goto(path)
                expect(page.locator("time[data-until]").first).to_have_text(re.compile(r"^[4-9]:\d\d left$"))


def test_who_does_not_hear_the_others_goes_on_not_hearing_them(anna: Guest, stranger: Guest, pages: Pages) -> None:
    path = seat_friend(anna, stranger, starter="0")
    with pages(anna) as page:
        page.goto(path)
        page.locator("#mute").click()
        expect(page.locator("#mute")).to_have_text("Unmute chat")
        expect(page.locator("#connection .live")).to_be_visible()
        version = page.locator("#state").get_attribute("data-version") or ""
        stranger.press(stranger.get(path).button("say-go"), text="Not for your ears")
        expect(page.locator("#state")).not_to_have_attribute("data-version", version)
        expect(page.locator("#chat")).not_to_contain_text("Not for your ears")
        page.locator("#mute").click()
        expect(page.locator("#chat")).to_contain_text("Not for your ears")


def test_what_is_refused_is_shown_beside_the_board_and_goes_with_the_next_move(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, served.guest() as stranger:
        path = seat_friend(anna, stranger, starter="0")
        with pages(anna) as page:
            page.goto(path)
            page.evaluate("document.getElementById('sh-do-roll').value = 'shanghai'")
            page.locator("#sh-do-roll").click()
            expect(page.locator("#refused")).to_contain_text("at least two of your own dice")
            page.evaluate("document.getElementById('sh-do-roll').value = 'roll'")  # a refusal keeps the button as is
            page.locator("#sh-do-roll").click()
            expect(page.locator("#refused")).to_have_count(0)
            expect(page.locator("#now")).to_contain_text("Where is the 1?")


@pytest.mark.process
def test_a_reconnect_after_the_server_was_killed_brings_the_present_state(chromium: Chromium, tmp_path: Path) -> None:
    with serving(tmp_path) as first, Guest(first.first, "Anna") as anna, Guest(first.first) as bernd:
        path = seat_friend(anna, bernd, starter="0")
        with browsing(chromium, first.first, bernd) as page:
            page.goto(path)
            expect(page.locator("#connection .live")).to_be_visible()
            page.evaluate("window.never_reloaded = true")
            first.end(signal.SIGKILL)
            expect(page.locator("#connection .lost")).to_be_visible()
            with serving(tmp_path, first.port):
                anna.press(anna.get(path).moves[0])
                expect(page.locator("#now")).to_contain_text("Anna rolled")
                expect(page.locator("#connection .live")).to_be_visible()
                assert page.evaluate("window.never_reloaded")


def test_a_round_by_the_keyboard_alone(anna: Guest, pages: Pages) -> None:
    path = open_shanghaien(anna, chair__2="here", name__2="Bernd", starter="0")
    with pages(anna) as page:
        page.goto(path)
        for wanted in ("sh-do-roll", "sh-do-number-right", "sh-do-place"):
            for _ in range(60):
                page.keyboard.press("Tab")
                if str(page.evaluate("document.activeElement.id")).startswith(wanted):
                    break
            number = page.locator("#state").get_attribute("data-version")
            page.keyboard.press("Enter")
            expect(page.locator("#state")).not_to_have_attribute("data-version", number or "")
        expect(page.locator("#now")).to_contain_text("Bernd rolls two dice.")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(served: Served, pages: Pages, width: int) -> None:
    with served.guest("Anna with a name as long as names can be") as anna, served.guest() as bernd:
        path = seat_friend(anna, bernd)
        waiting = open_shanghaien(anna)
        with pages(anna, viewport={"width": width, "height": 740}) as page:
            places = ("/", "/you", "/rules/dutchman", "/api", "/open/dutchman", "/open/shanghaien", waiting, path)
            for place in (*places, f"{path}/fair", f"{path}/log", f"{path}/replay"):
                page.goto(place)
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, f"{place} is {wide} wide"


def test_day_and_night_can_be_switched(served: Served, pages: Pages) -> None:
    with served.guest("Anna") as anna, pages(anna, color_scheme="light") as page:
        page.goto("/rules")
        ground = "getComputedStyle(document.body).backgroundColor"
        day = page.evaluate(ground)
        page.locator("#theme-dark").click()
        page.wait_for_selector('html[data-theme="dark"]')
        assert page.url.endswith("/rules")
        assert page.evaluate(ground) != day
        page.locator("#theme-light").click()
        page.wait_for_selector('html[data-theme="light"]')
        assert page.evaluate(ground) == day


# ------------------------------------------------------------------------------------ streams alone


class Wire:
    """Other end of a stream: it keeps all messages until it accepts no more."""

    def __init__(self) -> None:
        self.status = 0
        self.bodies: list[bytes] = []
        self.stuck = False
        self.left = asyncio.Event()

    async def send(self, message: Any) -> None:
        if self.stuck:
            await asyncio.Event().wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.bodies.append(message["body"])

    async def receive(self) -> Any:
        await self.left.wait()
        return {"type": "http.disconnect"}


class Drawn:
    """Screen that a function draws."""

    def __init__(self, draw: Callable[[], bytes], lefts: Iterable[float | None] = ()) -> None:
        """Begin with a drawing function, and the seconds left on a clock, one for each frame.

        After the last one there is no clock.
        """
        self._draw = draw
        self._lefts = iter(lefts)
        self._left: float | None = None
        self.looked = 0

    def look(self) -> None:
        self.looked += 1

    def frame(self, seen: None) -> bytes:
        self._left = next(self._lefts, None)
        return self._draw()

    def left(self) -> float | None:
        return self._left


def scope(*, compressed: bool = False) -> Any:
    return {"type": "http", "headers": [(b"accept-encoding", b"gzip")] if compressed else []}


def showing(
    wire: Wire, hub: Hub, draw: Callable[[], bytes], *, compressed: bool = False
) -> Coroutine[Any, Any, None]:
    return stream(scope(compressed=compressed), wire.receive, wire.send, hub, "table", Drawn(draw), StreamReader())


def test_a_stream_that_takes_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SEND_TIMEOUT", 0.05)

    async def run() -> None:
        hub, wire, frames = Hub(), Wire(), iter([b"one", b"two"])
        streaming = asyncio.create_task(
            stream(scope(), wire.receive, wire.send, hub, "table", Drawn(lambda: next(frames)), StreamReader())
        )
        await until(lambda: b"one" in wire.bodies)
        wire.stuck = True
        hub.changed("table")
        await asyncio.wait_for(streaming, HANG_TIMEOUT)
        assert not hub._change_events

    run_in_thread(run())


def test_a_flood_of_changes_costs_a_slow_stream_one_frame() -> None:
    async def run() -> None:
        hub, wire, made = Hub(), Wire(), []

        def frames() -> bytes:
            made.append(1)
            return b"frame %d\n" % len(made)

        streaming = asyncio.create_task(
            stream(scope(compressed=True), wire.receive, wire.send, hub, "table", Drawn(frames), StreamReader())
        )
        await until(lambda: made)
        for _ in range(100):
            hub.changed("table")
        hub.changed("another table")
        await until(lambda: len(made) > 1)
        await asyncio.sleep(0.1)
        assert len(made) <= 3
        wire.left.set()
        await asyncio.wait_for(streaming, HANG_TIMEOUT)
        sent = zlib.decompressobj(31).decompress(b"".join(wire.bodies))
        sent = re.sub(rb"^:[0-9a-f]*\n", b"", sent, flags=re.MULTILINE)  # padding of random length
        assert sent.startswith(b"retry: 1000\n\nframe 1\n"), "each frame can be read as soon as it is there"

    run_in_thread(run())


def test_streams_of_a_table_are_drawn_after_one_look_at_it_and_each_is_told_its_own() -> None:
    async def run() -> None:
        hub, wires = Hub(), [Wire() for _ in range(5)]
        screens = [Drawn(lambda number=number: b"%d" % number) for number in range(5)]  # type: ignore[misc]
        streaming = [
            asyncio.create_task(stream(scope(), wire.receive, wire.send, hub, "table", screen, StreamReader()))
            for wire, screen in zip(wires, screens, strict=True)
        ]
        await until(lambda: all(len(wire.bodies) == 2 for wire in wires))
        before = sum(screen.looked for screen in screens)
        hub.changed("table")
        await until(lambda: all(len(wire.bodies) == 3 for wire in wires))
        assert sum(screen.looked for screen in screens) == before + 1
        assert [wire.bodies[2] for wire in wires] == [b"%d" % number for number in range(5)]
        hub.close()
        await asyncio.gather(*streaming)

    run_in_thread(run())


def test_tables_take_turns_and_whoever_sits_at_one_is_drawn_before_those_who_look_on() -> None:
    """Check that only a few onlookers of one table are drawn before people at another."""
    drawn: list[str] = []

    async def run() -> None:
        crowded, quiet = RenderQueue(), RenderQueue()

        def rendering(queue: RenderQueue, name: str, *, seated: bool) -> asyncio.Task[bytes]:
            def draw() -> bytes:
                drawn.append(name)
                return b""

            return asyncio.create_task(queue.render(Drawn(draw), lambda chunk, _: chunk, seated=seated))

        onlookers = [rendering(crowded, "onlooker", seated=False) for _ in range(40)]
        others = [rendering(crowded, "player", seated=True), rendering(quiet, "another table", seated=True)]
        await asyncio.gather(*onlookers, *others)

    run_in_thread(run())
    assert drawn[0] == "player"
    assert drawn.index("another table") <= 8, "after a few of them at most"
    assert drawn.count("onlooker") == 40


def test_what_has_changed_is_drawn_before_what_streams_show_first() -> None:
    """Check that a change at a table waits for at most one batch of streams that come back."""
    drawing, drawn, gate = DrawingThread(), list[str](), Event()

    def note(name: str) -> Callable[[], None]:
        def draw() -> None:
            assert gate.wait(HANG_TIMEOUT)
            drawn.append(name)

        return draw

    jobs = [drawing.submit(note(f"beginning {number}"), begins=True) for number in range(3)]
    waited_for(lambda: len(drawing._beginnings) == 2 or None)
    jobs += [drawing.submit(note(f"change {number}"), begins=False) for number in range(2)]
    gate.set()
    for job in jobs:
        job.result(HANG_TIMEOUT)
    assert drawn == ["beginning 0", "change 0", "change 1", "beginning 1", "beginning 2"]


def test_streams_of_a_table_that_begin_hold_up_none_that_goes_on() -> None:
    drawn: list[str] = []

    async def run() -> None:
        queue = RenderQueue()

        def rendering(name: str, charge: Callable[[float], None] | None) -> asyncio.Task[bytes]:
            def draw() -> bytes:
                drawn.append(name)
                return b""

            drawing = queue.render(Drawn(draw), lambda chunk, _: chunk, seated=False, charge=charge)
            return asyncio.create_task(drawing)

        charged: list[float] = []
        beginning = [rendering("begins", charged.append) for _ in range(12)]
        await asyncio.gather(*beginning, rendering("goes on", None))
        assert len(charged) == 12, "each is charged for"

    run_in_thread(run())
    assert drawn.index("goes on") <= 2


@pytest.mark.parametrize(
    ("pulse", "lefts", "looks"),
    [(0.05, [None], 1), (60.0, [0.1, -0.01], 2), (0.05, [60.0], 2), (0.05, [-0.01], 2), (60.0, [-0.01], 1)],
    ids=[
        "without a clock there is one look",
        "that somebody is late is seen when it is so, and once",
        "clocks can jump, so there is a look at each pulse",
        "also after somebody is late",
        "but no more than that",
    ],
)
def test_when_nothing_happens_a_stream_looks_for_those_who_are_late(
    monkeypatch: pytest.MonkeyPatch, pulse: float, lefts: list[float | None], looks: int
) -> None:
    monkeypatch.setattr(live, "KEEP_ALIVE_INTERVAL", pulse)

    async def run() -> None:
        hub, wire = Hub(), Wire()
        screen = Drawn(lambda: b"", lefts)
        streaming = asyncio.create_task(
            stream(scope(), wire.receive, wire.send, hub, "table", screen, StreamReader())
        )
        await until(lambda: screen.looked == looks)
        await asyncio.sleep(0.3)
        assert screen.looked == looks
        hub.close()
        await streaming

    run_in_thread(run())


def test_a_stream_that_fails_takes_no_other_with_it() -> None:
    async def run() -> None:
        def fail() -> bytes:
            raise EndOfStream

        hub, wires = Hub(), [Wire(), Wire()]
        ended = asyncio.create_task(showing(wires[0], hub, fail))
        going = asyncio.create_task(showing(wires[1], hub, lambda: b"x"))
        await asyncio.wait_for(ended, HANG_TIMEOUT)
        hub.changed("table")
        await until(lambda: len(wires[1].bodies) == 3)
        hub.close()
        await going

    run_in_thread(run())


def test_a_stream_ends_with_the_server_and_when_there_is_nothing_to_tell_any_more() -> None:
    async def run() -> None:
        def draw_nothing() -> bytes:
            raise EndOfStream

        hub, wire = Hub(), Wire()
        await asyncio.wait_for(showing(wire, hub, draw_nothing), HANG_TIMEOUT)
        streaming = asyncio.create_task(showing(wire, hub, lambda: b"x"))
        await until(lambda: b"x" in wire.bodies)
        hub.close()
        await asyncio.wait_for(streaming, HANG_TIMEOUT)
        assert wire.bodies[-1] == b""

    run_in_thread(run())


def test_a_line_that_was_gone_for_a_moment_is_said_to_be_back(anna: Guest, bernd: Guest, pages: Pages) -> None:
    path = seat_friend(anna, bernd, starter="0")
    with pages(bernd) as page:
        page.goto(path)
        expect(page.locator("#connection .live")).to_be_visible()
        page.context.set_offline(True)
        expect(page.locator("#connection .lost")).to_be_visible()
        page.context.set_offline(False)
        expect(page.locator("#connection .live")).to_be_visible()
        anna.press(anna.get(path).moves[0])
        expect(page.locator("#now")).to_contain_text("Anna rolled")


def test_a_page_of_another_version_of_the_program_comes_anew(anna: Guest, bernd: Guest, pages: Pages) -> None:
    """Check that a page is loaded anew if the program was replaced while it was open.

    The page's scripts need not understand the events of the new version.
    """
    addresses: list[str] = []

    def at_first_of_another(route: Route) -> None:
        address = route.request.url
        route.continue_(url=address if addresses else re.sub(r"scripts=\w+", "scripts=others", address))
        addresses.append(address)

    path = seat_friend(anna, bernd, starter="0")
    with pages(bernd) as page:
        page.route("**/live?*", at_first_of_another)
        page.goto(path)
        waited_for(lambda: len(addresses) == 2, pause=lambda: page.wait_for_timeout(20))
        expect(page.locator("#connection .live")).to_be_visible()
        anna.press(anna.get(path).moves[0])
        expect(page.locator("#now")).to_contain_text("Anna rolled")
        assert len(addresses) == 2
