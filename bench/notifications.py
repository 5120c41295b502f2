"""Durations of moves while thousands of notifications are sent, and while none are.

Both are measured in turns, so that other work of the machine affects both alike.

.venv/bin/python -m bench.notifications --waiting 10000 --seconds 15 --pairs 3

With ``--database ADDRESS`` it uses an empty database of PostgreSQL, otherwise a folder.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Final

from sqlalchemy import delete

from kontor.games.shanghaien.rules import Options
from kontor.notifying.notifier import Notifier
from kontor.notifying.texts import Message
from kontor.server.composition import KontorServer
from kontor.storage.schema import outbox
from kontor.tables import enqueuing
from kontor.tables.values import Mail, Plan, SeatPlan

_TABLES: Final = 50
_SENDING: Final = 0.02
"""Seconds that a mail server takes for a mail."""


def main() -> None:
    """Print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waiting", type=int, default=10_000, help="notifications in the outbox")
    parser.add_argument("--moves", type=float, default=50, help="moves a second")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--database", default="", help="address of an empty database of PostgreSQL")
    args = parser.parse_args()
    with TemporaryDirectory() as folder, KontorServer.open(args.database or Path(folder)) as service:
        sent: list[str] = []

        def send(message: Message) -> None:
            time.sleep(_SENDING)
            sent.append(message.id)

        tables = _Tables(service)
        tables.play(args.moves, 2)  # warm
        with Notifier(service, {"mail": send}, str.title, leads=lambda: True):
            for _ in range(args.pairs):
                for waiting in (0, args.waiting):
                    _fill(service, waiting)
                    before = len(sent)
                    took = tables.play(args.moves, args.seconds)
                    cuts = quantiles(took, n=100)
                    percentiles = f"p50 {cuts[49]:6.2f}  p90 {cuts[89]:6.2f}  p99 {cuts[98]:6.2f} ms"
                    print(f"{waiting:6} waiting: {len(took):5} moves  {percentiles}  {len(sent) - before:6} sent")


def _fill(service: KontorServer, waiting: int) -> None:
    with service.outbox._transactions.changing() as change:
        change.db.execute(delete(outbox))
        for number in range(waiting):
            enqueuing.note_mail(change, Mail(f"{number}@mail.example", "Your turn", ("It is your turn.",)))


class _Tables:
    """Tables at which two people move at a given rate."""

    def __init__(self, service: KontorServer) -> None:
        self._service = service
        self._random = Random(1)
        self._people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
        self._tables = [self._new() for _ in range(_TABLES)]

    def _new(self) -> str:
        plan = Plan("shanghaien", Options(), (SeatPlan("me"), SeatPlan("open")))
        table = self._service.opening.open(self._people[0], plan)
        self._service.opening.sit(table, 1, self._people[1])
        return table

    def play(self, moves: float, seconds: float) -> list[float]:
        """Play ``moves`` moves a second; return the milliseconds of each."""
        took, begun = list[float](), time.monotonic()
        while time.monotonic() < begun + seconds:
            place = len(took) % _TABLES
            table = self._tables[place]
            mover = self._service.tables.info(table).mover
            if mover is None:
                self._tables[place] = self._new()
                continue
            seen = self._service.tables.view(table).look(mover)
            move = seen.moves[self._random.randrange(len(seen.moves))]
            before = time.perf_counter()
            self._service.moves.play(table, mover, seen.number, move)
            took.append(1000 * (time.perf_counter() - before))
            time.sleep(max(0.0, begun + len(took) / moves - time.monotonic()))
        return took


if __name__ == "__main__":
    main()
