"""At the table nobody waits for a machine player who ponders at another."""

from __future__ import annotations

from pathlib import Path
from statistics import quantiles

from web.conftest import Served
from web.pondering import PONDERING, THOUGHT, against_machines, ponder, waits


def test_people_move_as_quickly_while_machine_players_ponder(tmp_path: Path) -> None:
    with Served(tmp_path, think=ponder) as served:
        against_machines(served.address, PONDERING)
        found = waits(served.address, 100)
        assert len(served.thinkers.processes()) == 1
    # One who waited for a thought would wait for two seconds; those who wait for eight, for sixteen.
    assert quantiles(found, n=100)[98] < THOUGHT / 4, found
