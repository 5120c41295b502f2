"""Several processes of one server: a change at one is seen at the others, and the server can do without any one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from time import sleep
from typing import Any, Self

import httpx
import pytest

from kontor.server.options import ServeOptions
from kontor.server.readiness import SILENT
from kontor.server.workers import _WorkerSlot
from ports import free_ports
from postgresql import Server, execute
from timeouts import HANG_TIMEOUT, waited_for
from web.conftest import Refused
from web.test_serve import FOR_EVER, IN_PROC, lives, serve_with

SERVE = (sys.executable, "-m", "kontor.cli", "serve", "--port", "0", "--thinkers", "1")

pytestmark = IN_PROC


class Process:
    """Server in processes of its own."""

    def __init__(self, database: str, *arguments: str, serve: tuple[str, ...] = SERVE) -> None:
        self.process = subprocess.Popen(
            [*serve, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "LANGUAGE": "en", "KONTOR_DATABASE": database},
        )
        assert self.process.stdout
        number = int(arguments[arguments.index("--workers") + 1]) if "--workers" in arguments else 1
        self.addresses = [self.process.stdout.readline().strip() for _ in range(number)]
        assert all(address.startswith("http://") for address in self.addresses), self.end()
        self.address = self.addresses[0]

    def workers(self) -> list[int]:
        pids = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, parent = status.read_text().rpartition(")")[2].split()[:2]
                words = (status.parent / "cmdline").read_bytes().split(b"\0")
                if int(parent) == self.process.pid and state != "Z" and b"--multiprocessing-fork" in words:
                    pids.append(int(status.parent.name))
        return pids

    def end(self, signal_number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; return the exit code and the standard error."""
        self.process.send_signal(signal_number)
        _, complaints = self.process.communicate(timeout=HANG_TIMEOUT)
        return self.process.returncode, complaints


@contextmanager
def serving(database: str, *arguments: str, serve: tuple[str, ...] = SERVE) -> Iterator[Process]:
    served = Process(database, *arguments, serve=serve)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.process.terminate()
            try:
                served.process.communicate(timeout=HANG_TIMEOUT)
            finally:
                served.process.kill()


class Program:
    """Program of a person that plays by the API."""

    def __init__(self, open_ones: ExitStack, address: str, token: str = "") -> None:
        self._open_ones = open_ones
        self.client = open_ones.enter_context(httpx.Client(base_url=f"{address}/api/", timeout=HANG_TIMEOUT))
        self.token = token or self._named()
        self.client.headers["authorization"] = f"Bearer {self.token}"

    def _named(self) -> str:
        token: str = self.client.post("people", json={"name": "Anna"}).raise_for_status().json()["token"]
        return token

    def at(self, address: str) -> Program:
        return Program(self._open_ones, address, self.token)

    def open(self, *seats: dict[str, str]) -> str:
        made = self.client.post("tables", json={"game": "shanghaien", "seats": seats, "hints": True})
        assert made.status_code == 201, made.text
        table: str = made.json()["table"]
        return table

    def get(self, path: str) -> Any:
        """Return the decoded response to a GET request."""
        return self.client.get(path).raise_for_status().json()

    def watch(self, address: str, table: str) -> Watcher:
        """Watch a table by a process, until the end of the test."""
        return self._open_ones.enter_context(Watcher(self.at(address), table))

    def play(self, table: str) -> int:
        """Play the first legal move of the mover; return the number of the last line after it."""
        moves = self.get(f"tables/{table}/moves")
        move = {"number": moves["number"], "move": moves["moves"][0]}
        number: int = self.client.post(f"tables/{table}/moves", json=move).raise_for_status().json()["number"]
        return number


ME = {"kind": "me"}
CARLA = {"kind": "here", "name": "Carla"}
MACHINE = {"kind": "machine", "player": "random"}


class Watcher:
    """Program that watches a table by the stream, and reconnects when it is cut off, as browsers do."""

    def __init__(self, program: Program, table: str) -> None:
        self._program = program
        self._path = f"tables/{table}/stream"
        self._numbers: SimpleQueue[int] = SimpleQueue()
        self._gone = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._gone.set()
        self._thread.join(HANG_TIMEOUT)
        assert not self._thread.is_alive()

    def wait_for_line(self, number: int) -> None:
        while self._numbers.get(timeout=HANG_TIMEOUT) < number:
            pass

    def _watch(self) -> None:
        while not self._gone.is_set():
            sleep(0.1)
            with suppress(httpx.HTTPError), self._program.client.stream("GET", self._path) as stream:
                for line in stream.iter_lines():
                    if line.startswith("id: "):
                        self._numbers.put(int(line.removeprefix("id: ").split(".")[0]))


