"""``kontor serve`` as a process: its start, the obstacles to it, and its end."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from folders import with_database
from guests import MACHINE, ME, Clock, has_run, play_out, shanghaien
from kontor.cli import run
from kontor.server.composition import KontorServer, utc_now
from timeouts import HANG_TIMEOUT, waited_for
from web.conftest import Refused
from web.guests import Guest, open_shanghaien

pytestmark = pytest.mark.process

SERVE = (sys.executable, "-m", "kontor.cli", "serve")

IN_PROC = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc, which only Linux has")
LANGUAGE = {**os.environ, "LANGUAGE": "en"}


def serve_with(**settings: float) -> tuple[str, ...]:
    """Return the command ``kontor serve`` with some constants changed.

    In their names ``__`` stands for a dot.
    """
    where = [(name.replace("__", ".").rpartition("."), value) for name, value in settings.items()]
    changed = "".join(f"import {module}; {module}.{name} = {value}\n" for (module, _, name), value in where)
    return (sys.executable, "-c", f"{changed}from kontor.cli import main; main()", "serve")


class Process:
    def __init__(self, folder: Path, port: int = 0, *more: str, serve: tuple[str, ...] = SERVE) -> None:
        command = [*serve, "--port", str(port), "--data", str(with_database(folder)), *more]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=LANGUAGE
        )
        assert self.process.stdout
        self.first = self.process.stdout.readline().strip()
        self.port = int(self.first.rpartition(":")[2])

    def end(self, signal_number: signal.Signals) -> tuple[int, str]:
        """Send a signal; return the exit code and the standard error."""
        self.process.send_signal(signal_number)
        _, complaints = self.process.communicate(timeout=HANG_TIMEOUT)
        return self.process.returncode, complaints


@contextmanager
def serving(folder: Path, port: int = 0, *more: str, serve: tuple[str, ...] = SERVE) -> Iterator[Process]:
    served = Process(folder, port, *more, serve=serve)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.process.kill()
            served.process.communicate()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_of_itself_with_streams_open(tmp_path: Path, how: signal.Signals) -> None:
    """Check that the server ends the streams itself.

    Uvicorn would cut them after a grace period, and log that, but here the period never ends.
    """
    with serving(tmp_path, serve=serve_with(kontor__server__serving__GRACE=FOR_EVER)) as served:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", served.first), "the first line is the address"
        with Guest(served.first, "Anna") as anna:
            path = open_shanghaien(anna)
            program = f"/api{path}/stream"
            with anna.client.stream("GET", f"{path}/live") as one, anna.client.stream("GET", program) as two:
                pieces = [one.iter_raw(), two.iter_raw()]  # the streams are closed when these are dropped
                assert all(next(each) for each in pieces)
                assert served.end(how) == (0, "")
                for each in pieces:
                    assert [*each], "whoever watches is told that it was the end"


FOR_EVER = 3600.0
"""Seconds that no test lasts."""


def handles_signal(process: subprocess.Popen[str], number: signal.Signals) -> bool:
    (caught,) = re.findall(r"^SigCgt:\s+(\w+)", Path(f"/proc/{process.pid}/status").read_text(), re.MULTILINE)
    return bool(int(caught, 16) >> (number - 1) & 1)


@IN_PROC
def test_told_to_end_in_the_moment_before_it_serves_it_ends(tmp_path: Path) -> None:
    command = [*SERVE, "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        waited_for(
            lambda: handles_signal(process, signal.SIGTERM), pause=lambda: None
        )  # the moment is short, so no pause
        process.send_signal(signal.SIGTERM)
        try:
            _, complaints = process.communicate(timeout=HANG_TIMEOUT)
        finally:
            process.kill()
    assert (process.returncode, complaints) == (0, "")


def test_every_option_has_a_variable_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    monkeypatch.setenv("LANGUAGE", "en")
    assert run(["serve", "--help"]) == 0
    output = capsys.readouterr().out
    options = re.findall(r"^  --([a-z-]+).*\n((?:   .*\n)*)", output, re.MULTILINE)
    assert len(options) >= 18
    for option, rest in options:
        if option != "help":
            assert f"KONTOR_{option.replace('-', '_').upper()}" in output, f"{option}: {rest}"
    text = " ".join(output.split())
    usual = ("127.0.0.1", "1729", "2000", "~/.local/share/kontor")
    assert all(each in text for each in usual), "what is usual is told"


def test_help_explains_every_setting(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    assert run(["serve", "--help"]) == 0
    output = capsys.readouterr().out
    options = re.findall(r"^  (--[a-z-]+)", output, re.MULTILINE)
    assert len(options) >= 18
    for option in options:
        explained = rf"{option}(?: +\S+)?\s+[^\s-].*"  # beside it or, if it is long, below
        assert re.search(explained, output), option


def test_an_option_can_be_set_in_the_environment_also_to_start_where_leftovers_of_a_server_lie(
    tmp_path: Path, refused: Refused
) -> None:
    (tmp_path / "kontor.db-wal").write_bytes(b"left by a killed server")
    message = refused("--port", "0", "--data", str(tmp_path))
    assert "kontor.db-wal" in message
    assert "--start-empty" in message
    environment = {"KONTOR_PORT": "0", "KONTOR_DATA": str(tmp_path), "KONTOR_ALLOWED_HOST": "one.example two.example"}
    environment["KONTOR_START_EMPTY"] = "yes"
    with subprocess.Popen(SERVE, stdout=subprocess.PIPE, text=True, env={**LANGUAGE, **environment}) as process:
        try:
            assert process.stdout
            address = process.stdout.readline().strip()
            hosts = ("one.example", "two.example", "three.example")
            statuses = [httpx.get(address, headers={"host": host}).status_code for host in hosts]
        finally:
            process.terminate()
        assert process.wait(HANG_TIMEOUT) == 0
    assert statuses == [200, 200, 421]
    assert (tmp_path / "kontor.db").exists()


@IN_PROC
def test_killed_at_any_moment_it_goes_on_where_it_was(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Guest(served.first, "Anna") as anna:
        path = open_shanghaien(anna, chair__2="here", name__2="Bernd", starter="0")
        page = anna.press(anna.get(path).moves[0])
        rolled = page.text("now")
        cookie = anna.client.cookies["kontor"]
        open_shanghaien(anna, chair__2="machine-random", starter="1")
        thinkers = waited_for(lambda: thinkers_of(served.process.pid))
        assert served.end(signal.SIGKILL)[0] == -signal.SIGKILL
        waited_for(lambda: not any(map(lives, thinkers)))
        with serving(tmp_path, served.port) as again:
            assert again.port == served.port
            with Guest(again.first, headers={"cookie": f"kontor={cookie}"}) as back:
                page = back.get(path)
                assert page.text("now") == rolled
                assert page.moves
                assert back.press(page.moves[0]).status == 200, "forms that were open still count"


def test_so_many_pages_as_are_said_follow_their_tables_at_once_and_whoever_sits_there_before_others(
    tmp_path: Path,
) -> None:
    with (
        serving(tmp_path, 0, "--streams", "1") as served,
        Guest(served.first, "Anna") as anna,
        Guest(served.first, "Bernd") as bernd,
    ):
        path = open_shanghaien(anna)
        with anna.client.stream("GET", f"{path}/live") as one:
            pieces = one.iter_raw()  # the stream is closed when this is dropped
            assert next(pieces)
            page = bernd.client.get(f"{path}/live")
            program = bernd.client.get(f"/api{path}/stream")
            for answer in (page, program):
                assert answer.status_code == 503
                assert answer.headers["retry-after"] == "60"
                assert "The server is full. Please try again in a minute." in answer.text
            assert bernd.get(path).status == 200, "the page itself is there for all"

        def follow() -> httpx.Response | None:
            answer = bernd.client.send(bernd.client.build_request("GET", f"{path}/live"), stream=True)
            if answer.status_code == 200:
                return answer
            answer.close()
            return None

        onlooker = waited_for(follow)  # where one has gone there is room for another
        with anna.client.stream("GET", f"{path}/live") as hers:
            assert hers.status_code == 200
            pieces = hers.iter_raw()
            assert next(pieces)
            assert onlooker.read(), "the onlooker's is told what came until then, and ends"


def test_finished_games_are_kept_as_long_as_is_said(tmp_path: Path) -> None:
    clock = Clock()
    clock.time = datetime.now(UTC) - timedelta(days=10)
    with KontorServer.open(with_database(tmp_path), clock) as service:
        anna, session = service.people.guest("Anna")
        ended = []
        for days in (6, 4):
            ended.append(service.opening.open(anna.id, shanghaien(ME, MACHINE)))
            play_out(service, ended[-1])
            clock.tick(days=days)
    has_run(tmp_path, utc_now)
    with (
        serving(tmp_path, 0, "--keep", "6") as served,
        Guest(served.first, headers={"cookie": f"kontor={session}"}) as back,
    ):
        for table, status in zip(ended, (404, 200), strict=True):  # ten days and four days ago
            assert back.get(f"/tables/{table}").status == status
            assert back.get(f"/tables/{table}/review").status == status


def thinkers_of(pid: int) -> list[int]:
    """Return the running child processes of a process."""
    pids = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state != "Z":
                pids.append(int(stat.parent.name))
    return pids


def lives(pid: int) -> bool:
    """Return True if the process exists and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@IN_PROC
