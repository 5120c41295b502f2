"""Faulty disks under a real server: full, damaged, or without the server's open files."""

import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from kontor.storage.sqlite import DATABASE
from ports import free_ports
from timeouts import HANG_TIMEOUT, waited_for
from web.slow_players import Program
from web.test_serve import serving

pytestmark = pytest.mark.process

PAGE = 4096
DAMAGED = "the database is damaged"
UNWRITABLE = "the database cannot be written"


def get_readiness(address: str) -> tuple[int, str]:
    answer = httpx.get(f"{address}/ready")
    return answer.status_code, answer.text


def open_table(person: Program) -> str:
    """Open a table at which the person plays both seats; return its id."""
    seats = [{"kind": "me"}, {"kind": "here", "name": "Carla"}]
    table: str = person.post("/tables", game="shanghaien", options={}, seats=seats)["table"]
    return table


def try_to_move(person: Program, table: str) -> httpx.Response:
    offered: Any = person.get(f"/tables/{table}/moves?limit=1")
    body = {"number": offered["number"], "move": offered["moves"][0]}
    return person.client.post(f"/tables/{table}/moves", json=body)


def line_at(address: str, person: Program, table: str) -> int:
    """Return the number of a table's last line at another server, which knows the person by the same token."""
    answer = httpx.get(f"{address}/api/tables/{table}", headers=person.client.headers, timeout=HANG_TIMEOUT)
    number: int = answer.raise_for_status().json()["number"]
    return number


def figure(port: int, name: str) -> float:
    figures = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    return float(re.findall(rf"^{name} (\S+)$", figures, re.MULTILINE)[0])


def root_pages(file: Path, table: str) -> list[int]:
    """Return the pages, from 1, at which a table and its indexes begin."""
    with closing(sqlite3.connect(file)) as db:
        return [page for (page,) in db.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = ?", (table,))]


def write_zeros(file: Path, pages: list[int]) -> None:
    """Overwrite pages of a database with zeros, like a disk that has lost them."""
    with file.open("r+b") as database:
        for page in pages:
            database.seek((page - 1) * PAGE)
            database.write(bytes(PAGE))


def test_ready_tells_of_damage_that_any_transaction_has_met_until_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        with Program(served.first, "Anna") as anna:
            open_table(anna)
        assert served.end(signal.SIGTERM)[0] == 0
    pages = root_pages(tmp_path / DATABASE, "ways")
    with serving(tmp_path) as served, Program(served.first, "Bernd") as bernd:
        table = open_table(bernd)
        assert get_readiness(served.first) == (200, "ready")
        write_zeros(tmp_path / DATABASE, pages)
        assert bernd.client.get("/me/ways").status_code == 503
        assert get_readiness(served.first) == (503, DAMAGED)
        assert try_to_move(bernd, table).status_code == 201, "other pages are whole"
        assert get_readiness(served.first) == (503, DAMAGED)


def test_ready_tells_at_once_that_a_write_was_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Program(served.first, "Anna") as anna:
        table = open_table(anna)
        waited_for(lambda: get_readiness(served.first) == (200, "ready"))
        log = (tmp_path / f"{DATABASE}-wal").stat().st_size
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (log, resource.RLIM_INFINITY))
        assert get_readiness(served.first) == (200, "ready"), "an answer is good for a while"
        waited_for(lambda: try_to_move(anna, table).status_code == 503)
        assert get_readiness(served.first) == (503, UNWRITABLE)
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, unlimited)
        assert try_to_move(anna, table).status_code == 201
        waited_for(lambda: get_readiness(served.first) == (200, "ready"))


MOVED = "the database is not in its place"


def complaints_of(process: subprocess.Popen[str]) -> list[str]:
    """End a server; return the lines of its log."""
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=HANG_TIMEOUT)
    return str(log).splitlines()


