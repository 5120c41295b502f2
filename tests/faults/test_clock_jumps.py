"""Jumps of the machine's clock while people play against it: no move and no time is lost."""

from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from faults.movers import CARLA, MACHINE, ME, Caller, Mover, all_go_on, check, count_moves, wait_until
from faults.server_processes import Servers
from kontor.storage import Place
from timeouts import HANG_TIMEOUT

DAY = 24 * 3600
JUMPS = (3600, DAY, -DAY, 30 * DAY, 40, -10 * DAY, -5)
"""The jumps of the clock, in seconds."""

SECONDS = 1800
PACE = {"kind": "live", "seconds": SECONDS, "reserve": 0}

NOTICED = HANG_TIMEOUT
"""Extra seconds that the clock may run while a jump is noticed."""


def seconds_left(caller: Caller, table: str, clock: float) -> float:
    """Return the seconds that the mover of a table still has, by the clock of the server."""
    deadline = datetime.fromisoformat(caller.insist("GET", f"tables/{table}")["deadline"])
    return (deadline - datetime.now(UTC)).total_seconds() - clock


def test_no_move_is_refused_and_deadlines_move_along(place: Place, tmp_path: Path) -> None:
    number = 1 if isinstance(place, Path) else 2
    with Servers(place, tmp_path, number) as servers, ExitStack() as playing:
        for _ in range(number):
            servers.begin()
        movers = [
            playing.enter_context(mover)
            for mover in (
                Mover(servers.ports, "Anna", "shanghaien", ME, CARLA, pace=PACE, stand_in="at once"),
                Mover(servers.ports[::-1], "Emil", "shanghaien", ME, MACHINE, pace=PACE, stand_in="at once"),
            )
        ]
        dora = playing.enter_context(Caller(servers.ports))
        dora.come_in("Dora")
        thinking = dora.open("shanghaien", ME, CARLA, pace=PACE, stand_in="at once")  # and thinks all the while
        clock = 0.0
        for jump in JUMPS:
            all_go_on(movers)
            before = seconds_left(dora, thinking, clock)
            assert 0 < before <= SECONDS
            clock += jump
            servers.put_clock(clock)
            wait_until(lambda: before - NOTICED <= seconds_left(dora, thinking, clock) <= SECONDS, movers)  # noqa: B023
            all_go_on(movers)
        seen = dora.insist("GET", f"tables/{thinking}")
        assert seen["late"] is None
        assert not any(seat["stood_in"] for seat in seen["seats"]), "nobody was taken for late"
        playing.close()
        assert "Traceback" not in servers.complaints()
    assert {status for mover in movers for status, _ in mover.refusals} <= {429}, [mover.refusals for mover in movers]
    assert count_moves(movers) < check(place, movers)