def test_thinkers_are_replaced_when_they_are_killed_and_end_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Guest(served.first, "Anna") as anna:
        path = open_shanghaien(anna, chair__2="machine-random", starter="1")
        (first,) = waited_for(lambda: thinkers_of(served.process.pid))
        waited_for(lambda: anna.get(path).moves)
        os.kill(first, signal.SIGKILL)
        waited_for(lambda: not lives(first))

        def asked_again() -> list[int]:
            """Play on for Anna: if the dice leave Kaspar one move only, the thinkers are not asked."""
            if moves := anna.get(path).moves:
                anna.press(moves[0])
            return thinkers_of(served.process.pid)

        (second,) = waited_for(asked_again)
        assert second != first
        assert served.end(signal.SIGTERM) == (0, "")
        waited_for(lambda: not lives(second))


def test_what_stands_in_its_way_ends_it_with_a_sentence_alone(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [*SERVE, "--port", str(port), "--data", str(tmp_path)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=HANG_TIMEOUT, env=LANGUAGE, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    (message,) = run.stderr.splitlines()
    assert message.startswith(f"Port {port} on 127.0.0.1 is not available (")
    assert message.endswith("Choose another with --port.")


def test_what_stands_in_its_way_is_told_in_a_sentence(refused: Refused, tmp_path: Path) -> None:
    assert "no address" in refused("--host", "nowhere.invalid", "--port", "0", "--data", str(tmp_path))
    (tmp_path / "file").write_text("")
    assert str(tmp_path / "file") in refused("--port", "0", "--data", str(tmp_path / "file"))
    assert "/proc/kontor" in refused("--port", "0", "--data", "/proc/kontor"), "where nobody can write"
    assert "http://" in refused("--url", "kontor.example", "--port", "0", "--data", str(tmp_path))
    with KontorServer.open(with_database(tmp_path / "house")):
        assert "another" in refused("--port", "0", "--data", str(tmp_path / "house")).lower()
    with sqlite3.connect(tmp_path / "house" / "kontor.db") as db:
        db.execute("update alembic_version set version_num = 'from-the-future'")
    db.close()
    assert "newer" in refused("--port", "0", "--data", str(tmp_path / "house"))
