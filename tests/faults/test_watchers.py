"""Watchers that take nothing: the others at the table do not notice, and after a while they are let go."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import monotonic
from typing import Self

from faults.movers import CARLA, ME, Caller, waited_for
from faults.nursery import PATIENCE, SMALL, Servers

CHAIRS = (ME, CARLA, CARLA | {"name": "Dora"})
DEAD = 10
ESTABLISHED = "01"
MOVES = 40
MORE = 0.1
"""Seconds that a move may take longer to be seen, on a machine that has other things to do."""


class Watcher:
    """A program that watches a table, and notes when it has seen which line."""

    def __init__(self, caller: Caller, port: int, table: str) -> None:
        self._line = socket.create_connection(("127.0.0.1", port))
        self._line.sendall(request(caller, table))
        self._thread = Thread(target=self._watch, daemon=True)
        self._news = Event()
        self.seen = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        self._line.close()

    def sees(self, number: int) -> float:
        """When the line has been seen."""
        until = monotonic() + PATIENCE
        while self.seen < number:
            assert self._news.wait(until - monotonic())
            self._news.clear()
        return monotonic()

    def _watch(self) -> None:
        with self._line.makefile("rb") as told:
            for line in told:
                if line.startswith(b"id: "):
                    self.seen = int(line.removeprefix(b"id: "))
                    self._news.set()


def request(caller: Caller, table: str) -> bytes:
    """Asks for the stream of a table."""
    lines = (f"GET /api/tables/{table}/stream HTTP/1.1", "host: 127.0.0.1", f"authorization: Bearer {caller.token}")
    return "\r\n".join((*lines, "", "")).encode()


def dead_watcher(caller: Caller, port: int, table: str) -> socket.socket:
    """One that asks for the stream, and never reads a byte of it."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    line.connect(("127.0.0.1", port))
    line.sendall(request(caller, table))
    return line


def played(caller: Caller, port: int, table: str) -> list[float]:
    """Seconds from each move until a watcher that reads has seen it."""
    took = []
    with Watcher(caller, port, table) as watcher:
        for _ in range(MOVES):
            seen = caller.insist("GET", f"tables/{table}/moves")
            begun = monotonic()
            move = {"number": seen["number"], "move": seen["moves"][0]}
            number = caller.insist("POST", f"tables/{table}/moves", move)["number"]
            took.append(watcher.sees(number) - begun)
    return took


def connections(port: int) -> int:
    """How many the kernel keeps for those who serve on a port."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(at.endswith(f":{port:04X}") and state == ESTABLISHED for _, at, _, state, *_ in rows)


def is_cut(line: socket.socket) -> bool:
    """Whether nothing comes any more but what lay there already."""
    line.settimeout(1)
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    return True


def test_who_reads_nothing_slows_nobody_and_is_let_go(tmp_path: Path) -> None:
    with Servers(tmp_path / "house", tmp_path) as servers, ExitStack() as opened:
        servers.begin()
        anna = opened.enter_context(Caller(servers.port))
        anna.come_in("Anna")
        alone = played(anna, servers.port, anna.open("dutchman", *CHAIRS))
        table = anna.open("dutchman", *CHAIRS)
        dead = [opened.enter_context(dead_watcher(anna, servers.port, table)) for _ in range(DEAD)]
        beside = played(anna, servers.port, table)
        assert median(beside) < median(alone) + MORE
        assert connections(servers.port) == DEAD + 1, "they are given time"
        waited_for(lambda: connections(servers.port) == 1)
        assert all(map(is_cut, dead))
        assert played(anna, servers.port, anna.open("dutchman", *CHAIRS)), "and the house goes on"
