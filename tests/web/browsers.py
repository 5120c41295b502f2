"""People in real browsers: how they come in, and how they make a move with the controls on their screen."""

import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Locator, Page, Playwright, expect

from kontor.games.dutchman.rules.state import Lay, Name, Propose, Put, Sail, Show
from kontor.games.dutchman.web.moves import fields_of
from kontor.games.shanghaien.rules.state import Place
from kontor.web.adapter import adapter_of
from profiles import PROFILE
from timeouts import HANG_TIMEOUT
from web.guests import Guest

BROWSER_TIMEOUT: Final = 1000 * HANG_TIMEOUT
"""Milliseconds after which a browser is considered hung."""

By = Literal["mouse", "touch", "keys"]

WIDTH: Final = 360
PHONE: Final = {"viewport": {"width": WIDTH, "height": 740}, "has_touch": True, "is_mobile": True}

MOVING: Final[dict[str, Any]] = {"reduced_motion": "no-preference"}
"""Context options for a page with animations, as most people see it."""

MOST_TABS: Final = 60
"""Most presses of the Tab key to reach an element."""


MOST_REDIRECTS: Final = 5
"""Most redirects of a page that is being left."""


def chromium_path() -> str | None:
    """Return the path of Chromium: the headless shell if it is installed, as it needs a quarter less of a core."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


class Chromium:
    """Debian's Chromium, started when it is first asked for.

    No test looks at pixels, and drawing them takes a third of the processor. So there are two browsers. One has
    layout, animations, clicks and typing, but no compositor, and draws nothing. Touch and the mouse wheel reach a
    page through the compositor: they need the other browser, which ``draws``. By default it serves every context with
    touch.
    """

    def __init__(self, playwright: Playwright, path: str) -> None:
        self._playwright = playwright
        self._path = path
        self._browsers: dict[bool, Browser] = {}

    def new_context(self, *, draws: bool | None = None, **more: Any) -> BrowserContext:
        """Return a new context, as Playwright's browsers make one."""
        return self._browser(bool(more.get("has_touch")) if draws is None else draws).new_context(**more)

    def new_page(self, **more: Any) -> Page:
        """Return a page in a context of its own, which is closed with it."""
        return self._browser(bool(more.get("has_touch"))).new_page(**more)

    def launch(self, *arguments: str) -> Browser:
        """Start another browser, which draws."""
        usual = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
        return self._playwright.chromium.launch(
            executable_path=self._path, args=[*usual, *arguments], timeout=BROWSER_TIMEOUT
        )

    def _browser(self, draws: bool) -> Browser:
        if draws not in self._browsers:
            without = () if draws else ("--blink-settings=acceleratedCompositingEnabled=false",)
            self._browsers[draws] = self.launch(*without)
        return self._browsers[draws]

    def close(self) -> None:
        for browser in self._browsers.values():
            browser.close()


@contextmanager
def browsing(chromium: Chromium, address: str, guest: Guest | str | None = None, **more: Any) -> Iterator[Page]:
    """Yield a page signed in as the guest, or by a session token; fail if the browser logs an error or warning."""
    page = new_page(chromium, address, **more)
    known_as(page, address, guest)
    with no_complaints(page):
        yield page
        page.context.close()


class Pages:
    """Pages of a server for one test after another: opening a new page takes a second of a core.

    Only the browser's cache is left to the next test: routes are removed, and the network is switched on again. A
    test that changes what can't be undone (own scripts, the clock, the size of the screen) takes a new page from
    ``browsing``.
    """

    def __init__(self, chromium: Chromium, address: str) -> None:
        self._chromium = chromium
        self._address = address
        self._idle: defaultdict[str, list[Page]] = defaultdict(list)

    @contextmanager
    def __call__(self, guest: Guest | str | None = None, **more: Any) -> Iterator[Page]:
        """Yield a page as ``browsing`` does. If the test fails, its page is not used again."""
        idle = self._idle[repr(sorted(more.items()))]
        page = idle.pop() if idle else new_page(self._chromium, self._address, **more)
        known_as(page, self._address, guest)
        with no_complaints(page):
            yield page
            page.unroute_all()
            page.context.set_offline(False)
            leave(page)
        page.context.clear_cookies()
        idle.append(page)


def new_page(chromium: Chromium, address: str, **more: Any) -> Page:
    """Return a page of a browser that was never here.

    Nothing on it is animated unless ``reduced_motion`` says so: drawing animations is a quarter of a browser's work.
    """
    context = chromium.new_context(base_url=address, **{"reduced_motion": "reduce", **more})
    context.set_default_timeout(BROWSER_TIMEOUT)
    return context.new_page()


