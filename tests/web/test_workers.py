"""Several processes that serve one house: what happens at one is seen at the other, and none of them is needed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import httpx
import pytest

from postgresql import Server, execute

SERVE = (sys.executable, "-m", "kontor.web", "--port", "0", "--thinkers", "1")
PATIENCE = 40.0

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


class Process:
    """A house in processes of its own."""

    def __init__(self, database: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*SERVE, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "LANGUAGE": "en", "KONTOR_DATABASE": database},
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://"), self.end()

    def workers(self) -> list[int]:
        """Those that serve."""
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, parent = status.read_text().rpartition(")")[2].split()[:2]
                words = (status.parent / "cmdline").read_bytes().split(b"\0")
                if int(parent) == self.process.pid and state != "Z" and b"kontor.web.worker" in words:
                    found.append(int(status.parent.name))
        return found

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, float, str]:
        """The exit code, how long it took, and what was complained of."""
        begun = time.monotonic()
        self.process.send_signal(how)
        _, complaints = self.process.communicate(timeout=20)
        return self.process.returncode, time.monotonic() - begun, complaints


@contextmanager
def serving(database: str, *arguments: str) -> Iterator[Process]:
    served = Process(database, *arguments)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.process.terminate()
            try:
                served.process.communicate(timeout=20)
            finally:
                served.process.kill()


def waited_for(happens: Callable[[], Any]) -> Any:
    """What is given as soon as it is something."""
    until = time.monotonic() + PATIENCE
    while not (given := happens()):
        assert time.monotonic() < until
        time.sleep(0.05)
    return given


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Program:
    """A person's program, that plays by the API."""

    def __init__(self, address: str, token: str = "") -> None:
        self.client = httpx.Client(base_url=f"{address}/api/", timeout=20)
        self.token = token or self._named()
        self.client.headers["authorization"] = f"Bearer {self.token}"

    def _named(self) -> str:
        token: str = self.client.post("people", json={"name": "Anna"}).raise_for_status().json()["token"]
        return token

    def at(self, address: str) -> Program:
        """The same person at another process."""
        return Program(address, self.token)

    def open(self, *seats: dict[str, str]) -> str:
        """A table of Shanghaien, for practice."""
        made = self.client.post("tables", json={"game": "shanghaien", "seats": seats, "hints": True})
        assert made.status_code == 201, made.text
        table: str = made.json()["table"]
        return table

    def get(self, path: str) -> Any:
        """What there is to be seen."""
        return self.client.get(path).raise_for_status().json()

    def play(self, table: str) -> int:
        """Plays some move of whoever is to move; the number of the last line then."""
        moves = self.get(f"tables/{table}/moves")
        move = {"number": moves["number"], "move": moves["moves"][0]}
        number: int = self.client.post(f"tables/{table}/moves", json=move).raise_for_status().json()["number"]
        return number


ME = {"kind": "me"}
CARLA = {"kind": "here", "name": "Carla"}
MACHINE = {"kind": "machine", "player": "random"}


class Watcher:
    """A program that watches a table by the stream, and comes back when it is cut off, as browsers do."""

    def __init__(self, program: Program, table: str) -> None:
        self._program = program
        self._path = f"tables/{table}/stream"
        self._numbers: SimpleQueue[int] = SimpleQueue()
        self.begun = 0
        self._gone = False
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def sees(self, number: int) -> None:
        """Waits until a line has been seen."""
        until = time.monotonic() + PATIENCE
        while self._numbers.get(timeout=max(0, until - time.monotonic())) < number:
            pass

    def nothing(self, seconds: float) -> bool:
        """Whether nothing comes for so long."""
        try:
            self._numbers.get(timeout=seconds)
        except Empty:
            return True
        return False

    def leave(self) -> None:
        self._gone = True

    def _watch(self) -> None:
        while not self._gone:
            with suppress(httpx.HTTPError), self._program.client.stream("GET", self._path) as stream:
                self.begun += 1
                for line in stream.iter_lines():
                    if line.startswith("id: "):
                        self._numbers.put(int(line.removeprefix("id: ").split(".")[0]))
                    if self._gone:
                        return
            time.sleep(0.1)


