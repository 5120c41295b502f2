"""Watchers that read nothing: no other at the table waits for them, and after a while they are disconnected."""

import socket
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Self

import pytest

from faults.movers import CARLA, ME, Caller
from faults.server_processes import SMALL, Servers
from kontor.server.serving import GRACE
from timeouts import HANG_TIMEOUT, waited_for

CHAIRS = (ME, CARLA, CARLA | {"name": "Dora"})
DEAD = 10
ESTABLISHED = "01"
MOVES = 40
FOR_EVER = 3600.0
"""Seconds: longer than any test runs."""


class Watcher:
    """A program that watches a table, and records the last line it has seen."""

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
        self._thread.join(HANG_TIMEOUT)
        self._line.close()

    def wait_for_line(self, number: int) -> None:
        while self.seen < number:
            assert self._news.wait(HANG_TIMEOUT), f"line {number} is never shown"
            self._news.clear()

    def _watch(self) -> None:
        with self._line.makefile("rb") as stream:
            for line in stream:
                if line.startswith(b"id: "):
                    self.seen = int(line.removeprefix(b"id: "))
                    self._news.set()


def request(caller: Caller, table: str) -> bytes:
    lines = (f"GET /api/tables/{table}/stream HTTP/1.1", "host: 127.0.0.1", f"authorization: Bearer {caller.token}")
    return "\r\n".join((*lines, "", "")).encode()


def dead_watcher(caller: Caller, port: int, table: str) -> socket.socket:
    """Open a connection that requests the stream, and never reads a byte of it."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    line.connect(("127.0.0.1", port))
    line.sendall(request(caller, table))
    return line


def play(caller: Caller, port: int, table: str) -> None:
    """Make some moves; before each next one, a watcher that reads must have seen the last."""
    with Watcher(caller, port, table) as watcher:
        for _ in range(MOVES):
            seen = caller.insist("GET", f"tables/{table}/moves")
            move = {"number": seen["number"], "move": seen["moves"][0]}
            watcher.wait_for_line(caller.insist("POST", f"tables/{table}/moves", move)["number"])


def connections(port: int) -> int:
    """Return the number of established connections that the kernel has for a port."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(at.endswith(f":{port:04X}") and state == ESTABLISHED for _, at, _, state, *_ in rows)


def is_cut(line: socket.socket) -> bool:
    """Return True if the connection ends after the data that was already received."""
    line.settimeout(HANG_TIMEOUT)
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    return True


def test_nobody_waits_for_one_who_reads_nothing_and_the_server_can_end(tmp_path: Path) -> None:
    """Check watchers that are never disconnected: a wait for them would never end.

    Only the end of the server cuts them off, after the grace time for responses.
    """
    assert GRACE == 2, "it is promised to end within three seconds"
    with ExitStack() as opened:
        with Servers(tmp_path / "server", tmp_path, send_timeout=FOR_EVER) as servers:
            servers.begin()
            anna = opened.enter_context(Caller(servers.ports))
            anna.come_in("Anna")
            table = anna.open("dutchman", *CHAIRS)
            dead = [opened.enter_context(dead_watcher(anna, servers.port, table)) for _ in range(DEAD)]
            play(anna, servers.port, table)
            assert connections(servers.port) >= DEAD, "they are all there still"
        assert "timeout graceful shutdown exceeded" in servers.complaints()
        assert all(map(is_cut, dead))


@pytest.mark.extended  # in the usual run nobody waits for them
def test_who_reads_nothing_is_let_go(tmp_path: Path) -> None:
    with Servers(tmp_path / "server", tmp_path) as servers, ExitStack() as opened:
        servers.begin()
        anna = opened.enter_context(Caller(servers.ports))
        anna.come_in("Anna")
        table = anna.open("dutchman", *CHAIRS)
        dead = [opened.enter_context(dead_watcher(anna, servers.port, table)) for _ in range(DEAD)]
        play(anna, servers.port, table)
        waited_for(lambda: connections(servers.port) <= 1)  # anna’s own, as long as it is kept
        assert all(map(is_cut, dead))
        play(anna, servers.port, anna.open("dutchman", *CHAIRS))  # and the server goes on