def test_while_a_file_of_the_database_is_not_in_its_place_nothing_is_acknowledged(tmp_path: Path) -> None:
    away = tmp_path / "away"
    with serving(tmp_path) as served, Program(served.first, "Anna") as anna:
        table = open_table(anna)
        for file in (tmp_path / DATABASE, tmp_path / f"{DATABASE}-wal"):
            assert try_to_move(anna, table).status_code == 201
            file.rename(away)
            for _ in range(2):
                refused = try_to_move(anna, table)
                assert refused.status_code == 503
                assert int(refused.headers["retry-after"]) > 0
            assert anna.client.post("/people", json={"name": "Bernd"}).status_code == 503
            assert get_readiness(served.first) == (503, MOVED)
            assert not file.exists(), "no connection makes one"
            file.write_bytes(away.read_bytes())
            assert try_to_move(anna, table).status_code == 503, "it is another file"
            away.replace(file)
            assert try_to_move(anna, table).status_code == 201
            waited_for(lambda: get_readiness(served.first) == (200, "ready"))
        number = line_at(served.first, anna, table)
        log = complaints_of(served.process)
    assert len([line for line in log if "are not in their place" in line]) == 2, log
    with serving(tmp_path) as served:
        assert line_at(served.first, anna, table) == number, "all moves are there"


def test_the_heartbeat_sees_that_the_database_is_not_in_its_place(tmp_path: Path) -> None:
    port = free_ports()
    with serving(tmp_path, 0, "--metrics", f"127.0.0.1:{port}") as served:
        (tmp_path / DATABASE).rename(tmp_path / "away")
        waited_for(lambda: figure(port, "kontor_database_not_in_place_total"))
        assert get_readiness(served.first) == (503, MOVED)


def test_what_a_deleted_database_held_can_be_saved_from_the_open_files(tmp_path: Path) -> None:
    """Follow docs/running.md."""
    folder, saved = tmp_path / "server", tmp_path / "saved"
    saved.mkdir()
    with serving(folder) as served, Program(served.first, "Anna") as anna:
        table = open_table(anna)
        assert try_to_move(anna, table).status_code == 201
        number = line_at(served.first, anna, table)
        for file in folder.glob(f"{DATABASE}*"):
            file.unlink()
        for link in Path(f"/proc/{served.process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # a connection was closed meanwhile
                target = os.readlink(link)  # noqa: PTH115 (a socket is no path)
                name = Path(target.removesuffix(" (deleted)")).name
                if name in (DATABASE, f"{DATABASE}-wal"):
                    shutil.copyfile(link, saved / name)
        served.end(signal.SIGTERM)
    with serving(saved) as served:
        assert line_at(served.first, anna, table) >= number, "the computer player may have moved as well"


def flip_in_the_middle(file: Path) -> None:
    """Change a byte, like a failing disk."""
    with file.open("r+b") as log:
        log.seek(file.stat().st_size // 2)
        (byte,) = log.read(1)
        log.seek(-1, os.SEEK_CUR)
        log.write(bytes([byte ^ 0xFF]))


@pytest.mark.parametrize("is_damaged", [True, False])
def test_a_start_tells_how_many_moves_a_damaged_log_has_taken(tmp_path: Path, *, is_damaged: bool) -> None:
    port = free_ports()
    with serving(tmp_path) as served, Program(served.first, "Anna") as anna:
        table = open_table(anna)
        for _ in range(25):
            assert try_to_move(anna, table).status_code == 201
        acknowledged = line_at(served.first, anna, table)
        served.end(signal.SIGKILL)
    if is_damaged:
        flip_in_the_middle(tmp_path / f"{DATABASE}-wal")
    with serving(tmp_path, 0, "--metrics", f"127.0.0.1:{port}") as served:
        lost = acknowledged - line_at(served.first, anna, table)
        assert bool(lost) == is_damaged
        assert figure(port, "kontor_missing_moves") == lost
        assert (figure(port, "kontor_missing_commits") >= lost / 2) if lost else True
        assert get_readiness(served.first) == (200, "ready"), "what is gone does not come back by waiting"
        _, log = served.end(signal.SIGTERM)
    assert (f"at least {lost} moves and rolls of 1 tables" in log) == is_damaged
    assert ("The database lacks" in log) == is_damaged