@pytest.fixture
def anna_at() -> Iterator[Callable[[str], Program]]:
    """Yield a function that makes a program of a new person at a process.

    The programs end after the processes, which cut their streams.
    """
    with ExitStack() as open_ones:
        yield partial(Program, open_ones)


Come = Callable[[str], Program]


NEVER_LOOKS = (
    *serve_with(kontor__storage__notifications__POLL_INTERVAL=FOR_EVER),
    *SERVE[SERVE.index("serve") + 1 :],
)
"""Command ``kontor serve`` that hears of others only by notifications, and never polls."""


def test_a_move_at_one_is_seen_on_a_stream_of_the_other_and_so_is_a_hint(database: str, anna_at: Come) -> None:
    """Check that a notification alone is enough, without polling."""
    with serving(database, serve=NEVER_LOOKS) as one, serving(database, serve=NEVER_LOOKS) as other:
        anna = anna_at(one.address)
        table = anna.open(ME, CARLA)
        anna.play(table)
        hinted = anna.client.post(f"tables/{table}/hint", json={}).raise_for_status().json()
        assert anna.at(other.address).client.post(f"tables/{table}/hint", json={}).json() == hinted
        chat = anna.at(other.address).get(f"tables/{table}/chat")
        assert sum(row["kind"] == "hint" for row in chat) == 1, "neither reckons what the other has"
        watcher = anna.watch(other.address, table)
        for _ in range(10):
            number = anna.play(table)
            watcher.wait_for_line(number)
            assert anna.at(other.address).get(f"tables/{table}/view")["number"] == number
        assert anna.at(other.address).play(table) > number


@pytest.mark.extended
def test_whatever_becomes_of_the_news_nobody_misses_a_move(database: str, anna_at: Come) -> None:
    with serving(database) as one, serving(database) as other:
        anna = anna_at(one.address)
        table = anna.open(ME, CARLA)
        watcher = anna.watch(other.address, table)
        watcher.wait_for_line(anna.play(table))
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = ?"
        for _ in range(3):
            waited_for(lambda: execute(database, cut, database.partition("@/")[2].partition("?")[0]))
            watcher.wait_for_line(anna.play(table))


def test_workers_have_the_next_ports_tell_each_other_keep_a_password_and_end_with_ctrl_c(
    postgres: Server, database: str, anna_at: Come
) -> None:
    name = database.partition("@/")[2].partition("?")[0]
    postgres.execute("CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'marzipan'")
    first = free_ports(3)
    words = ("--workers", "3", "--port", str(first))
    try:
        with serving(postgres.address(name, "guarded", "marzipan"), *words) as served:
            workers = served.workers()
            assert len(workers) == 3
            assert served.addresses == [f"http://127.0.0.1:{port}" for port in range(first, first + 3)]
            anna = anna_at(served.address)
            table = anna.open(ME, CARLA)
            watchers = [anna.watch(address, table) for address in served.addresses]
            for address in served.addresses:
                number = anna.at(address).play(table)
                for watcher in watchers:
                    watcher.wait_for_line(number)
            for pid in (served.process.pid, *workers):
                assert b"marzipan" not in Path(f"/proc/{pid}/cmdline").read_bytes()
            for pid in workers:
                assert b"marzipan" not in Path(f"/proc/{pid}/environ").read_bytes()
            is_ended_by_ctrl_c(served)
    finally:
        postgres.execute("REASSIGN OWNED BY guarded TO postgres")
        postgres.execute("DROP ROLE guarded")


def is_ended_by_ctrl_c(served: Process) -> None:
    """Check Ctrl+C, which a terminal sends to all processes: the parent alone handles it, and ends the others."""
    workers = served.workers()
    for pid in workers:
        os.kill(pid, signal.SIGINT)
    assert all(httpx.get(f"{address}/ready").text == "ready" for address in served.addresses)
    assert served.end(signal.SIGINT) == (0, "")
    waited_for(lambda: not any(map(lives, workers)))


def went_on(program: Program, table: str, number: int) -> bool:
    """Return True if the table has more lines than ``number``, or the game is over."""
    seen = program.get(f"tables/{table}")
    return bool(seen["number"] > number or seen["status"] == "over")


def is_replaced(served: Process, pid: int) -> bool:
    workers = served.workers()
    return len(workers) == 2 and pid not in workers


def leader_of(database: str) -> int | None:
    """Return the leader, which plays for the computer players: the process that holds a lock."""
    statement = (
        "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)"
        " WHERE locktype = 'advisory' AND granted AND datname = current_database()"
    )
    return next((int(name.removeprefix("kontor ")) for (name,) in execute(database, statement)), None)


