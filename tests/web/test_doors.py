"""Where several processes serve a house, connections go to the one that has their table; nobody notices."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import Any

import pytest

from patience import HANG_TIMEOUT, waited_for

TABLES = 8
SERVE = (sys.executable, "-m", "kontor.cli", "serve", "--port", "0", "--thinkers", "1", "--workers", "2")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there several processes cannot share a port")


class House:
    """A house that two processes serve; its log tells which of them answered what."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [*SERVE, "--data", str(folder), "--log", "json", "--log-level", "info"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.port = int(self.process.stdout.readline().rpartition(":")[2])
        self._answers: SimpleQueue[dict[str, Any]] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()
        with closing(self.call()) as call:
            self.token = self.ask(call, "POST", "people", {"name": "Anna"})["token"]
            self.tables = [self._open(call) for _ in range(TABLES)]

    def _open(self, call: HTTPConnection) -> str:
        seats = [{"kind": "me"}, {"kind": "here", "name": "Carla"}]
        table: str = self.ask(call, "POST", "tables", {"game": "shanghaien", "seats": seats})["table"]
        return table

    def _listen(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            said = json.loads(line)
            if said.get("event") == "answered":
                self._answers.put(said)

    def call(self) -> HTTPConnection:
        """A new connection."""
        return HTTPConnection("127.0.0.1", self.port, timeout=HANG_TIMEOUT)

    def ask(self, call: HTTPConnection, method: str, path: str, body: object = None) -> Any:
        """The answer to a program."""
        headers = {"content-type": "application/json"}
        if hasattr(self, "token"):
            headers["authorization"] = f"Bearer {self.token}"
        call.request(method, f"/api/{path}", None if body is None else json.dumps(body), headers)
        answer = call.getresponse()
        assert answer.status in (200, 201), answer.status
        return json.loads(answer.read())

    def forget(self) -> None:
        """What has been answered so far: to the name, and to each table."""
        for _ in range(1 + TABLES):
            self.who_answered()

    def who_answered(self) -> int:
        """The process that gave the next answer."""
        worker: int = self._answers.get(timeout=HANG_TIMEOUT)["worker"]
        return worker

    def who_answers(self, call: HTTPConnection, path: str) -> int:
        """The process that answers this."""
        self.ask(call, "GET", path)
        return self.who_answered()


@contextmanager
def house_in(folder: Path) -> Iterator[House]:
    house = House(folder)
    try:
        house.forget()
        yield house
    finally:
        house.process.terminate()
        assert house.process.wait(HANG_TIMEOUT) == 0
        for stream in (house.process.stdout, house.process.stderr):
            assert stream
            stream.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house_in(tmp_path_factory.mktemp("house")) as house:
        yield house


def test_each_table_has_its_process_whatever_connection_asks(house: House) -> None:
    having = {}
    for table in house.tables:
        workers = set()
        for _ in range(6):
            with closing(house.call()) as call:
                workers.add(house.who_answers(call, f"tables/{table}"))
        assert len(workers) == 1
        having[table] = workers.pop()
    assert len(set(having.values())) == 2, "both have some"


def test_one_connection_goes_from_process_to_process_as_it_asks_about_tables(house: House) -> None:
    with closing(house.call()) as call:
        first = [house.who_answers(call, f"tables/{table}") for table in house.tables]
        assert len(set(first)) == 2
        line = call.sock
        assert [house.who_answers(call, f"tables/{table}") for table in house.tables] == first
        assert call.sock is line, "it is one connection all the time"


def test_pages_and_streams_go_there_too(house: House) -> None:
    for table in house.tables:
        with closing(house.call()) as call:
            having = house.who_answers(call, f"tables/{table}")
            call.request("GET", f"/tables/{table}")
            call.getresponse().read()
            assert house.who_answered() == having


def head(house: House, method: str, path: str, more: str = "") -> bytes:
    always = f"host: 127.0.0.1:{house.port}\r\nauthorization: Bearer {house.token}\r\n"
    return f"{method} {path} HTTP/1.1\r\n{always}{more}\r\n".encode()


def answered(line: socket.socket, number: int) -> bytes:
    """All that comes until so many answers have begun and the last is whole."""
    got = b""
    while got.count(b"HTTP/1.1 ") < number or not got.rstrip().endswith((b"}", b"]")):
        piece = line.recv(65536)
        assert piece, got
        got += piece
    return got


def test_a_body_that_comes_later_follows_its_head(house: House) -> None:
    for table in house.tables:
        body = json.dumps({"text": "Ahoy"}).encode()
        more = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
        with socket.create_connection(("127.0.0.1", house.port), HANG_TIMEOUT) as line:
            line.sendall(head(house, "POST", f"/api/tables/{table}/chat", more))
            sleep(0.05)
            line.sendall(body[:5])
            sleep(0.05)
            line.sendall(body[5:])
            assert answered(line, 1).startswith(b"HTTP/1.1 201")


def test_requests_that_come_together_are_answered_in_their_order(house: House) -> None:
    asked = b"".join(head(house, "GET", f"/api/tables/{table}") for table in house.tables)
    with socket.create_connection(("127.0.0.1", house.port), HANG_TIMEOUT) as line:
        line.sendall(asked)
        got = answered(line, TABLES)
    places = [got.index(f'"{table}"'.encode()) for table in house.tables]
    assert places == sorted(places)


def test_a_line_that_comes_in_pieces_is_answered_by_whoever_has_it(house: House) -> None:
    for table in house.tables:
        asked = head(house, "GET", f"/api/tables/{table}")
        with socket.create_connection(("127.0.0.1", house.port), HANG_TIMEOUT) as line:
            for piece in (asked[:9], asked[9:30], asked[30:]):
                line.sendall(piece)
                sleep(0.02)
            assert table.encode() in answered(line, 1)


def test_where_one_is_gone_the_other_answers_and_then_its_successor(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        with closing(house.call()) as call:
            having = {table: house.who_answers(call, f"tables/{table}") for table in house.tables}
        gone = having[house.tables[0]]
        os.kill(gone, signal.SIGKILL)
        orphans = [table for table, worker in having.items() if worker == gone]
        for table in orphans:
            with closing(house.call()) as call:
                assert house.who_answers(call, f"tables/{table}") != gone

        def replaced() -> bool:
            """Whether one who was not there before has taken the place."""
            with closing(house.call()) as call:
                successors = {house.who_answers(call, f"tables/{table}") for table in orphans}
            return len(successors) == 1 and not successors <= set(having.values())

        waited_for(replaced)
