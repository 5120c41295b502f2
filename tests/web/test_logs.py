"""Log: the format of its lines, and the secrets that are never in them, nor in the metrics."""

import io
import logging
import re
import signal
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
import pytest

from kontor import errors
from kontor.game import Refusal
from kontor.records import Record, encode_line
from kontor.storage import errors as storage_errors
from kontor.web.http.site import Site
from kontor.web.operation import logs, metrics
from kontor.work.incidents import Incident
from profiles import extended_after
from timeouts import run_to_end
from web.conftest import Served
from web.slow_players import Program
from web.test_operation import move, open_table
from web.test_secrets import OFTEN, Play, Reader, play_dutchman, play_shanghaien
from web.test_serve import FOR_EVER, Process, serve_with, serving


def record_of(name: str, message: object, *args: object, **more: Any) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.ERROR, __file__, 1, message, args, more.pop("exc_info", None))
    made.__dict__.update(more)
    return made


def fail_message(message: str) -> Any:
    try:
        raise ValueError(message)
    except ValueError as error:
        return type(error), error, error.__traceback__


# --------------------------------------------------------------------------------------------------------- format


def test_a_line_for_programs_is_one_object() -> None:
    made = record_of("kontor.web.requests", "answered", method="GET", route="/tables/{table}", status=200)
    line = msgspec.json.decode(logs.Json().format(made))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line.pop("time"))
    assert isinstance(line.pop("worker"), int)
    assert line == {
        "level": "error",
        "from": "kontor.web.requests",
        "event": "answered",
        "method": "GET",
        "route": "/tables/{table}",
        "status": 200,
    }


def test_a_line_for_people_says_the_same() -> None:
    made = record_of("kontor.web", "a request failed", method="GET", route="/", error="ValueError at play.py:7")
    assert logs.Plain().format(made) == (
        "ERROR kontor.web: a request failed (method=GET route=/ error=ValueError at play.py:7)"
    )
    assert (
        logs.Plain().format(record_of("kontor.tables", "%s failed", "A turn")) == "ERROR kontor.tables: A turn failed"
    )


@pytest.mark.parametrize("style", [logs.Plain(), logs.Json()])
def test_a_line_stays_one_line_and_holds_nothing_unexpected(style: logging.Formatter) -> None:
    secret = bytes(range(20)).hex()
    for made in (
        record_of("kontor.web", "two\nlines", token=secret, exc_info=fail_message(secret)),
        record_of("uvicorn.error", f"Exception in ASGI application\n{secret}", exc_info=fail_message(secret)),
        record_of("asyncio", f"Task exception was never retrieved\nfuture: <Task exception={secret}>"),
        record_of("psycopg", "cannot connect with %s", secret),
    ):
        line = style.format(made)
        assert len(line.splitlines()) == 1
        assert secret not in line
    assert "ValueError at test_logs.py:" in style.format(
        record_of("uvicorn.error", "oh", exc_info=fail_message(secret))
    )


def test_what_nobody_caught_is_a_line_too(log_stream: io.StringIO) -> None:
    def break_down() -> None:
        raise ValueError("a secret")

    thread = threading.Thread(target=break_down)
    thread.start()
    thread.join()
    (line,) = lines(log_stream)
    assert line["level"] == "critical"
    assert line["error"].startswith("ValueError at test_logs.py:")
    assert "secret" not in log_stream.getvalue()


