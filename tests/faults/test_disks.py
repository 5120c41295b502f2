"""Disks that misbehave under a real server: full, damaged, or without the files that it has open."""

from __future__ import annotations

import resource
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from kontor.table.storage.sqlite import DATABASE
from timeouts import waited_for
from web.slow_players import Program
from web.test_serve import serving

pytestmark = pytest.mark.process

PAGE = 4096
DAMAGED = "the database is damaged"
UNWRITABLE = "the database cannot be written"


def readiness(address: str) -> tuple[int, str]:
    """Return what ``/ready`` answers."""
    answer = httpx.get(f"{address}/ready")
    return answer.status_code, answer.text


def open_table(person: Program) -> str:
    """Open a table at which the person plays both seats; return its id."""
    seats = [{"kind": "me"}, {"kind": "here", "name": "Carla"}]
    table: str = person.post("/tables", game="shanghaien", options={}, seats=seats)["table"]
    return table


def try_to_move(person: Program, table: str) -> httpx.Response:
    """Try any legal move."""
    offered: Any = person.get(f"/tables/{table}/moves?limit=1")
    body = {"number": offered["number"], "move": offered["moves"][0]}
    return person.client.post(f"/tables/{table}/moves", json=body)


def root_pages(file: Path, table: str) -> list[int]:
    """Return the pages, from 1, at which a table and its indexes begin."""
    with closing(sqlite3.connect(file)) as db:
        return [page for (page,) in db.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = ?", (table,))]


def write_zeros(file: Path, pages: list[int]) -> None:
    """Overwrite pages of a database, as a disk does that has lost them."""
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
        assert readiness(served.first) == (200, "ready")
        write_zeros(tmp_path / DATABASE, pages)
        assert bernd.client.get("/me/ways").status_code == 503
        assert readiness(served.first) == (503, DAMAGED)
        assert try_to_move(bernd, table).status_code == 201, "other pages are whole"
        assert readiness(served.first) == (503, DAMAGED)


def test_ready_tells_at_once_that_a_write_was_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Program(served.first, "Anna") as anna:
        table = open_table(anna)
        waited_for(lambda: readiness(served.first) == (200, "ready"))
        log = (tmp_path / f"{DATABASE}-wal").stat().st_size
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (log, resource.RLIM_INFINITY))
        assert readiness(served.first) == (200, "ready"), "an answer is good for a while"
        waited_for(lambda: try_to_move(anna, table).status_code == 503)
        assert readiness(served.first) == (503, UNWRITABLE)
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, unlimited)
        assert try_to_move(anna, table).status_code == 201
        waited_for(lambda: readiness(served.first) == (200, "ready"))