@pytest.fixture
def two(database: str) -> Iterator[tuple[Process, Process]]:
    """One house on two machines, as it were."""
    with serving(database) as one, serving(database) as other:
        yield one, other


def test_a_move_at_one_is_seen_on_a_stream_of_the_other(two: tuple[Process, Process]) -> None:
    one, other = two
    anna = Program(one.address)
    table = anna.open(ME, CARLA)
    watcher = Watcher(anna.at(other.address), table)
    for _ in range(10):
        begun = time.monotonic()
        number = anna.play(table)
        watcher.sees(number)
        assert time.monotonic() - begun < 2, "by the news, not by looking now and then"
        assert anna.at(other.address).get(f"tables/{table}/view")["number"] == number
    assert anna.at(other.address).play(table) > number
    watcher.leave()


def test_whatever_becomes_of_the_news_nobody_misses_a_move(two: tuple[Process, Process], database: str) -> None:
    one, other = two
    anna = Program(one.address)
    table = anna.open(ME, CARLA)
    watcher = Watcher(anna.at(other.address), table)
    watcher.sees(anna.play(table))
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = ?"
    for _ in range(3):
        assert execute(database, cut, database.partition("@/")[2].partition("?")[0])
        watcher.sees(anna.play(table))
    watcher.leave()


def test_a_hint_asked_for_at_one_is_shown_by_the_other_and_after_a_restart(database: str) -> None:
    with serving(database) as one, serving(database) as other:
        anna = Program(one.address)
        table = anna.open(ME, CARLA)
        anna.play(table)
        hinted = anna.client.post(f"tables/{table}/hint", json={}).raise_for_status().json()
        assert anna.at(other.address).client.post(f"tables/{table}/hint", json={}).json() == hinted
    with serving(database) as again:
        assert anna.at(again.address).client.post(f"tables/{table}/hint", json={}).json() == hinted
        said = anna.at(again.address).get(f"tables/{table}/chat")
        assert sum(row["kind"] == "hint" for row in said) == 1


def test_workers_share_a_port_and_end_in_time(database: str) -> None:
    with serving(database, "--workers", "3") as served:
        workers = served.workers()
        assert len(workers) == 3
        anna = Program(served.address)
        tables = [anna.open(ME, CARLA) for _ in range(3)]
        watchers = [Watcher(anna.at(served.address), table) for table in tables]
        for table, watcher in zip(tables, watchers, strict=True):
            watcher.sees(anna.at(served.address).play(table))
        for watcher in watchers:
            watcher.leave()
        code, took, complaints = served.end()
        assert (code, complaints) == (0, "")
        assert took < 4
        waited_for(lambda: not any(map(lives, workers)))


def test_one_that_is_killed_is_replaced_and_everybody_goes_on(database: str) -> None:
    with serving(database, "--workers", "2") as served:
        anna = Program(served.address)
        own, theirs = anna.open(ME, CARLA), anna.open(MACHINE, MACHINE)
        watcher = Watcher(anna.at(served.address), own)
        leader = (
            "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE locktype = 'advisory' AND granted AND datname = current_database()"
        )
        for _ in range(3):
            workers = served.workers()
            ((name,),) = waited_for(lambda: execute(database, leader))
            pid = int(name.removeprefix("kontor "))
            assert pid in workers
            os.kill(pid, signal.SIGKILL)
            before = anna.at(served.address).get(f"tables/{theirs}")["number"]
            waited_for(lambda: anna.at(served.address).get(f"tables/{theirs}")["number"] > before)
            waited_for(lambda gone=pid: len(alive := served.workers()) == 2 and gone not in alive)
            watcher.sees(anna.at(served.address).play(own))
        watcher.leave()
        code, _, complaints = served.end()
        assert code == 0
        assert complaints.count("another takes its place") == 3