def leave(page: Page) -> None:
    """Go to a page that follows no table, and clear the browser's storage.

    A form that is on its way when the test ends brings redirects, which interrupt this, so it tries again. The page
    is not closed: now and then Chromium hangs when it closes a page that is being redirected.
    """
    for last in (*(False,) * MOST_REDIRECTS, True):
        try:
            page.goto("/health")
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
            return
        except Error:
            if last:
                raise
            page.wait_for_load_state()  # of the redirect: the next try would interrupt it


def known_as(page: Page, address: str, guest: Guest | str | None) -> None:
    """Sign the page in as the guest, or by a session token."""
    token = guest.client.cookies["kontor"] if isinstance(guest, Guest) else guest
    if token:
        page.context.add_cookies([{"name": "kontor", "value": token, "url": address}])


@contextmanager
def no_complaints(page: Page) -> Iterator[None]:
    """Fail if the browser logs an error or a warning within the block."""
    complaints: list[str] = []

    def log_message(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def log_error(error: Error) -> None:
        complaints.append(str(error))

    page.on("console", log_message)
    page.on("pageerror", log_error)
    yield
    page.remove_listener("console", log_message)
    page.remove_listener("pageerror", log_error)
    expected = ("ERR_", "status of 4", "status of 502", "htmx:sse:error")  # cut line, refusal, proxy without server
    assert not [text for text in complaints if not any(part in text for part in expected)], complaints


def come_in(page: Page, name: str) -> None:
    page.goto("/")
    page.locator("#name").fill(name)
    page.locator("#name-go").click()
    expect(page.locator("#mine")).to_be_visible()


def seat_machine(page: Page, chair: int, player: str) -> None:
    """Choose on the form a computer player that people are not offered."""
    add = "(chair, value) => { chair.add(new Option(value, value)); chair.value = value; }"
    page.locator(f"#chair-{chair}").evaluate(add, f"machine-{player}")


def open_form(page: Page, game: str) -> None:
    """Open the form for a new table, with all its parts unfolded."""
    page.goto(f"/open/{game}")
    unfold(page)


def begin_press(page: Page) -> None:
    """Make sure that the next press is not taken for the second half of a double press, however soon it comes."""
    page.keyboard.press("Shift")


def unfold(page: Page) -> None:
    """Unfold all parts of the form for a new table, or of the page about oneself."""
    for summary in page.locator(".part > summary").all():
        if not summary.evaluate("summary => summary.parentElement.open"):
            begin_press(page)
            summary.click()


def table_of(page: Page) -> str:
    return page.url.partition("/tables/")[2].partition("?")[0]


class FirstFew:
    """Counter of the moves that are made by hand in a whole game.

    Each seat's first moves of a kind are made by hand and checked; in the thorough profile all of them. The server
    plays the others at once, and the pages follow.
    """

    def __init__(self, times: int = 1) -> None:
        self._times = times
        self._made: Counter[tuple[int, type]] = Counter()

    def __call__(self, seat: int, move: Any) -> bool:
        """Return True if this move is to be made by hand, and count it."""
        self._made[seat, type(move)] += 1
        return PROFILE == "thorough" or self._made[seat, type(move)] <= self._times


class Hand:
    """A person at a table: their page, and how they use it."""

    def __init__(self, page: Page, by: By = "mouse", *, scripts: bool = True) -> None:
        self.page = page
        self.by = by
        self.scripts = scripts

    def wait_for_line(self, number: int) -> None:
        """Wait until the page shows the table as it is after a line of its log."""
        state, wanted = self.page.locator("#state"), re.compile(rf"^{number}\d{{5}}$")
        if not self.scripts and not wanted.match(state.get_attribute("data-version") or ""):
            self.page.reload()
        expect(state).to_have_attribute("data-version", wanted)

    def make(self, move: Any) -> None:
        state = self.page.locator("#state")
        before = state.get_attribute("data-version") or ""
        self.send(move)
        expect(state).not_to_have_attribute("data-version", before)
        expect(self.page.locator("#refused")).to_have_count(0)
        if self.by == "keys" and self.scripts:
            assert self.page.evaluate("document.activeElement !== document.body"), f"the focus is lost after {move}"

    def send(self, move: Any) -> None:
        """Make a move that another page answers."""
        self._choose(move)
        lit = self._lit(move)
        if self.by == "mouse" and lit.count():
            lit.click()
        else:
            self._press(self._button(move))

    def press(self, element: Locator) -> None:
        self._press(element)

    def _lit(self, move: Any) -> Locator:
        """Return the highlighted card on the board that makes the move, if any: the mouse clicks there."""
        number = move.die if isinstance(move, Place) else 0
        return self.page.locator(f"#sh-land-{number}")

    def lift(self, name: str) -> None:
        """Lift the curtain that hides the table until the device is handed to ``name``."""
        expect(self.page.locator("#curtain")).to_contain_text(f"Hand the device to {name}.")
        expect(self.page.locator("#board")).to_have_count(0)
        self._press(self.page.locator("#lift"))
        expect(self.page.locator("#board")).to_be_visible()

    def _button(self, move: Any) -> Locator:
        """Return the button that makes the move, once everything that belongs to it is chosen."""
        buttons = self.page.locator('button[name="move"]:not([tabindex="-1"])')
        if self.page.locator("#sh-room").count():
            for place, value in enumerate(buttons.evaluate_all("all => all.map(one => one.value)")):
                if adapter_of("shanghaien").move_of({"move": value}) == move:
                    return buttons.nth(place)
            raise AssertionError(f"no button makes the move {move}")
        return self.page.locator(f'button[name="move"][value="{fields_of(move)["move"]}"]')

    # ---------------------------------------------------------------------------------------------- in the chart room

    def _choose(self, move: Any) -> None:
        """Choose everything that the move needs before its button is pressed."""
        match move:
            case Lay(shoes):
                self._tick_all("shoe", shoes)
            case Put(shares):
                self._tick_all("put", shares)
            case Show(colour):
                self._tick_all("colour", (colour,))
            case Sail(to) | Name(to):
                self._destination(to)
            case Propose(to, ducats):
                self._destination(to)
                own = self.page.locator("#df-parties").get_attribute("data-own")
                for place, change in enumerate(ducats):
                    if change and str(place) != own:
                        self._fill(f"df-ducats-{place}", str(change))

    def _tick_all(self, name: str, values: tuple[int, ...] | tuple[str, ...]) -> None:
        for value, many in Counter[Any](values).items():
            alike = self.page.locator(f'#df-form input[name="{name}"][value="{value}"]')
            for place in range(many):
                self._tick(alike.nth(place))

    def _destination(self, to: str) -> None:
        field = self.page.locator(f'#df-where input[value="{to}"]')
        if self.by == "mouse":
            self.page.locator(f'.df-berth[for="{field.get_attribute("id")}"]').click()
            expect(field).to_be_checked()
        else:
            self._tick(field)

    def _tick(self, field: Locator) -> None:
        """Tick a field.

        The mouse and touch press its label, which is the visible part. The keyboard uses the space bar, or the arrows
        among radio buttons.
        """
        if self.by == "keys":
            self._to(field)
            self.page.keyboard.press("Space")
        else:
            label = self.page.locator(f"label:has(#{field.get_attribute('id')})")
            if self.by == "touch":
                label.tap()
            else:
                label.click()
        expect(field).to_be_checked()

    def _fill(self, field: str, text: str) -> None:
        if self.by == "keys":
            self._to(self.page.locator(f"#{field}"))
            self.page.keyboard.type(text)
        else:
            self.page.locator(f"#{field}").fill(text)

    # ------------------------------------------------------------------------------------------------------- buttons

    def _press(self, button: Locator) -> None:
        """Press a button; if it lies on a sheet over the table, open the sheet first."""
        sheet = button.evaluate("button => button.closest('[popover]')?.id")
        if sheet:
            self._press(self.page.locator(f'[popovertarget="{sheet}"]:not([popovertargetaction])').first)
            expect(button).to_be_visible()
        if self.by == "keys":
            self._to(button)
        begin_press(self.page)
        if self.by == "keys":
            self.page.keyboard.press("Enter")
        elif self.by == "touch":
            button.tap()
        else:
            button.click()

    def _to(self, element: Locator) -> None:
        """Move the focus to an element with the Tab key, and with the arrows within a radio group."""
        wanted = element.evaluate("one => [one.id, one.type === 'radio' ? one.name : '']")
        for _ in range(MOST_TABS):
            focused = self.page.evaluate("[document.activeElement.id, document.activeElement.name]")
            if focused[0] == wanted[0]:
                return
            self.page.keyboard.press("ArrowDown" if wanted[1] and focused[1] == wanted[1] else "Tab")
        raise AssertionError(f"the keyboard does not lead to {wanted[0]} in {MOST_TABS} steps")
