"""Restarts of PostgreSQL while people play: they are told, and go on when it is back."""

import signal
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from faults.movers import CARLA, MACHINE, ME, Mover, all_go_on, check, count_moves, wait_until
from faults.server_processes import Servers
from postgresql import Server

SERVERS = 2
RESTARTS = 2

GONE = (
    "The database cannot be written right now. Nothing was changed; try again in a minute.",
    "The database cannot be read right now. Try again in a minute.",
    "The connection to the database was lost while saving. Check whether your move was saved.",
)


def refusals(mover: Mover) -> int:
    """Return how often the mover was told that the database is gone."""
    return sum(mover.refusals[503, reason] for reason in GONE)


@pytest.mark.extended  # in the usual run test_workers.py ends a database, without load
def test_under_load_everybody_is_told_and_then_goes_on(postgres: Server, database: str, tmp_path: Path) -> None:
    with Servers(database, tmp_path, SERVERS) as servers, ExitStack() as playing:
        for _ in range(SERVERS):
            servers.begin()
        movers = [
            playing.enter_context(mover)
            for mover in (
                Mover(servers.ports, "Anna", "shanghaien", ME, CARLA),
                Mover(servers.ports[::-1], "Bernd", "dutchman", ME, CARLA, CARLA | {"name": "Dora"}),
                Mover(servers.ports, "Emil", "shanghaien", ME, MACHINE),
            )
        ]
        for signal_number in (signal.SIGINT, signal.SIGQUIT) * RESTARTS:  # in order, and as in a crash
            all_go_on(movers)
            postgres.stop(signal_number)
            for mover in movers:
                before = refusals(mover)
                wait_until(lambda: refusals(mover) > before, movers)  # noqa: B023 (called at once)
            postgres.start()
        all_go_on(movers)
        playing.close()
        assert "Traceback" not in servers.complaints()
    counts = sum((mover.refusals for mover in movers), Counter[tuple[int, str]]())
    assert {status for status, _ in counts} <= {409, 429, 503}
    assert {reason for status, reason in counts if status == 503} <= {*GONE}
    assert count_moves(movers) < check(database, movers)