@pytest.mark.extended  # the usual run replaces one that dies by itself
def test_one_that_is_killed_is_replaced_and_everybody_goes_on(database: str, anna_at: Come) -> None:
    with serving(database, "--workers", "2") as served:
        anna = anna_at(served.address)
        own, machines = anna.open(ME, CARLA), anna.open(MACHINE, MACHINE)
        watchers = [anna.watch(address, own) for address in served.addresses]
        workers = served.workers()
        pid = waited_for(partial(leader_of, database))
        assert pid in workers
        os.kill(pid, signal.SIGKILL)
        for address in served.addresses:  # a request to the worker that is gone waits for the next
            before = anna.at(address).get(f"tables/{machines}")["number"]
            waited_for(partial(went_on, anna.at(address), machines, before))
        waited_for(partial(is_replaced, served, pid))
        for address in served.addresses:
            number = anna.at(address).play(own)
            for watcher in watchers:
                watcher.wait_for_line(number)
        code, complaints = served.end()
        assert code == 0
        assert complaints.count("another takes its place") == 1


def pid_in(place: _WorkerSlot) -> int | None:
    return place._running.process.pid if place._running else None


@pytest.mark.process
def test_one_that_dies_again_and_again_is_replaced_later_and_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the growing pauses: a database that is gone is not asked without end.

    A worker that has run for a while ends the series of failures.
    """
    now = 1000.0
    monkeypatch.setattr("kontor.server.workers.monotonic", lambda: now)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = _WorkerSlot("postgresql://127.0.0.1:1/house", listening, ServeOptions(place=""))
        place.begin()
        try:
            for lived, pause in ((1, 0.25), (2, 0.5), (29, 1), (0, 2), (0, 4), (0, 8), (0, 10), (0, 10), (31, 0.25)):
                pid = pid_in(place)
                assert pid
                now += lived
                os.kill(pid, signal.SIGKILL)
                waited_for(place.has_ended)
                place.look_after()
                now += pause - 0.01
                place.look_after()
                assert pid_in(place) is None
                now += 0.02
                place.look_after()
        finally:
            place.end(now)


def says_that_it_is(word: str, address: str) -> bool:
    """Return True if a server says this word of its readiness."""
    return httpx.get(f"{address}/ready").text == word


def test_a_database_that_ends_under_play_is_told_until_it_is_back_and_workers_end_with_the_one_that_watches(
    postgres: Server, database: str, anna_at: Come
) -> None:
    with serving(database, "--workers", "2") as served:
        anna = anna_at(served.address)
        own, machines = anna.open(ME, CARLA), anna.open(MACHINE, MACHINE)
        watcher = anna.watch(served.address, own)
        for signal_number in (signal.SIGINT, signal.SIGQUIT):  # an orderly end of the database, and a crash
            number = anna.play(own)
            watcher.wait_for_line(number)
            postgres.stop(signal_number)
            refused = anna.client.get(f"tables/{own}/view")
            assert refused.status_code == 503
            assert "cannot be read right now" in refused.json()["reason"]
            refused = anna.client.post(f"tables/{own}/moves", json={"number": number, "move": {}})
            assert refused.status_code == 503
            for address in served.addresses:
                page = httpx.get(f"{address}/")
                assert page.status_code == 503
                assert "cannot be read right now" in page.text
                waited_for(partial(says_that_it_is, SILENT, address))
                assert httpx.get(f"{address}/health").status_code == 200
            postgres.start()
            for address in served.addresses:
                waited_for(partial(says_that_it_is, "ready", address))
            waited_for(lambda: anna.client.get(f"tables/{own}/view").status_code == 200)
            assert anna.get(f"tables/{own}/view")["number"] == number
            watcher.wait_for_line(anna.play(own))
            before = anna.get(f"tables/{machines}")["number"]
            waited_for(partial(went_on, anna, machines, before))
        workers = served.workers()
        _, complaints = served.end(signal.SIGKILL)
        assert "Traceback" not in complaints
        assert len(workers) == 2
        waited_for(lambda: not any(map(lives, workers)))


def test_what_stands_in_the_way_is_told_in_a_sentence(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, postgres: Server, tmp_path: Path
) -> None:
    folder = str(tmp_path)
    with monkeypatch.context() as environment:
        environment.setenv("KONTOR_DATABASE", postgres.address("postgres"))
        assert "KONTOR_DATABASE" in refused("--data", folder)
    for workers in ("1", "2"):
        message = refused("--workers", workers, "--database", postgres.address("nowhere"))
        assert message == 'The database postgresql:///nowhere refused access: database "nowhere" does not exist.'
    assert "one process" in refused("--workers", "2", "--data", folder)
    assert not [*tmp_path.iterdir()], "nothing was begun"
    for words in (("--port", "65535"), ("--metrics", "127.0.0.1:65535")):
        assert "port" in refused("--workers", "2", *words, "--database", postgres.address("postgres"))
    message = refused("--database", "postgresql://anna:marzipan@127.0.0.1:1/house")
    assert message.startswith("There is no PostgreSQL at postgresql://127.0.0.1:1/house: ")
    assert "marzipan" not in message