def test_when_the_one_that_watches_is_killed_its_workers_end(database: str) -> None:
    with serving(database, "--workers", "2") as served:
        workers = served.workers()
        assert len(workers) == 2
        served.end(signal.SIGKILL)
        waited_for(lambda: not any(map(lives, workers)))


def test_a_database_that_ends_under_play_is_told_and_play_goes_on_when_it_is_back(
    postgres: Server, database: str
) -> None:
    with serving(database, "--workers", "2") as served:
        anna = Program(served.address)
        own, theirs = anna.open(ME, CARLA), anna.open(MACHINE, MACHINE)
        watcher = Watcher(anna.at(served.address), own)
        for how in (signal.SIGINT, signal.SIGQUIT):  # in order; and in the way of a crash
            number = anna.play(own)
            watcher.sees(number)
            postgres.stop(how)
            refused = anna.client.get(f"tables/{own}/view")
            assert refused.status_code == 503
            assert "database just now" in refused.json()["reason"]
            refused = anna.client.post(f"tables/{own}/moves", json={"number": number, "move": {}})
            assert refused.status_code == 503
            page = httpx.get(f"{served.address}/")
            assert page.status_code == 503
            assert "database just now" in page.text
            postgres.start()
            waited_for(lambda: anna.client.get(f"tables/{own}/view").status_code == 200)
            assert anna.get(f"tables/{own}/view")["number"] == number
            watcher.sees(anna.play(own))
            before = anna.get(f"tables/{theirs}")["number"]
            waited_for(lambda was=before: anna.get(f"tables/{theirs}")["number"] > was)
        watcher.leave()
        code, _, complaints = served.end()
        assert code == 0
        assert "Traceback" not in complaints


def test_a_password_is_in_no_list_of_processes(postgres: Server, database: str) -> None:
    name = database.partition("@/")[2].partition("?")[0]
    postgres.execute("CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'marzipan'")
    try:
        with serving(postgres.address(name, "guarded", "marzipan"), "--workers", "2") as served:
            anna = Program(served.address)
            anna.open(ME, MACHINE)
            for pid in (served.process.pid, *served.workers()):
                assert b"marzipan" not in Path(f"/proc/{pid}/cmdline").read_bytes()
            for pid in served.workers():
                assert b"marzipan" not in Path(f"/proc/{pid}/environ").read_bytes()
            assert "marzipan" not in served.end()[2]
    finally:
        postgres.execute("REASSIGN OWNED BY guarded TO postgres")
        postgres.execute("DROP ROLE guarded")


def refused(*arguments: str, **environment: str) -> str:
    """What is said when it cannot serve: a sentence, and no traceback."""
    run = subprocess.run(
        [*SERVE, *arguments],
        capture_output=True,
        text=True,
        timeout=40,
        env={**os.environ, "LANGUAGE": "en", **environment},
        check=False,
    )
    assert run.returncode == 1, run
    assert run.stdout == ""
    assert len(run.stderr.splitlines()) == 1, run.stderr
    return run.stderr.strip()


def test_what_stands_in_the_way_is_told_in_a_sentence(postgres: Server, tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert "--database" in refused("--data", folder, "--workers", "2")
    assert "KONTOR_DATABASE" in refused("--data", folder, KONTOR_DATABASE=postgres.address("postgres"))
    for workers in ("1", "2"):
        said = refused("--workers", workers, "--database", postgres.address("nowhere"))
        assert said == 'The database postgresql:///nowhere is not open to us: database "nowhere" does not exist.'
    said = refused("--database", "postgresql://anna:marzipan@127.0.0.1:1/house")
    assert said.startswith("There is no PostgreSQL at postgresql://127.0.0.1:1/house: ")
    assert "marzipan" not in said
