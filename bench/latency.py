"""Delays of people's moves while computer players ponder at other tables.

``PYTHONPATH=tests python -m bench.latency`` measures it: a server in one process, the people in another, and one
process that thinks without a pause.
"""

from __future__ import annotations

import sys
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Final

from kontor.thinking import turn_tasks
from web.conftest import Served
from web.slow_players import Program, against_machines

MOVES: Final = 1000

THOUGHT: Final = 2.0
"""Seconds of a core for one move."""

PONDERING: Final = 8
"""Tables at which a computer player ponders. One process thinks for all of them, so it always does."""

TABLES: Final = 5
"""Tables at which people play."""


def ponder(matter: bytes) -> bytes:
    """Choose a move as a computer player that thinks for two seconds, and needs a whole core for it."""
    until = time.monotonic() + THOUGHT
    while time.monotonic() < until:
        pass
    return turn_tasks.choose(matter)


def waits(address: str, moves: int) -> list[float]:
    """Return the seconds of each of ``moves`` moves of people, from the request to the response."""
    seats = [{"kind": "me"}, {"kind": "here", "name": "Bernd"}]
    seconds: list[float] = []
    with Program(address, "Anna") as anna:
        for _ in range(TABLES):
            table = anna.post("/tables", game="shanghaien", seats=seats)["table"]
            for _ in range(moves // TABLES):
                offered = anna.get(f"/tables/{table}/moves?limit=1")
                if not offered["count"]:
                    break
                begun = time.perf_counter()
                anna.post(f"/tables/{table}/moves", number=offered["number"], move=offered["moves"][0])
                seconds.append(time.perf_counter() - begun)
    return seconds


def serve(line: Connection) -> None:
    """Run a server until a message arrives on the connection; send its address first."""
    with TemporaryDirectory() as folder, Served(Path(folder), think=ponder) as served:
        line.send(served.address)
        line.recv()


def main() -> None:
    """Print median, 99th percentile and maximum without pondering tables and beside eight, twice."""
    context = get_context("spawn")
    for pondering in (0, PONDERING) * 2:
        parent_end, child_end = context.Pipe()
        service = context.Process(target=serve, args=(child_end,))
        service.start()
        address = parent_end.recv()
        waits(address, 100)
        against_machines(address, pondering)
        time.sleep(1)
        milliseconds = [1000 * wait for wait in waits(address, MOVES)]
        cuts = quantiles(milliseconds, n=100)
        sys.stdout.write(
            f"{pondering} tables ponder: {len(milliseconds)} moves, p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, "
            f"max {max(milliseconds):.1f} ms\n"
        )
        parent_end.send("enough")
        service.join()


if __name__ == "__main__":
    main()
