"""Searches in an archive of many finished games, beside games that are being played on the same server.

    .venv/bin/python -m bench.archive_load --data FOLDER --fill
    .venv/bin/python -m bench.archive_load --data FOLDER --pairs 4

The first command fills a new folder with 200,000 finished games, copied from some hundred that are really played,
with other people and dates. The second serves it and plays ``--rate`` moves a second by the clients of
``bench.load``, with searches and without, in turns (A B B A …). The searches are drawn from the kinds of
``bench.archive``. It prints the times of searches, and those of moves with searches and without. With
``--database postgresql://…`` both commands use that database in place of the folder.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
from collections.abc import Sequence
from math import ceil, exp, floor, log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import perf_counter
from typing import Final
from urllib.parse import urlencode

import uvloop

from bench.archive import SEARCHES, fill, play_games
from bench.load.__main__ import many_files, postgres_processes, service_at
from bench.load.driving import Counts, Crowd, Driver
from bench.load.pairs import turns
from bench.load.people import Guest, ServerAddress, Unexpected
from bench.load.processes import Server, serving
from bench.load.wire import Caller
from kontor.intervals import half_width
from kontor.server.composition import KontorServer

_READERS: Final = 60
"""People who search, each from an address of their own."""

_FIRST_READER: Final = 5000
"""The number of the first reader's household; those of the players are below."""


class Readers:
    """People who search the archive without an account, at random times that do not wait for each other."""

    def __init__(self, service: ServerAddress, random: Random) -> None:
        households = range(_FIRST_READER, _FIRST_READER + _READERS)
        self._guests = [Guest(Caller(service.from_household(number)), "") for number in households]
        self._random = random
        self.times: dict[str, list[float]] = {kind: [] for kind in SEARCHES}

    async def search(self, rate: float, seconds: float) -> None:
        """Search ``rate`` times a second for so many seconds. Raises Unexpected, Cut."""
        until = perf_counter() + seconds
        due = perf_counter()
        async with asyncio.TaskGroup() as group:
            while (due := due + self._random.expovariate(rate)) < until:
                await asyncio.sleep(max(0.0, due - perf_counter()))
                group.create_task(self._search_once())

    async def _search_once(self) -> None:
        kind = self._random.choice(list(SEARCHES))
        guest = self._random.choice(self._guests)
        path = f"/games?{urlencode(SEARCHES[kind](self._random))}"
        begun = perf_counter()
        answer = await guest.page(path)
        if answer.status != 200:
            raise Unexpected(f"a search for {kind}", answer)
        self.times[kind].append(1000 * (perf_counter() - begun))


def quantile(times: Sequence[float], share: float) -> tuple[float, float, float]:
    """Return a quantile and its 95 % interval, by the ranks that a binomial distribution allows."""
    ordered = sorted(times)
    middle, spread = share * len(ordered), 1.96 * sqrt(len(ordered) * share * (1 - share))
    ranks = (ceil(middle), floor(middle - spread), ceil(middle + spread) + 1)
    at, low, high = (ordered[min(len(ordered), max(1, rank)) - 1] for rank in ranks)
    return at, low, high


def describe(label: str, times: Sequence[float]) -> str:
    """Return a line with the number of times, their median and 99th percentile, in milliseconds."""
    parts = [f"{label}: n = {len(times)}"]
    for share in (0.5, 0.99):
        at, low, high = quantile(times, share)
        parts.append(f"p{100 * share:.0f} {at:.1f} ({low:.1f}–{high:.1f}) ms")
    return ", ".join(parts)


def describe_ratio(label: str, ratios: Sequence[float]) -> str:
    """Return a line with the geometric mean of the ratios of pairs, and its 95 % interval."""
    logs = [log(ratio) for ratio in ratios]
    middle, width = fmean(logs), half_width(logs)
    interval = f" ({exp(middle - width):.2f}–{exp(middle + width):.2f})" if len(logs) > 1 else ""
    return f"{label}, with searches to without: {exp(middle):.2f}{interval}, {len(logs)} pairs"


def _moves_of(counts: Counts) -> list[float]:
    """Return the times until moves were acknowledged, in milliseconds."""
    return [1000 * seconds for times in counts.answered.values() for seconds in times]


async def measure(service: ServerAddress, server: Server, args: argparse.Namespace) -> None:
    """Play with searches and without, in turns, and print the times. Raises Unexpected, Turned, Cut."""
    driver = Driver(service, server, Crowd(0.8, 1, 0, 0.5, 2000), Random(args.seed))
    readers = Readers(service, Random(args.seed))
    await driver.welcome(args.tables)
    await driver.open(args.tables)
    await driver.watch()
    await asyncio.gather(driver.drive(args.rate, 5.0), readers.search(args.searches, 5.0))
    for times in readers.times.values():
        times.clear()
    gc.collect()
    gc.freeze()
    moves: dict[bool, list[list[float]]] = {True: [], False: []}
    cores: dict[bool, list[float]] = {True: [], False: []}
    for has_searches in turns(args.pairs):
        async with asyncio.TaskGroup() as group:
            playing = group.create_task(driver.drive(args.rate, args.seconds))
            if has_searches:
                group.create_task(readers.search(args.searches, args.seconds))
        period = playing.result()
        times = _moves_of(period.counts)
        moves[has_searches].append(times)
        spent = period.spent
        cores[has_searches].append((spent.server + spent.database) / period.seconds)
        label = "with searches" if has_searches else "without"
        print(f"{describe(label, times)}, others used {spent.others / period.seconds:.2f} cores", flush=True)
    driver.close()
    for kind, of_kind in readers.times.items():
        print(describe(kind, of_kind))
    print(describe("all searches", [one for times in readers.times.values() for one in times]))
    for has_searches, periods in moves.items():
        label = "moves with searches" if has_searches else "moves without"
        together = [one for times in periods for one in times]
        print(f"{describe(label, together)}, {median(cores[has_searches]):.2f} cores")
    paired = list(zip(moves[True], moves[False], strict=True))
    for share in (0.5, 0.99):
        ratios = [quantile(one, share)[0] / quantile(other, share)[0] for one, other in paired]
        print(describe_ratio(f"p{100 * share:.0f} of moves", ratios))


def main() -> None:
    """Fill a database, or serve it and print how long searches and moves take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--database", default="")
    parser.add_argument("--fill", action="store_true")
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--people", type=int, default=5000)
    parser.add_argument("--played", type=int, default=300)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--searches", type=float, default=15)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not (args.database or args.data):
        parser.error("say where the games are: --data FOLDER or --database URL")
    many_files()
    if args.fill:
        begun = perf_counter()
        games = play_games(args.played, Random(args.seed))
        print(f"{len(games)} games played in {perf_counter() - begun:.0f} s")
        begun = perf_counter()
        with KontorServer.open(args.database or args.data) as service:
            with service._transactions.storage.writing() as db:
                fill(db, args.people, args.games, games, Random(args.seed))
            if args.database:  # as autovacuum would; SQLite has no statistics on a server
                with service._transactions.storage.writing() as db:
                    db.exec_driver_sql("ANALYZE")
        print(f"{args.games} games filled in {perf_counter() - begun:.0f} s")
        return
    place = ["--database", args.database] if args.database else ["--data", str(args.data)]
    with serving(place, ["--thinkers", "1"], 1) as (addresses, process):
        postgres = postgres_processes(args.database) if args.database else frozenset()
        server = Server(frozenset({process}), postgres)
        uvloop.run(measure(service_at(addresses[0]), server, args))


if __name__ == "__main__":
    main()
