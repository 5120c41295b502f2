"""Kills of a server in the middle of moves (SIGKILL), again and again, while people play on by HTTP."""

from contextlib import ExitStack
from pathlib import Path
from random import Random
from time import sleep

import pytest

from faults.movers import CARLA, MACHINE, ME, Mover, check, count_moves, wait_until
from faults.server_processes import Servers
from kontor.storage import Place
from profiles import scale_examples

KILLS = scale_examples(16)
LONGEST = 0.05
"""The longest time in seconds that a server lives after it has played a move."""


@pytest.mark.parametrize(("place", "number"), [("sqlite", 1), ("postgresql", 2)], indirect=["place"])
def test_no_acknowledged_move_is_lost_and_none_doubled(place: Place, number: int, tmp_path: Path) -> None:
    """Check one server at a time, each followed by the next; and two, killed in turn."""
    random = Random(1)
    with Servers(place, tmp_path, number) as servers, ExitStack() as playing:
        serving = [servers.begin() for _ in range(number)]
        movers = [
            playing.enter_context(mover)
            for mover in (
                Mover(servers.ports, "Anna", "shanghaien", ME, CARLA),
                Mover(servers.ports[::-1], "Bernd", "dutchman", ME, CARLA, CARLA | {"name": "Dora"}),
                Mover(servers.ports, "Emil", "shanghaien", ME, MACHINE),
            )
        ]
        for _ in range(KILLS):
            before = count_moves(movers)
            wait_until(lambda: count_moves(movers) > before, movers)  # noqa: B023 (called at once)
            sleep(random.random() * LONGEST)
            servers.kill(serving.pop(0))
            serving.append(servers.begin())
        playing.close()
        assert "Traceback" not in servers.complaints()
    assert count_moves(movers) >= KILLS
    assert any(mover.unanswered for mover in movers), "somebody was in the middle of a move"
    assert check(place, movers) > KILLS
