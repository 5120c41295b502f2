"""Limits of streams and connections: nobody can take all of them."""

import asyncio
import resource
import socket
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import pytest

from kontor.web.live.hub import (
    MOST_STREAMS,
    MOST_STREAMS_A_TABLE,
    MOST_STREAMS_AN_ADDRESS,
    MOST_WATCHING,
    MOST_WINDOWS,
    ChangeEvent,
    Hub,
    TooManyStreams,
)
from kontor.web.operation.metrics import REGISTRY
from timeouts import HANG_TIMEOUT
from web.conftest import Served


def test_no_address_and_no_table_takes_all_streams() -> None:
    async def run() -> None:
        hub, open_streams = Hub(), []

        def fill(tables: list[str], addresses: list[str]) -> int:
            for number in range(MOST_STREAMS + 1):
                change_event = hub.change_event(
                    tables[number % len(tables)], addresses[number % len(addresses)], None
                )
                try:
                    change_event.__enter__()
                except TooManyStreams:
                    return number
                open_streams.append(change_event)
            return MOST_STREAMS + 1

        def check_empty() -> None:
            while open_streams:
                open_streams.pop().__exit__(None, None, None)

        many = [f"{number}" for number in range(MOST_STREAMS)]
        everywhere = [f"10.{number // 250}.{number % 250}.1" for number in range(MOST_STREAMS)]
        assert fill(many, ["192.0.2.7"]) == MOST_STREAMS_AN_ADDRESS
        with hub.change_event("another", "192.0.2.8", None):
            pass
        check_empty()
        assert fill(["one"], everywhere) == MOST_STREAMS_A_TABLE
        check_empty()
        assert fill(many, everywhere) == MOST_STREAMS
        check_empty()
        assert not hub._change_events
        assert not hub._by_network

    with ThreadPoolExecutor(1) as apart:  # a browser of another test may have a loop in this thread
        apart.submit(asyncio.run, run()).result()


def test_a_line_takes_no_more_than_half_of_all_streams_and_an_address_or_network_its_share_of_a_table() -> None:
    async def run() -> None:
        hub = Hub()
        with ExitStack() as all_open:

            def fill(table: str, addresses: Iterable[str]) -> int:
                number = 0
                for address in addresses:
                    with suppress(TooManyStreams):
                        all_open.enter_context(hub.change_event(f"{table} {number}", address, None))
                        number += 1
                return number

            line = [f"2001:db8:1:{number % 256:x}::1" for number in range(MOST_STREAMS)]
            assert fill("their table", line) == MOST_STREAMS // 2
            assert fill("another", ["2001:db8:2::1"]) == 1
        with ExitStack() as all_open:
            for number in range(MOST_WATCHING * 4):
                all_open.enter_context(hub.change_event("one", f"2001:db8:1:{number:x}::1", None))
            with pytest.raises(TooManyStreams), hub.change_event("one", "2001:db8:1:ff::1", None):
                pass
            all_open.enter_context(hub.change_event("one", "2001:db8:2::1", None))
        assert not hub._by_network

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, run()).result()


def test_whoever_sits_at_a_table_always_gets_a_stream() -> None:
    """Check whose stream is closed for it.

    First that of the newest onlooker, at the table or, where the server is full, at any; at last that of the person's
    own oldest window.
    """

    async def run() -> None:
        hub = Hub(most=MOST_STREAMS_A_TABLE + 1)
        with ExitStack() as all_open:

            def begin(table: str, address: str, sitter: str | None = None) -> ChangeEvent:
                return all_open.enter_context(hub.change_event(table, address, sitter))

            looking_on = [
                begin("crowded", f"10.0.{number // 10}.{number % 10}") for number in range(MOST_STREAMS_A_TABLE)
            ]
            begin("another", "192.0.2.1")
            begin("crowded", "192.0.2.7", "Anna")
            assert [stream.ended for stream in looking_on] == [False] * (MOST_STREAMS_A_TABLE - 1) + [True]
            begin("third", "192.0.2.7", "Anna")
            windows = [begin("fourth", "192.0.2.7", "Anna") for _ in range(MOST_WINDOWS + 1)]
            assert [window.ended for window in windows] == [True] + [False] * MOST_WINDOWS
            with pytest.raises(TooManyStreams):
                begin("fifth", "192.0.2.9")
        assert not hub._change_events
        assert hub.open == 0

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, run()).result()


def test_one_address_looks_on_at_a_table_ten_times_at_most() -> None:
    async def run() -> None:
        hub = Hub()
        with ExitStack() as all_open:
            for _ in range(MOST_WATCHING):
                all_open.enter_context(hub.change_event("table", "192.0.2.7", None))
            with pytest.raises(TooManyStreams), hub.change_event("table", "192.0.2.7", None):
                pass
            all_open.enter_context(hub.change_event("table", "192.0.2.8", None))
            all_open.enter_context(hub.change_event("table", "192.0.2.7", "Anna"))

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, run()).result()


def test_one_address_has_only_so_many_connections_unless_it_is_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor.server.connections.MOST_AN_ADDRESS", 5)
    with Served(tmp_path) as served, ExitStack() as all_open:
        is_answered = partial(_is_answered, served, all_open)
        refused = _count_refused("address")
        assert [is_answered("127.0.0.2") for _ in range(7)] == [True] * 5 + [False] * 2
        assert _count_refused("address") == refused + 2
        assert is_answered("127.0.0.3")
        assert all(is_answered("127.0.0.1") for _ in range(7))


def test_a_network_has_only_so_many_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.server.connections.MOST_AN_ADDRESS", 1)
    with Served(tmp_path) as served, ExitStack() as all_open:
        is_answered = partial(_is_answered, served, all_open)
        assert [is_answered(f"127.0.7.{number}") for number in range(1, 18)] == [True] * 16 + [False]
        assert is_answered("127.0.8.1")


def _is_answered(served: Served, opened: ExitStack, address: str) -> bool:
    """Open a connection from this address, which stays open; return True if a request is answered."""
    server = ("127.0.0.1", int(served.address.rpartition(":")[2]))
    line = opened.enter_context(socket.create_connection(server, HANG_TIMEOUT, (address, 0)))
    try:
        line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return line.recv(100).startswith(b"HTTP/1.1 200")
    except ConnectionError:
        return False


def _count_refused(reason: str) -> float:
    """Return the number of connections that this process has refused for a reason."""
    return REGISTRY.get_sample_value("kontor_refused_connections_total", {"too_many": reason}) or 0


@pytest.mark.process
def test_a_process_may_have_as_many_files_open_as_the_system_lets_it() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    code = (
        "import resource; from kontor.server.connections import most_connections\n"
        "print(most_connections(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    few = min(1024, soft)
    process = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard)),
    )
    connections, files = map(int, process.stdout.split())
    assert files == min(hard, 65_536)
    assert connections == files - 256
