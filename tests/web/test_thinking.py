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
    # Somebody always ponders: if people waited for that, most of their moves would take two seconds or more. A few
    # can be late for what else the machine has to do, so it is not the slowest that counts.
    assert quantiles(found, n=10)[8] < THOUGHT / 4, found
