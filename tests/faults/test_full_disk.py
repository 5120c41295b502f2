"""A full disk under a server in a folder: what cannot be stored is refused; with room again, play goes on."""

import resource
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

from faults.movers import CARLA, ME, Caller, Mover, all_go_on, check, count_moves, wait_until
from faults.server_processes import Servers
from kontor.storage.sqlite import DATABASE

TIMES = 3
FULL = "The database cannot be written right now. Nothing was changed; try again in a minute."


def test_when_nothing_more_can_be_written_it_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    """Check a server whose files the kernel does not let grow (RLIMIT_FSIZE), which needs no rights.

    SQLite's log cannot grow either, so that no transaction can commit.
    """
    folder = tmp_path / "server"
    with Servers(folder, tmp_path) as servers, ExitStack() as playing:
        pid = servers.begin()
        movers = [
            playing.enter_context(mover)
            for mover in (
                Mover(servers.ports, "Anna", "shanghaien", ME, CARLA),
                Mover(servers.ports, "Bernd", "dutchman", ME, CARLA, CARLA | {"name": "Dora"}),
            )
        ]
        for time in range(1, TIMES + 1):
            all_go_on(movers)
            log = (folder / f"{DATABASE}-wal").stat().st_size
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (log, resource.RLIM_INFINITY))
            for mover in movers:
                wait_until(lambda: mover.refusals[503, FULL] >= 3 * time, movers)  # noqa: B023 (called at once)
            with Caller(servers.ports) as looking:
                assert looking.insist("GET", "tables")["watchable"], "who only looks sees all as it is"
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        all_go_on(movers)
        playing.close()
        assert {reason for mover in movers for status, reason in mover.refusals if status != 429} == {FULL}
        servers.kill(pid)  # all data on the disk must be consistent now
        assert "Traceback" not in servers.complaints()
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert count_moves(movers) < check(folder, movers)
