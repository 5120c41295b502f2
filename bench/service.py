"""Costs of the server itself, without HTTP: a move, the reads of two watchers, memory, opening.

``python -m bench.service`` prints it for 10 to 5,000 tables, half of them of each game, and for a short and a long
log. Times are of the processor, except for the times that somebody waits.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, cycle, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final

from bench.haggling import PLAN as LONG
from bench.haggling import played
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.plugins import game_named
from kontor.records import Step, encode_line
from kontor.server.composition import KontorServer
from kontor.tables.opening import MOST_UNFINISHED
from kontor.tables.values import Plan, SeatPlan

GAMES: Final = {"shanghaien": ShanghaienOptions(starter=0), "dutchman": DutchmanOptions(players=4, starter=0)}
BEGUN: Final = 90
"""Lines of the logs that tables have before the measurement."""

OPENED: Final = 20
"""The number of openings of a table that are measured."""

MOST_GAMES: Final = 20
"""Games tried at most until one is long enough."""

Log = list[Step]


@dataclass(frozen=True)
class Cost:
    """The cost of a server, in milliseconds, and in kilobytes of memory a table."""

    tables: int
    opening: float
    move: float
    watching: float
    """Time to read, for two watchers, after each move."""
    median: float
    slowest: float
    """The 99th percentile of how long a move takes, with the disk."""
    memory: float

    def __str__(self) -> str:
        return (
            f"{self.tables:6} tables: opening {self.opening:5.2f} ms, move {self.move:5.2f} ms, two watchers "
            f"{self.watching:5.2f} ms; waiting for a move p50 {self.median:5.2f} ms, p99 {self.slowest:6.2f} ms; "
            f"{self.memory:5.1f} KB a table"
        )


def begun(game: str, seed: int, lines: int) -> Log:
    """Return a game of random players after ``lines`` lines, with a seat to move."""
    random, rules = Random(seed), game_named(game)
    state, log = rules.start(GAMES[game]), Log()
    while state.mover != OVER and len(log) < lines:
        if state.mover == CHANCE:
            action: Any = rules.chance(state).draw(random.randrange)
        else:
            action = _some(rules.moves(state), random)
        log.append(Step(state.mover, action))
        state = rules.play(state, action)
    return log if state.mover >= 0 else begun(game, seed + 1000, lines - 1)


def _some(moves: Sequence[Any], random: Random) -> Any:
    """Return one of the first 30 moves, because there can be millions."""
    return moves[random.randrange(min(30, len(moves)))]


def furnish_server(folder: Path, count: int) -> list[str]:
    """Create a server with ``count`` tables, each with a log of about BEGUN lines; return the tables' ids.

    The logs are written into the file directly.
    """
    logs = [(game, begun(game, seed, BEGUN)) for seed in range(10) for game in GAMES]
    tables = []
    with KontorServer.open(folder) as service:
        for number, (game, log) in enumerate(islice(cycle(logs), count)):
            if number % MOST_UNFINISHED == 0:
                anna, _ = service.people.guest("Anna")
            options = GAMES[game]
            seats = game_named(game).seats(options)
            here = [SeatPlan("here", f"Guest {number}") for number in range(2, seats + 1)]
            tables.append((service.opening.open(anna.id, Plan(game, options, (SeatPlan("me"), *here))), log, game))
    with sqlite3.connect(folder / "kontor.db") as file:
        file.execute("DELETE FROM steps")
        file.execute("DELETE FROM snapshots")
        for table, log, game in tables:
            state = game_named(game).start(GAMES[game])
            for step in log:
                state = game_named(game).play(state, step.action)
            file.execute("UPDATE tables SET number = ?, mover = ? WHERE id = ?", (len(log) + 1, state.mover, table))
            rows = [(table, n, step.seat, encode_line(step).decode()[:-1], 0) for n, step in enumerate(log, 2)]
            file.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", rows)
    file.close()
    return [table for table, _, _ in tables]


def memory() -> int:
    """Return the bytes of this process in memory."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * 4096


def measure(count: int, moves: int) -> Cost:
    """Return the cost of a server with ``count`` tables, with equally many moves at each."""
    random = Random(count)
    with TemporaryDirectory() as folder:
        tables = furnish_server(Path(folder), count)
        with KontorServer.open(Path(folder)) as service:
            anna, token = service.people.guest("Bert")
            empty, start = memory(), process_time()
            for table in tables:
                service.tables.view(table).look(0)
            opening = (process_time() - start) / count
            playing = watching = 0.0
            waits: list[float] = []
            for table in islice(chain.from_iterable(random.sample(tables, count) for _ in range(moves)), moves):
                now = service.tables.view(table)
                mover, number = now.info.mover, now.info.number
                if mover is None:
                    continue
                move = _some(now.look(mover).moves, random)
                began, start = perf_counter(), process_time()
                service.people.use_session(token)
                service.moves.play(table, mover, number, move)
                playing += process_time() - start
                waits.append(perf_counter() - began)
                start = process_time()
                for eye in (0, 1):
                    service.people.use_session(token)
                    now = service.tables.view(table, anna.id)
                    now.info, now.chat_lines(), now.look(eye), now.events(eye, number)
                watching += process_time() - start
            kilobytes = (memory() - empty) / count / 1024
    cuts = quantiles(waits, n=100)
    each = 1000 / len(waits)
    return Cost(
        count, 1000 * opening, each * playing, each * watching, 1000 * median(waits), 1000 * cuts[98], kilobytes
    )


def measure_opening(lines: int) -> tuple[int, float]:
    """Return how many lines a log has, and the milliseconds to look at its table for the first time."""
    with TemporaryDirectory() as folder:
        with KontorServer.open(Path(folder)) as service:
            anna, _ = service.people.guest("Anna")
            games: list[tuple[int, str]] = []
            while not games or (max(games)[0] < lines and len(games) < MOST_GAMES):
                table = service.opening.open(anna.id, LONG)
                games.append((played(service, table, lines), table))
            number, table = max(games)
        times = []
        for _ in range(OPENED):
            with KontorServer.open(Path(folder)) as service:
                # Load what is made once in a process.
                service.tables.view(service.opening.open(anna.id, LONG)).look(0)
                start = process_time()
                now = service.tables.view(table)
                now.look(0), now.events(0, now.info.number - 40)
                times.append(process_time() - start)
    return number, 1000 * median(times)


def main() -> None:
    """Print the figures; each number of tables has a process of its own, so that memory is measured afresh."""
    parser = argparse.ArgumentParser(prog="python -m bench.service", description=__doc__)
    parser.add_argument("--tables", default="10,100,1000,5000", help="how many tables, separated by commas")
    parser.add_argument("--moves", type=int, default=3000, help="moves to measure, for each")
    parser.add_argument("--lines", default="3,90,1500", help="how long the logs are that are opened")
    args = parser.parse_args()
    for count in map(int, args.tables.split(",")):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            print(process.submit(measure, count, args.moves).result(), flush=True)
    for lines in map(int, args.lines.split(",")):
        print("a log of {:4} lines is opened in {:5.2f} ms".format(*measure_opening(lines)), flush=True)


if __name__ == "__main__":
    main()
