"""The lobby with few and with many tables: how long its page and a search take, measured in turns.

nice -n 19 .venv/bin/python -m bench.lobby --few 5 --many 500
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, cast

import httpx

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options
from kontor.server.app import application
from kontor.server.composition import KontorServer
from kontor.tables.values import Pace, Plan, SeatPlan
from kontor.thinking import Thinkers
from kontor.web.http.limits import LIMITS, Limit, Limits

PATHS: Final = ("/", "/tables", "/tables?game=shanghaien&name=an&free=1&rated=yes")
NAMES: Final = ("Annegret Lindqvist", "Bernd", "Chiara Bonacorsi", "Jean-Baptiste Ménard", "山田花子", "Özlem", "Wim")


def main() -> None:
    """Print the median times of both, and their ratio in pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=5)
    parser.add_argument("--many", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=50)
    args = parser.parse_args()
    with TemporaryDirectory() as name:
        folders = [Path(name, which) for which in ("few", "many")]
        thinkers = Thinkers(1)
        try:
            with KontorServer.open(folders[0]) as few, KontorServer.open(folders[1]) as many:
                fill(few, args.few)
                fill(many, args.many)
                asyncio.run(_measure(few, many, thinkers, args.pairs))
        finally:
            thinkers.stop()


def fill(service: KontorServer, number: int) -> None:
    """Open ``number`` tables with a free seat, by people with realistic names."""
    for at in range(number):
        person = service.people.guest(f"{NAMES[at % len(NAMES)]} {at}")[0].id
        pace = (Pace("live", 60, 600), Pace("slow", 86400), Pace())[at % 3]
        me, other = SeatPlan("me"), SeatPlan("open")
        plan = (
            Plan("dutchman", DutchmanOptions(players=4), (me, other, other, other), pace=pace)
            if at % 3 == 0
            else Plan("shanghaien", Options(), (me, other), pace=pace)
        )
        service.opening.open(person, plan)


async def _measure(few: KontorServer, many: KontorServer, thinkers: Thinkers, pairs: int) -> None:
    generous = Limits(dict.fromkeys(LIMITS, Limit(1e6, 1e6)))
    clients = [
        httpx.AsyncClient(
            transport=httpx.ASGITransport(cast("Any", application(service, thinkers, limits=generous))),
            base_url="http://localhost",
            cookies={"kontor": service.people.guest("Anna")[1]},
        )
        for service in (few, many)
    ]
    for path in PATHS:
        times: tuple[list[float], list[float]] = ([], [])
        size = [0, 0]
        for pair in range(pairs + 3):
            for which in (0, 1) if pair % 2 else (1, 0):
                begun = perf_counter()
                page = await clients[which].get(path)
                times[which].append(perf_counter() - begun)
                size[which] = len(page.raise_for_status().content)
        warm = [of[3:] for of in times]
        slower = [after / before for before, after in zip(*warm, strict=True)]
        first, second = (1000 * median(of) for of in warm)
        print(f"{path}: {first:.1f} ms, {second:.1f} ms, times {median(slower):.2f}; {size[0]}, {size[1]} bytes")
    for client in clients:
        await client.aclose()


if __name__ == "__main__":
    main()
