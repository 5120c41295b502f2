"""A real server on a real port, and real browsers."""

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, Self

import pytest
import uvicorn
from playwright.sync_api import expect, sync_playwright

from folders import with_database
from kontor.cli.serve import main
from kontor.holidays.store import USUAL_DAYS
from kontor.notifying.values import SendKind
from kontor.server.app import application
from kontor.server.composition import KontorServer, utc_now
from kontor.server.connections import Connection
from kontor.server.machines import Machines
from kontor.server.site import SiteOptions
from kontor.storage import Place
from kontor.thinking import Thinkers
from kontor.thinking.thinkers import Work
from kontor.thinking.turn_tasks import choose
from kontor.web.http.limits import LIMITS, Limit, Limits
from kontor.web.live.hub import Hub
from kontor.words import Words
from timeouts import HANG_TIMEOUT, run_to_end, waited_for
from web.browsers import BROWSER_TIMEOUT, Chromium, Pages, chromium_path
from web.firefox import Firefox, firefox_path, run_firefox
from web.guests import Guest

GENEROUS = {limit: Limit(100_000, 100_000) for limit in LIMITS}


class PlacesOfFailures(logging.Handler):
    """A handler that prints where a request failed, so that a failed test tells it."""

    def emit(self, record: logging.LogRecord) -> None:
        if place := getattr(record, "error", ""):
            sys.stderr.write(f"{record.getMessage()}: {place}\n")


class Served:
    """A server that is open to browsers within a ``with`` block."""

    def __init__(
        self,
        place: Place,
        limits: dict[str, Limit] | None = None,
        think: Work = choose,
        *,
        contact: str = "",
        holidays: int = USUAL_DAYS,
        ways: frozenset[SendKind] = frozenset(),
        push_key: str = "",
        check_url: Callable[[str], None] = lambda _: None,
        passkeys: bool = False,
        address: str = "",
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Open a server.

        ``think`` is the work that takes the turns of computer players. ``ways`` are the notification channels; the
        ``push_key`` is that of browsers. ``check_url`` checks the addresses of webhooks. ``address`` is the server's
        address as the operator gives it.
        """
        self.service = KontorServer.open(with_database(place) if isinstance(place, Path) else place, clock)
        self.thinkers = Thinkers(1)
        self.machines = Machines(
            self.service, lambda _, matter, asker: self.thinkers.submit(think, matter, asker), pause=lambda *_: 0.0
        )
        self.hub = Hub()
        app = application(
            self.service,
            self.thinkers,
            SiteOptions(
                address=address,
                contact=contact,
                holidays=holidays,
                ways=ways,
                push_key=push_key,
                check_url=check_url,
                passkeys=passkeys,
            ),
            limits=Limits(limits or GENEROUS),
            hub=self.hub,
        )
        config = uvicorn.Config(
            app,
            port=0,
            http=Connection,
            log_config=None,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
            access_log=False,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._places = PlacesOfFailures()

    def __enter__(self) -> Self:
        logging.getLogger("kontor.web").addHandler(self._places)
        self.machines.start()
        self._thread.start()
        waited_for(lambda: self._server.started)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: Any) -> None:
        logging.getLogger("kontor.web").removeHandler(self._places)
        self.hub.close()
        self._server.should_exit = True
        self._thread.join(HANG_TIMEOUT)
        self.machines.stop()
        self.thinkers.stop()
        self.service.close()

    def guest(self, name: str = "", **more: Any) -> Guest:
        """Return a guest whose browser runs no scripts."""
        return Guest(self.address, name, **more)

    def person_id(self, guest: Guest) -> str:
        """Return the id by which the server knows a guest."""
        person = self.service.people.holder_of_session(guest.client.cookies["kontor"])
        assert person
        return person.id


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield one server for all tests that don't disturb each other."""
    with Served(tmp_path_factory.mktemp("server")) as served:
        yield served


Refused = Callable[..., str]


Come = Callable[[Served, str], Guest]


@pytest.fixture
def come() -> Iterator[Come]:
    """Yield a function that makes a guest of a server; it is closed after the test."""
    with ExitStack() as stack:
        yield lambda served, name: stack.enter_context(served.guest(name))


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Refused]:
    """Yield a function that returns the message of ``kontor serve``, with given arguments, when it can't serve.

    The message is a sentence, with exit code 1 and no traceback. The command runs in a thread, where no server can
    run; its log levels and hooks are restored after the test.
    """
    loggers = [logging.getLogger(name) for name in ("", "kontor")]
    levels = [logger.level for logger in loggers]
    monkeypatch.setattr(loggers[0], "handlers", [*loggers[0].handlers])
    for module, hook in ((sys, "excepthook"), (sys, "unraisablehook"), (threading, "excepthook")):
        monkeypatch.setattr(module, hook, getattr(module, hook))

    def get_refusal(*arguments: str) -> str:
        codes: list[int] = []
        run_to_end(lambda: codes.append(main(arguments, Words("en"))))
        output = capsys.readouterr()
        assert (codes, output.out) == ([1], ""), output
        assert "Traceback" not in output.err
        return output.err.strip()

    yield get_refusal
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """Yield Debian's Chromium. Without it these tests are skipped; under CI they fail."""
    path = chromium_path()
    if path is None:
        reason = "Chromium is not installed: nothing is tried in it (apt-get install chromium-headless-shell)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        expect.set_options(timeout=BROWSER_TIMEOUT)
        chromium = Chromium(playwright, path)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def pages(chromium: Chromium, served: Served) -> Pages:
    """Return the pages of that server, which one test after another uses."""
    return Pages(chromium, served.address)


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Yield Debian's Firefox. Without it these tests are skipped; under CI they fail."""
    with run_firefox(firefox_path(), tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox
