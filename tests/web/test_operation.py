"""Operation: a server shows its operator whether it is fit, and its metrics."""

import os
import re
import resource
import signal
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import httpx
import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from kontor.server import readiness
from kontor.server.composition import KontorServer
from kontor.server.readiness import DATABASE_TIMEOUT, SILENT, UNWRITABLE
from kontor.thinking import Thinkers
from kontor.web.operation import metrics
from ports import free_ports
from postgresql import TEMPLATE, server
from timeouts import HANG_TIMEOUT, waited_for
from web import test_workers as workers
from web.conftest import Refused, Served
from web.guests import Guest
from web.slow_players import Program
from web.test_serve import Process, serving

pytestmark = pytest.mark.process

SHANGHAIEN = {"game": "shanghaien", "options": {"starter": 0}}


class Figures:
    """Metrics as Prometheus would read them from a port."""

    def __init__(self, port: int) -> None:
        self.at = f"127.0.0.1:{port}"
        self._before: dict[tuple[str, frozenset[tuple[str, str]]], float] = {}

    def begin(self) -> None:
        """Count the metrics from their present values on."""
        self._before = {(sample.name, frozenset(sample.labels.items())): sample.value for sample in self.samples()}

    def text(self) -> str:
        """Return the text of all metrics."""
        return httpx.get(f"http://{self.at}/metrics").raise_for_status().text

    def samples(self) -> Iterator[Any]:
        """Yield each sample with its labels."""
        for family in text_string_to_metric_families(self.text()):
            yield from family.samples

    def __call__(self, name: str, **labels: str) -> float:
        """Return the sum of a metric over all samples with these labels, since ``begin`` if that was called."""
        total = 0.0
        for sample in self.samples():
            if sample.name == name and labels.items() <= sample.labels.items():
                total += sample.value - self._before.get((name, frozenset(sample.labels.items())), 0.0)
        return total


class Counted(NamedTuple):
    """KontorServer that shows metrics, and those metrics."""

    address: str
    figures: Figures


COUNTED: Final = pytest.mark.xdist_group("figures of a server")
ITS_OWN: Final = pytest.mark.xdist_group("whether a server is fit")
"""Mark of the tests that run in one process, with one server."""


@pytest.fixture(scope="module")
def counted_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counted]:
    """Yield a server in a process of its own, and its metrics from its start on."""
    figures = Figures(free_ports())
    with serving(tmp_path_factory.mktemp("house"), 0, "--metrics", figures.at) as served:
        yield Counted(served.first, figures)


@pytest.fixture
def counted_anew(counted_service: Counted) -> Counted:
    """Return the same server; its metrics are counted from the beginning of the test."""
    counted_service.figures.begin()
    return counted_service


# ----------------------------------------------------------------------------------------------------- readiness


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def fit(folder: Path) -> Iterator[Process]:
    """Yield a server in a process of its own, which is fit before each test."""
    with serving(folder) as served:
        yield served


@ITS_OWN
def test_it_says_that_it_lives_and_that_it_is_fit(fit: Process) -> None:
    waited_for(lambda: not unfit_reason(fit.first))
    for path, word in (("health", "well"), ("ready", "ready")):
        answer = httpx.get(f"{fit.first}/{path}")
        assert (answer.status_code, answer.text) == (200, word)
        assert answer.headers["cache-control"] == "no-store"


def test_it_is_not_fit_while_it_ends_but_lives(served: Served) -> None:
    served.hub.closing = True
    try:
        answer = httpx.get(f"{served.address}/ready")
        assert (answer.status_code, answer.text) == (503, "ending")
        assert httpx.get(f"{served.address}/health").status_code == 200
    finally:
        served.hub.closing = False


@ITS_OWN
def test_it_is_not_fit_when_a_newer_kontor_has_changed_the_database(fit: Process, folder: Path) -> None:
    waited_for(lambda: not unfit_reason(fit.first))
    with closing(sqlite3.connect(folder / "kontor.db")) as db:
        (before,) = db.execute("select version_num from alembic_version").fetchone()
        db.execute("update alembic_version set version_num = 'from-the-future'")
        db.commit()
        answer = waited_for(lambda: unfit_reason(fit.first))
        assert answer == "the database is another version's", "and not which version"
        db.execute("update alembic_version set version_num = ?", (before,))
        db.commit()
    waited_for(lambda: not unfit_reason(fit.first))