@pytest.fixture
def log_stream(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Yield the whole log in JSON, at the most detailed level."""
    written = io.StringIO()
    root, ours = logging.getLogger(), logging.getLogger("kontor")
    before = root.handlers[:], root.level, ours.level
    for hook in ("sys.excepthook", "sys.unraisablehook", "threading.excepthook"):
        monkeypatch.setattr(hook, None)
    monkeypatch.setattr("sys.stderr", written)
    for client in ("httpx", "httpcore"):  # the log of the visitors' own programs is not the server's log
        monkeypatch.setattr(logging.getLogger(client), "propagate", False)
    logs.begin(logs.Style.JSON, logs.Level.DEBUG)
    yield written
    root.handlers[:], level, ours_level = before
    root.setLevel(level)
    ours.setLevel(ours_level)


def lines(written: io.StringIO) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in written.getvalue().splitlines()]


# ------------------------------------------------------------------------------------------------------ as a process


@pytest.mark.process
def test_a_server_tells_each_request_in_a_line_of_json_where_that_is_wanted(tmp_path: Path) -> None:
    with serving(tmp_path, 0, "--log", "json", "--log-level", "info") as served:
        with Program(served.first, "Anna") as anna:
            table = open_table(anna, {"kind": "here", "name": "Bernd"})
            move(anna, table)
        code, complaints = served.end(signal.SIGTERM)
    assert code == 0
    log = [msgspec.json.decode(line) for line in complaints.splitlines()]
    answered = [(line["method"], line["route"], line["status"]) for line in log if line["event"] == "answered"]
    assert answered == [
        ("POST", "/api/people", 201),
        ("POST", "/api/tables", 201),
        ("GET", "/api/tables/{table}/moves", 200),
        ("POST", "/api/tables/{table}/moves", 201),
    ]
    assert all(line["milliseconds"] > 0 for line in log if line["event"] == "answered")
    assert table not in complaints


def garbage(served: Process, times: int) -> None:
    """Send data that is not HTTP, as strangers do."""
    for _ in range(times):
        with socket.create_connection(("127.0.0.1", served.port)) as rude:
            rude.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
            assert rude.recv(100).startswith(b"HTTP/1.1 400 ")


@pytest.mark.process
def test_of_a_flood_of_garbage_the_log_tells_the_first_and_at_the_end_how_much_there_was(tmp_path: Path) -> None:
    with serving(
        tmp_path, 0, "--log", "json", serve=serve_with(kontor__web__operation__logs__THROTTLE=FOR_EVER)
    ) as served:
        garbage(served, 20)
        code, complaints = served.end(signal.SIGTERM)
    assert code == 0
    log = [msgspec.json.decode(line) for line in complaints.splitlines()]
    assert [(line["event"], line["count"]) for line in log] == [
        ("requests are refused that are no HTTP, or too long", count) for count in (1, 19)
    ]


@pytest.mark.process
def test_what_is_left_of_a_flood_is_told_although_nobody_comes_any_more(tmp_path: Path) -> None:
    with serving(
        tmp_path, 0, "--log", "json", serve=serve_with(kontor__web__operation__logs__THROTTLE=0.5)
    ) as served:
        garbage(served, 20)
        counts: list[int] = []

        def hear() -> None:
            assert served.process.stderr
            while sum(counts) < 20:
                counts.append(msgspec.json.decode(served.process.stderr.readline())["count"])

        run_to_end(hear)
    assert sum(counts) == 20
    assert counts[0] == 1


# ------------------------------------------------------------------------------------------------------ secrets


EVENTS = {
    "answered",
    "answered without a route",
    "requests are refused that are no HTTP, or too long",
    "a request failed",
    "The computer player random of dutchman failed: ValueError at test_logs.py:N",
    "A turn at a table of dutchman failed: StorageFailure at X",
    "A round of the computer players failed: StorageFailure at X",
    "A listener failed: RuntimeError",
    "Computer players wait: The database cannot be written right now. Nothing was changed; try again in a minute.",
    "The database failed: SQLITE_BUSY",
}
"""Known texts of our own log lines in these games. Before you add one, check the values that are put into it."""


def fails(matter: bytes) -> bytes:
    """Fail as a computer player would, with an error that quotes everything it was given."""
    raise ValueError(matter)


@contextmanager
def writers_locked_out(folder: Path) -> Iterator[None]:
    """Lock the database for writing, as another program would."""
    with closing(sqlite3.connect(folder / "kontor.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.long
@pytest.mark.parametrize("play", extended_after(1, [play_shanghaien, play_dutchman]), ids=["shanghaien", "dutchman"])
def test_through_a_whole_game_in_which_all_goes_wrong_neither_log_nor_figures_tell_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_stream: io.StringIO, play: Play
) -> None:
    secrets: set[str] = set()
    with ExitStack() as people, Served(tmp_path, think=fails) as served:
        readers = [people.enter_context(Reader(served, seat, name)) for seat, name in enumerate(NAMES)]
        for reader in readers:
            secrets |= {reader.id, reader.token, reader.guest.client.cookies["kontor"]}
        served.service.listen(quoting)
        monkeypatch.setattr(Site, "page", sometimes_failing(Site.page))
        for place, table in enumerate(play(served, monkeypatch, readers)):
            if place % OFTEN == 0:
                secrets |= {table, *try_everything(served, readers, table, place)}
        with writers_locked_out(tmp_path):
            refused = readers[0].program.post("/api/tables", json=TABLE)
            assert refused.status_code == 503
        record = served.service.tables.record(table)
    assert record.ending
    secrets |= {record.ending.seed, *NAMES, TEXT, SALT}
    check_lines(log_stream, secrets, record)
    check_figures(secrets)


NAMES = ("Wilhelmine", "Ferdinand", "Kunigunde")
TEXT = "Between ourselves, dear friend"
SALT = "grain-of-salt"
TABLE = {"game": "shanghaien", "options": {"starter": 0}, "seats": [{"kind": "me"}, {"kind": "friend"}], "salt": SALT}


def quoting(table: str) -> None:
    """Fail as a listener would, with an error that quotes the table."""
    raise RuntimeError(table)


def sometimes_failing(page: Any) -> Any:
    """Return a function that makes a page, or fails on request, with an error that quotes the page's content."""

    def fail_sometimes(site: Site, template: str, visitor: Any, **context: Any) -> Any:
        if visitor.path.endswith("break=down"):
            raise ValueError(template, visitor, context)
        return page(site, template, visitor, **context)

    return fail_sometimes


def try_everything(served: Served, readers: list[Reader], table: str, place: int) -> Iterator[str]:
    """Do everything wrong that strangers and players can do; yield the secrets in it."""
    anna = readers[0]
    program, browser = anna.program, anna.guest
    made = program.post("/api/tables", json=TABLE).json()["table"]
    invitation = program.post(f"/api/tables/{made}/seats/1/invitation").json()["invitation"]
    link = f"{invitation[:-4]}abcd"
    for path in (
        f"/tables/{table}?break=down",
        f"/tables/{table}/{place}?seat=1",
        f"/invitations/{made}/1/{invitation}?break=down",
        f"/invitations/{made}/1/{link}",
        f"/device/{link}",
        f"/{link}",
    ):
        browser.client.get(path)
    for json in ({"number": place, "move": {"type": "lay", "horseshoes": [47, 12]}}, {"number": invitation}, link):
        assert program.post(f"/api/tables/{table}/moves", json=json).status_code >= 400
    program.post(f"/api/tables/{table}/moves", content=b'{"move": "%s' % link.encode())
    program.post(f"/api/tables/{table}/chat", json={"text": TEXT})
    httpx.get(f"{served.address}/api/me", headers={"authorization": f"Bearer {link}"})
    httpx.post(f"{served.address}/tables/{table}/chat", data={"text": TEXT}, headers={"origin": "https://x.example"})
    browser.post(f"/tables/{table}/chat", {"text": TEXT, "token": link})
    with socket.create_connection(("127.0.0.1", int(served.address.rpartition(":")[2]))) as rude:
        rude.sendall(b"GET /tables/%s nonsense\r\n%s\r\n\r\n" % (table.encode(), link.encode()))
        rude.recv(100)
    yield from (made, invitation, link)


def check_lines(log_stream: io.StringIO, secrets: set[str], record: Record) -> None:
    """Check that no line holds a secret, and that our own lines hold only known texts."""
    text = log_stream.getvalue()
    assert [secret for secret in secrets if secret in text] == []
    assert [step for step in record.steps if encode_line(step).decode().strip() in text] == []
    logged_lines = lines(log_stream)
    ours = [line for line in logged_lines if line["from"].startswith("kontor")]
    assert {plain(line["event"]) for line in ours} <= EVENTS
    allowed = {"time", "level", "from", "event", "worker", *logs.FIELDS}
    assert all(line.keys() <= allowed for line in logged_lines)
    failures = [line for line in ours if line["event"] == "a request failed"]
    assert failures, "something did go wrong"
    assert all(re.fullmatch(r"\w+( at \w+\.py:\d+( < \w+\.py:\d+)*)?", line["error"]) for line in failures)
    assert {"A listener failed: RuntimeError", "The database failed: SQLITE_BUSY"} <= {line["event"] for line in ours}


def plain(event: str) -> str:
    """Return the event without line numbers."""
    event = re.sub(r"(test_logs\.py):\d+.*", r"\1:N", event)
    return re.sub(r"(StorageFailure at ).*", r"\1X", event)


LOOPS = {
    *("computer players", "figures", "news of others", "news to others", "nightly reviews", "notifier", "operator"),
    *("poll of changes", "ratings", "thinker", "web server", "workers"),
    *("deadlines", "sweeps", "tournaments"),
}
"""Loops of a server, and those in which some items can be set aside."""


def check_figures(secrets: set[str]) -> None:
    """Check that each label is one of a few words that are known beforehand."""
    allowed = {
        "game": {"shanghaien", "dutchman"},
        "by": {"person", "machine"},
        "kind": {
            refusal.__name__
            for module in (errors, storage_errors)
            for refusal in vars(module).values()
            if isinstance(refusal, type) and issubclass(refusal, Refusal)
        }
        | {"IllegalMove", *get_args(Incident)},
        "method": {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"},
        "status": {"1xx", "2xx", "3xx", "4xx", "5xx", "waiting", "playing", "over"},
        "too_many": {"address", "all"},
        "step": {str(number) for number in range(1, 13)},  # the steps of a lesson
        "loop": LOOPS,
        "le": None,
        "route": None,
    }
    routes = set()
    for family in metrics.REGISTRY.collect():
        for sample in family.samples:
            for label, value in sample.labels.items():
                words = allowed[label]
                assert words is None or value in words, sample
                assert not [secret for secret in secrets if secret in value]
                if label == "route":
                    routes.add(value)
    assert {"(none)", "/tables/{table}", "/invitations/{table}/{seat}/{invitation}"} <= routes
    assert all(re.fullmatch(r"\(none\)|(/(\{\w+\}|[\w.-]*))+", route) for route in routes)
