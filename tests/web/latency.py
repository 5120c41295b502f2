"""How long people wait for their moves while machine players ponder at other tables.

``python -m web.latency`` (in ``tests``) measures it: a house in one process, the people in another, and one process
that thinks without a pause.
"""

from __future__ import annotations

import sys
import time
from multiprocessing import get_context
from statistics import quantiles

from web.pondering import PONDERING, against_machines, serve, waits

MOVES = 1000


def main() -> None:
    """Tells the median and the slowest of 100, alone and beside eight who ponder, twice."""
    context = get_context("spawn")
    for pondering in (0, PONDERING) * 2:
        ours, theirs = context.Pipe()
        house = context.Process(target=serve, args=(theirs,))
        house.start()
        address = ours.recv()
        waits(address, 100)
        against_machines(address, pondering)
        time.sleep(1)
        found = [1000 * wait for wait in waits(address, MOVES)]
        cuts = quantiles(found, n=100)
        sys.stdout.write(
            f"{pondering} tables ponder: {len(found)} moves, p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, "
            f"max {max(found):.1f} ms\n"
        )
        ours.send("enough")
        house.join()


if __name__ == "__main__":
    main()