def test_it_is_not_fit_without_its_database(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        served.service.close()
        answer = httpx.get(f"{served.address}/ready")
        assert (answer.status_code, answer.text) == (503, SILENT)
        assert httpx.get(f"{served.address}/health").status_code == 200, "to start it anew would not help"


@ITS_OWN
def test_it_is_not_fit_when_its_disk_is_full(fit: Process) -> None:
    assert waited_for(lambda: httpx.get(f"{fit.first}/ready").text == "ready")
    resource.prlimit(fit.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    assert waited_for(lambda: unfit_reason(fit.first)) == UNWRITABLE
    with Guest(fit.first) as berta:
        assert berta.get("/").status == 200, "who only looks sees all as it is"
    resource.prlimit(fit.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert waited_for(lambda: httpx.get(f"{fit.first}/ready").text == "ready")


def test_a_database_that_has_become_a_standby_is_read_and_whoever_writes_is_told() -> None:
    with server() as postgres, Served(postgres.address(TEMPLATE)) as served:
        with served.guest("Anna") as anna:
            assert httpx.get(f"{served.address}/ready").text == "ready"
            page = anna.get("/you")
            postgres.execute("UPDATE tokens SET expires = expires - 864000000", database=TEMPLATE)
            postgres.turn_into_standby()
            assert waited_for(lambda: unfit_reason(served.address)) == UNWRITABLE
            for path in ("/", "/you", "/rules/shanghaien"):
                assert anna.get(path).status == 200, "the session that is to be prolonged hinders nobody"
            refusal = anna.press(page.button("name-go"), name="Berta")
            assert refusal.status == 503
            assert (
                "The database cannot be written right now. Nothing was changed; try again in a minute."
                in refusal.html
            )
        answer = httpx.post(f"{served.address}/api/people", json={"name": "Emil"})
        assert (answer.status_code, answer.json()["status"]) == (503, 503)


def test_strangers_who_ask_make_it_write_no_more_often(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        commits = "SELECT total_changes()"
        with served.service._transactions.storage.writing() as db:
            before = db.exec_driver_sql(commits).scalar_one()
        for _ in range(100):
            httpx.get(f"{served.address}/ready")
        with served.service._transactions.storage.writing() as db:
            after = db.exec_driver_sql(commits).scalar_one()
        assert after - before < 50


def unfit_reason(address: str) -> str:
    """Return the reason why the server is not fit, or an empty string."""
    answer = httpx.get(f"{address}/ready")
    return answer.text if answer.status_code == 503 else ""


def test_a_database_that_hangs_is_waited_for_a_second_by_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, goes_on, now = [], threading.Event(), 1000.0

    def hangs(service: KontorServer) -> bool:
        calls.append(service)
        return goes_on.wait(HANG_TIMEOUT)

    assert DATABASE_TIMEOUT == 1
    monkeypatch.setattr(KontorServer, "is_current", hangs)
    monkeypatch.setattr(readiness, "time", SimpleNamespace(monotonic=lambda: now))
    with Served(tmp_path) as served:
        answers = [httpx.get(f"{served.address}/ready") for _ in range(3)]
        assert [(answer.status_code, answer.text) for answer in answers] == [(503, SILENT)] * 3
        now += 10
        assert unfit_reason(served.address) == SILENT
        assert len(calls) == 1, "whoever asks again waits for the same answer"
        goes_on.set()
        waited_for(lambda: not unfit_reason(served.address))
        now += 10
        assert not unfit_reason(served.address), "asked anew, at a moment that is known"
        first = len(calls)
        now += 2.99
        httpx.get(f"{served.address}/ready")
        assert len(calls) == first, "an answer is good for three seconds"
        now += 0.01
        httpx.get(f"{served.address}/ready")
        assert len(calls) == first + 1


# -------------------------------------------------------------------------------------------------------- metrics


def open_table(host: Program, *seats: dict[str, str]) -> str:
    """Open a table of Shanghaien at which its opener sits first and begins; return its id."""
    table: str = host.post("/tables", **SHANGHAIEN, seats=[{"kind": "me"}, *seats])["table"]
    return table


def move(program: Program, table: str) -> None:
    """Play the first legal move."""
    offered = program.get(f"/tables/{table}/moves?limit=1")
    program.post(f"/tables/{table}/moves", number=offered["number"], move=offered["moves"][0])


@COUNTED
def test_moves_are_counted_by_game_and_by_who_made_them(counted_anew: Counted) -> None:
    figures = counted_anew.figures
    with Program(counted_anew.address, "Anna") as anna:
        table = open_table(anna, {"kind": "here", "name": "Bernd"})
        for _ in range(4):
            move(anna, table)
        assert figures("kontor_moves_total", game="shanghaien", by="person") == 4
        assert figures("kontor_moves_total", by="machine") == 0
        machine = {"kind": "machine", "player": "random"}
        anna.post("/tables", game="dutchman", options={"players": 3}, seats=[machine] * 3)
        waited_for(lambda: figures("kontor_moves_total", game="dutchman", by="machine") > 1)
        assert figures("kontor_moves_total", by="person") == 4
        waited_for(lambda: figures("kontor_thought_seconds_total") > 0)


@COUNTED
def test_refused_moves_are_counted_by_kind_but_not_by_rule(counted_anew: Counted) -> None:
    figures = counted_anew.figures
    with Program(counted_anew.address, "Anna") as anna:
        table = open_table(anna, {"kind": "here", "name": "Bernd"})
        offered = anna.get(f"/tables/{table}/moves?limit=1")
        path = f"{anna.client.base_url}tables/{table}/moves"
        late = {"number": offered["number"] + 7, "move": offered["moves"][0]}
        illegal = {"number": offered["number"], "move": {"type": "place", "number": 1, "end": 0}}
        nonsense = {"number": offered["number"], "move": {"type": "sing"}}
        for body, status, kind in ((late, 409, "Conflict"), (nonsense, 400, "Malformed")):
            assert anna.client.post(path, json=body).status_code == status
            assert figures("kontor_refused_moves_total", kind=kind, by="person") == 1
        assert anna.client.post(path, json=illegal).status_code in (400, 422)
        assert figures("kontor_refused_moves_total") == 3
        assert not re.search(r'"[SH]\d', figures.text()), "which rule it was would tell what somebody tried"


@COUNTED
def test_answers_are_counted_by_the_template_of_their_route(counted_anew: Counted) -> None:
    figures = counted_anew.figures
    with Program(counted_anew.address, "Anna") as anna:
        table = open_table(anna, {"kind": "friend"})
        invitation = anna.post(f"/tables/{table}/seats/1/invitation")["invitation"]
        httpx.get(f"{counted_anew.address}/invitations/{table}/1/{invitation}")
        httpx.get(f"{counted_anew.address}/a/place/for/{invitation}")
        httpx.post(f"{counted_anew.address}/tables/{table}/chat", headers={"origin": "https://elsewhere.example"})
        httpx.request("BREW", f"{counted_anew.address}/")
        count = "kontor_answer_seconds_count"
        assert figures(count, method="POST", route="/api/tables", status="2xx") == 1
        assert figures(count, method="GET", route="/invitations/{table}/{seat}/{invitation}", status="2xx") == 1
        assert figures(count, method="GET", route="(none)", status="4xx") == 1
        assert figures(count, method="POST", route="(none)", status="4xx") == 1, "another site's form"
        text = figures.text()
        assert table not in text
        assert invitation not in text


@COUNTED
def test_streams_are_counted_and_how_long_a_move_takes_to_their_screens(counted_anew: Counted) -> None:
    figures = counted_anew.figures

    def counted(number: int) -> bool:
        return figures("kontor_move_to_screen_seconds_count") == number

    with Program(counted_anew.address, "Anna") as anna:
        table = open_table(anna, {"kind": "here", "name": "Bernd"})
        with (
            anna.client.stream("GET", f"/tables/{table}/stream") as one,
            httpx.stream("GET", f"{counted_anew.address}/tables/{table}/live", timeout=HANG_TIMEOUT) as other,
        ):
            frames = [events(one), events(other)]
            for each in frames:
                next(each)
            assert counted(0), "nobody waited for the first frame"
            for moves in (1, 2, 3):
                move(anna, table)
                for each in frames:
                    next(each)
                # A frame may tell of something else: two moves in one frame would be counted once.
                waited_for(partial(counted, 2 * moves))
            assert figures("kontor_move_to_screen_seconds_sum") > 0
            waited_for(lambda: figures("kontor_open_streams") == 2)
        waited_for(lambda: figures("kontor_open_streams") == 0)
        assert figures("kontor_dropped_streams_total") == 0, "they went by themselves"


def events(answer: httpx.Response) -> Iterator[None]:
    """Yield after each event with data."""
    has_data = False
    for line in answer.iter_lines():
        has_data |= line.startswith("data:")
        if not line and has_data:
            has_data = False
            yield


def test_tables_are_counted_by_what_they_are(tmp_path: Path) -> None:
    figures = Figures(free_ports())
    with Served(tmp_path) as served, Program(served.address, "Anna") as anna:
        assert served.service.listing.count_tables() == {"waiting": 0, "playing": 0, "over": 0}
        for seats in ([{"kind": "open"}], [{"kind": "here", "name": "Bernd"}], [{"kind": "here", "name": "Carla"}]):
            open_table(anna, *seats)
    with serving(tmp_path, 0, "--metrics", figures.at) as again:
        waited_for(lambda: figures("kontor_tables", status="playing") == 2)
        assert figures("kontor_tables", status="waiting") == 1
        assert figures("kontor_workers") == 1
        assert figures("kontor_thinkers") >= 1
        assert figures("kontor_processor_seconds_total") > 0
        assert figures("kontor_resident_bytes") > 1 << 20
        assert again.end(signal.SIGTERM)[0] == 0, "figures do not keep it from ending"


def test_a_database_that_fails_is_counted(tmp_path: Path) -> None:
    before = failures()
    with Served(tmp_path) as served:
        served.machines.stop()
        served.service.close()
        assert httpx.get(f"{served.address}/").status_code == 503
    assert failures() > before


def failures() -> float:
    """Return the number of failures of the databases that this process has open."""
    return metrics.REGISTRY.get_sample_value("kontor_database_failures_total") or 0.0


@COUNTED
def test_nobody_is_shown_figures_where_people_play(counted_anew: Counted, served: Served) -> None:
    assert "kontor_moves" in counted_anew.figures.text()
    for address in (counted_anew.address, served.address):
        answer = httpx.get(f"{address}/metrics")
        assert answer.status_code == 404
        assert "kontor_moves" not in answer.text


@pytest.mark.parametrize("at", ["9464", "127.0.0.1", "127.0.0.1:http", "127.0.0.1:99999", ":9464"])
def test_what_is_no_address_shows_no_figures(at: str) -> None:
    with Thinkers(1) as thinkers, pytest.raises(metrics.CannotShow) as refusal, metrics.serve_metrics(at, thinkers):
        pass
    assert f"“{at}”" in str(refusal.value)


def test_an_address_at_which_figures_cannot_be_shown_is_told_in_a_sentence(refused: Refused, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        at = f"127.0.0.1:{taken.getsockname()[1]}"
        message = refused("--metrics", at, "--port", "0", "--data", str(tmp_path))
        assert message.startswith(f"The metrics cannot be served at {at}: ")


@pytest.mark.extended
def test_each_worker_tells_its_own_figures_and_whoever_takes_a_place_begins_anew(database: str) -> None:
    ports = free_ports(2)
    figures = [Figures(ports + place) for place in range(2)]
    words = ("--workers", "2", "--metrics", figures[0].at, "--log", "json", "--log-level", "info")
    with workers.serving(database, *words) as served:
        with ExitStack() as open_:
            watching = []  # the streams are closed when these are dropped
            for place, address in enumerate(served.addresses):
                anna = open_.enter_context(Program(address, "Anna"))
                for _ in range(place + 1):
                    table = open_table(anna, {"kind": "here", "name": "Bernd"})
                    path = f"{address}/tables/{table}/live"
                    watching.append(events(open_.enter_context(httpx.stream("GET", path, timeout=HANG_TIMEOUT))))
                    next(watching[-1])
                    move(anna, table)
                    next(watching[-1])
            for number, figure in enumerate(figures, 1):
                assert figure("kontor_moves_total", game="shanghaien", by="person") == number
                assert figure("kontor_workers") == 1
                assert figure("kontor_thinkers") == 1
                waited_for(lambda: figure("kontor_open_streams") == number)  # noqa: B023 (called at once)
                waited_for(lambda: figure("kontor_move_to_screen_seconds_count") == number)  # noqa: B023
            pids = served.workers()
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            waited_for(lambda: len(served.workers()) == 2 and not {*served.workers()} & {*pids})
        for address, figure in zip(served.addresses, figures, strict=True):
            assert waited_for(lambda: httpx.get(f"{address}/ready").text) == "ready"  # noqa: B023
            assert figure("kontor_moves_total") == 0
        code, complaints = served.end()
    assert code == 0
    lines = [msgspec.json.decode(line) for line in complaints.splitlines()]
    assert len({line["worker"] for line in lines if line["event"] == "answered"}) > 1
    assert sum("takes its place" in line["event"] for line in lines) == 2
