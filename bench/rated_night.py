"""A night of ratings, in a database of many people and finished games.

    nice -n 19 .venv/bin/python -m bench.rated_night --people 10000 --games 200000

It measures how long all ratings take to be fitted and written beside a server. It also measures how long a person
waits meanwhile, and how long a page of the best takes.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any, Final

from kontor.players.levels import LEVELS
from kontor.server.composition import KontorServer
from kontor.server.nightly_ratings import NightlyRatings
from kontor.storage.schema import METADATA
from kontor.storage.sqlite import DATABASE
from kontor.storage.stored_times import milliseconds_of

_DAY: Final = 24 * 3600 * 1000
_HELD: Final = 0.1
"""Share of games of one person against levels only."""


def main() -> None:
    """Print how long each part takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--games", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        KontorServer.open(folder).close()
        begun = monotonic()
        fill(folder, args.people, args.games, Random(args.seed))
        size = (folder / DATABASE).stat().st_size / 1e6
        print(f"{args.people} people, {args.games} games, {size:.0f} MB, filled in {monotonic() - begun:.0f} s")
        with KontorServer.open(folder) as service:
            _measure_night(service, folder)


def _measure_night(service: KontorServer, folder: Path) -> None:
    counted = _Counted()
    anna = service.people.guest("Anna")[0].id
    quiet = _waits(service, anna, Event(), 100)
    over, waits = Event(), list[float]()
    player = Thread(target=lambda: waits.extend(_waits(service, anna, over, 1 << 30)))
    player.start()
    begun = monotonic()
    NightlyRatings(service, folder, counter=counted).one_look()
    seconds = monotonic() - begun
    over.set()
    player.join()
    print(f"read, fitted and written in {seconds:.1f} s by the clock; the process that fits had {counted.memory} MB")
    for when, milliseconds in (("before", quiet), ("meanwhile", waits)):
        spread = quantiles(milliseconds, n=100)
        print(f"a change of one's name {when}: median {spread[49]:.1f} ms, of 100 the slowest {spread[98]:.1f} ms")
    times = []
    for first in range(0, 500, 50):
        begun = monotonic()
        page = service.ratings.best("shanghaien", anna, first)
        times.append(1000 * (monotonic() - begun))
    print(f"a page of the best of {page.number}: {min(times):.1f} to {max(times):.1f} ms")


def _waits(service: KontorServer, person: str, over: Event, most: int) -> list[float]:
    """Return the milliseconds of each of many changes, until ``over`` is set or there are ``most``."""
    milliseconds = list[float]()
    while not over.is_set() and len(milliseconds) < most:
        begun = monotonic()
        service.people.rename(person, f"Anna {len(milliseconds) % 7}")
        milliseconds.append(1000 * (monotonic() - begun))
        sleep(0.02)
    return milliseconds


class _Counted:
    memory = 0

    def fitted(self, at: datetime, seconds: float, memory: int) -> None:
        self.memory = memory

    def not_fitted(self) -> None:
        raise SystemExit("nothing was fitted")


# ----------------------------------------------------------------------------------------------- a made-up database


def fill(folder: Path, people: int, games: int, random: Random) -> None:
    """Write people of many strengths, half of them listed, and their finished games of two years."""
    now = milliseconds_of(datetime.now(UTC))
    strengths = [random.gauss(0, 1) for _ in range(people)]
    database = sqlite3.connect(folder / DATABASE)
    with database:
        insert(database, "people", ({"id": _id("p", n), "name": f"Gast {n}", "created": now} for n in range(people)))
        insert(
            database,
            "profiles",
            ({"person": _id("p", n), "handle": _id("h", n), "listed": n % 2, "public": n % 2} for n in range(people)),
        )
        made = [_make_game(number, strengths, now, games, random) for number in range(games)]
        insert(database, "tables", (table for table, _ in made))
        insert(database, "seats", (seat for _, sitting in made for seat in sitting))
        insert(
            database,
            "chat",
            (
                {"table_id": table["id"], "number": 1, "kind": "started", "name": "", "text": "", "at": now}
                for table, _ in made
            ),
        )
    database.close()


def _id(letter: str, number: int) -> str:
    return f"{letter}{number:019}"


def _make_game(
    number: int, strengths: list[float], now: int, games: int, random: Random
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    game = random.choice(("shanghaien", "dutchman"))
    size = 2 if game == "shanghaien" else random.randint(3, 5)
    people = random.sample(range(len(strengths)), 1 if random.random() < _HELD else size)
    level = random.choice(tuple(LEVELS))
    luck = [
        random.gauss(0, 1.3) + (strengths[who] if who >= 0 else 0.5)
        for who in [*people, *[-1] * (size - len(people))]
    ]
    order = sorted(luck, reverse=True)
    points = [size - order.index(one) for one in luck]
    ended = now - 2 * 365 * _DAY * (games - number) // games
    table = {
        "id": _id("t", number),
        "game": game,
        "rules": 1,
        "options": "{}",
        "pace": "none",
        "seconds": 0,
        "reserve": 0,
        "watch": 1,
        "stand_in": "ask",
        "seating": "given",
        "host": _id("p", people[0]),
        "status": "over",
        "created": ended - 1,
        "started": ended - 1,
        "ended": ended,
        "number": 100,
        "result": json.dumps({"points": points, "winners": [points.index(size)]}),
        "commitment": "0" * 64,
        "seed": bytes(32),
    }
    sitting = [
        {
            "table_id": table["id"],
            "seat": seat,
            "place": seat,
            "kind": "open" if seat < len(people) else "machine",
            "name": f"Seat {seat}",
            "player": "" if seat < len(people) else level,
            "person": _id("p", people[seat]) if seat < len(people) else None,
            "salt": "",
            "stood_in": "",
            "left": 0,
        }
        for seat in range(size)
    ]
    return table, sitting


def insert(database: sqlite3.Connection, table: str, rows: Iterator[dict[str, Any]]) -> None:
    """Insert rows that all have the same columns."""
    first = next(rows)
    columns = METADATA.tables[table].c.keys()
    assert set(first) <= set(columns)
    names = ", ".join(f'"{name}"' for name in first)
    marks = ", ".join("?" * len(first))
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 (names of our own)
    database.execute(statement, tuple(first.values()))
    database.executemany(statement, (tuple(row.values()) for row in rows))


if __name__ == "__main__":
    main()
