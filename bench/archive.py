"""The archive in a database of many finished games: how long searches of fourteen kinds take, as whole pages.

    .venv/bin/python -m bench.archive --games 200000 --each 200

With ``--database postgresql://…`` an empty PostgreSQL database is filled and measured in place of a folder. Of each
kind it prints the median and the 99th percentile of ``--each`` pages, read one after the other, with other people and
days each time. Then it prints the same for moves in games in play, with the indexes of the archive and without, in
turns of fifty.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple, cast
from urllib.parse import urlencode

import httpx
from sqlalchemy import Connection, Index, insert, select, update

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options
from kontor.players.levels import LEVELS
from kontor.server.app import application
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.schema import people, profiles, pulse, seats, tables
from kontor.storage.stored_times import milliseconds_of
from kontor.tables.values import Plan, SeatPlan
from kontor.thinking import Thinkers
from kontor.web.http.limits import LIMITS, Limit, Limits

_DAY: Final = 24 * 3600 * 1000
_DAYS: Final = 3 * 365
"""Days from which games are."""

_PORTION: Final = 5000
"""Games inserted in one statement."""

_NAMES: Final = ("Anna", "Bernd", "Chiara", "Jean-Baptiste", "山田花子", "Özlem", "Wim", "Zoë", "Mats", "Ivana")
_SIZES: Final = {"shanghaien": (2,), "dutchman": (3, 4, 4, 5, 6)}


def main() -> None:
    """Fill a database and print how long each kind of search takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--people", type=int, default=5000)
    parser.add_argument("--played", type=int, default=300)
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--moves", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="")
    args = parser.parse_args()
    with TemporaryDirectory() as name:
        place: Place = args.database or Path(name)
        thinkers = Thinkers(1)
        try:
            with KontorServer.open(place) as service:
                begun = perf_counter()
                played = play_games(args.played, Random(args.seed))
                with service._transactions.storage.writing() as db:
                    fill(db, args.people, args.games, played, Random(args.seed))
                if args.database:  # as autovacuum would; SQLite has no statistics on a server
                    with service._transactions.storage.writing() as db:
                        db.exec_driver_sql("ANALYZE")
                print(f"{args.games} games of {args.people} people, filled in {perf_counter() - begun:.0f} s")
                asyncio.run(_measure(service, thinkers, args.each, Random(args.seed)))
                _measure_moves(service, args.moves)
        finally:
            thinkers.stop()


# -------------------------------------------------------------------------------------------------------- searches


async def _measure(service: KontorServer, thinkers: Thinkers, each: int, random: Random) -> None:
    generous = Limits(dict.fromkeys(LIMITS, Limit(1e6, 1e6)))
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(cast("Any", application(service, thinkers, limits=generous))),
        base_url="http://localhost",
        headers={"accept-encoding": "identity"},
    )
    for kind, query in SEARCHES.items():
        times, games = [], 0
        for at in range(each + 3):
            path = f"/games?{urlencode(query(random))}"
            begun = perf_counter()
            page = await client.get(path)
            if at >= 3:
                times.append(1000 * (perf_counter() - begun))
                games += page.raise_for_status().text.count('id="replay-')
        spread = quantiles(times, n=100)
        print(
            f"{kind}: p50 {spread[49]:.1f} ms, p99 {spread[98]:.1f} ms, n = {each}, {games / each:.1f} games a page"
        )
    await client.aclose()


def _day(random: Random) -> datetime:
    return datetime.now(UTC) - timedelta(days=random.random() * _DAYS)


def _cursor(random: Random) -> str:
    return f"{milliseconds_of(_day(random))}-a"


def _span(random: Random) -> dict[str, str]:
    since = _day(random).date()
    return {"since": str(since), "until": str(since + timedelta(days=random.randrange(1, 60)))}


SEARCHES: Final[dict[str, Callable[[Random], dict[str, str]]]] = {
    "the newest games": lambda _: {},
    "older games, at any place": lambda random: {"older": _cursor(random)},
    "newer games, at any place": lambda random: {"newer": _cursor(random)},
    "games of one kind and number of players": lambda random: {
        "game": "dutchman",
        "players": str(random.randrange(3, 7)),
        "older": _cursor(random),
    },
    "a combination that does not exist": lambda _: {"game": "shanghaien", "players": "5"},
    "games that are not rated": lambda random: {"rated": "no", "older": _cursor(random)},
    "games of some days": _span,
    "days and rated games of one kind": lambda random: {**_span(random), "game": "shanghaien", "rated": "yes"},
    "long games played to the end": lambda random: {"end": "rules", "min_steps": "150", "older": _cursor(random)},
    "a length that no game has": lambda _: {"min_steps": "900000"},
    "games that a common name did not win": lambda random: {
        "name": random.choice(_NAMES)[:4],
        "result": "not-won",
    },
    "games of a common name": lambda random: {"name": random.choice(_NAMES)[:4]},
    "games of one of the busiest people": lambda random: {"person": _id("h", 4 * random.randrange(3))},
    "rated games of a busy person, at any place": lambda random: {
        "person": _id("h", 4 * random.randrange(3)),
        "rated": "yes",
        "older": _cursor(random),
    },
}


# ----------------------------------------------------------------------------------------------------------- moves


def _measure_moves(service: KontorServer, number: int) -> None:
    """Print how long moves take with the indexes of the archive and without them, in turns."""
    indexes = [index for table in (tables, seats) for index in table.indexes if index.name == f"ix_{table}_archived"]
    anna, bernd = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
    times: dict[bool, list[float]] = {True: [], False: []}
    with_indexes = True
    while min(map(len, times.values())) < number:
        table = service.opening.open(anna, Plan("shanghaien", Options(), (SeatPlan("me"), SeatPlan("open"))))
        service.opening.sit(table, 1, bernd)
        random = Random(len(times[True]))
        for _ in range(50):
            info = service.tables.info(table)
            if info.mover is None:
                break
            look = service.tables.view(table).look(info.mover)
            move = look.moves[random.randrange(len(look.moves))]
            begun = perf_counter()
            service.moves.play(table, info.mover, look.number, move)
            times[with_indexes].append(1000 * (perf_counter() - begun))
        with_indexes = not with_indexes
        _switch(service, indexes, with_indexes)
    for has_indexes, milliseconds in times.items():
        spread = quantiles(milliseconds, n=100)
        which = "with" if has_indexes else "without"
        print(
            f"a move {which} the indexes of the archive: median {median(milliseconds):.2f} ms, "
            f"p99 {spread[98]:.2f} ms, n = {len(milliseconds)}"
        )


def _switch(service: KontorServer, indexes: list[Index], with_indexes: bool) -> None:
    with service._transactions.storage.writing() as db:
        for index in indexes:
            if with_indexes:
                index.create(db)
            else:
                index.drop(db)


# ----------------------------------------------------------------------------------------------- a made-up database


class PlayedGame(NamedTuple):
    """Columns of a game that was really played, copied to other people and days."""

    game: str
    options: str
    players: int
    number: int
    result: str
    took: int
    """Milliseconds from its start to its end, by the clock of a fast player."""


def play_games(number: int, random: Random) -> tuple[PlayedGame, ...]:
    """Play games with random moves on a server of their own, and return their columns."""
    with TemporaryDirectory() as name, KontorServer.open(Path(name)) as service:
        persons = [service.people.guest(f"Player {place}")[0].id for place in range(6)]
        for _ in range(number):
            _play_out(service, persons, random)
        columns = (
            tables.c.game,
            tables.c.options,
            tables.c.number,
            tables.c.result,
            tables.c.started,
            tables.c.ended,
        )
        with service._transactions.reading() as db:
            rows = db.execute(select(*columns).where(tables.c.status == "over")).all()
    sizes = {row.result: len(json.loads(row.result)["points"]) for row in rows}
    return tuple(
        PlayedGame(row.game, row.options, sizes[row.result], row.number, row.result, row.ended - row.started)
        for row in rows
    )


def _play_out(service: KontorServer, persons: list[str], random: Random) -> None:
    game = random.choice(tuple(_SIZES))
    size = random.choice(_SIZES[game])
    options = Options() if game == "shanghaien" else DutchmanOptions(players=size)
    table = service.opening.open(persons[0], Plan(game, options, (SeatPlan("me"), *[SeatPlan("open")] * (size - 1))))
    for seat in range(1, size):
        service.opening.sit(table, seat, persons[seat])
    while (mover := service.tables.info(table).mover) is not None:
        look = service.tables.view(table).look(mover)
        service.moves.play(table, mover, look.number, look.moves[random.randrange(len(look.moves))])


def fill(db: Connection, number_of_people: int, games: int, played: Sequence[PlayedGame], random: Random) -> None:
    """Write people, a quarter of them with a public page, and their finished games; few people play most of them.

    The games are copies of those ``played``. They have no log, which no search reads.
    """
    now = milliseconds_of(datetime.now(UTC))
    numbers = range(number_of_people)
    db.execute(
        insert(people), [{"id": _id("p", n), "name": f"{_NAMES[n % 10]} {n}", "created": now} for n in numbers]
    )
    public = [
        {"person": _id("p", n), "handle": _id("h", n), "listed": True, "public": True, "parts": "results games"}
        for n in numbers[::4]
    ]
    db.execute(insert(profiles), public)
    weights = [1 / (n + 10) for n in numbers]  # Zipf's law
    for first in range(0, games, _PORTION):
        made = [
            _make_game(n, games, now, weights, played, random) for n in range(first, min(games, first + _PORTION))
        ]
        db.execute(insert(tables), [table for table, _ in made])
        db.execute(insert(seats), [seat for _, sitting in made for seat in sitting])
    db.execute(update(pulse).values(rated=now))  # no fit of ratings at the start: it would disturb what is measured


def _id(letter: str, number: int) -> str:
    return f"{letter}{number:019}"


def _make_game(
    number: int, games: int, now: int, weights: list[float], played: Sequence[PlayedGame], random: Random
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    copied = random.choice(played)
    size = copied.players
    alone = random.random() < 0.3
    sitting = [] if alone else _sample(weights, size, random)
    sitting = sitting or _sample(weights, 1, random)
    ended = now - _DAYS * _DAY * (games - number) // games - random.randrange(1000)
    archived = ended if random.random() < 0.9 else None
    table: dict[str, Any] = {
        **_SAME,
        "id": _id("t", number),
        "game": copied.game,
        "options": copied.options,
        "host": _id("p", sitting[0]),
        "created": ended - copied.took,
        "started": ended - copied.took,
        "ended": ended,
        "number": copied.number,
        "result": copied.result,
        "watch": archived is not None,
        "archived": archived,
        "players": size if archived else None,
        "rated": None if ended > now - _DAY else random.random() < 0.6,
        "length": copied.number - 1 if archived else None,
        "ended_early": False if archived else None,
    }
    winners = json.loads(copied.result)["winners"]
    sitting_there = [_make_seat(table["id"], seat, sitting, archived, random) for seat in range(size)]
    return table, [{**one, "won": one["seat"] in winners if archived else None} for one in sitting_there]


_SAME: Final = {
    "rules": 1,
    "pace": "none",
    "seconds": 0,
    "reserve": 0,
    "stand_in": "ask",
    "seating": "given",
    "status": "over",
    "commitment": "0" * 64,
    "seed": bytes(32),
}


def _sample(weights: list[float], size: int, random: Random) -> list[int]:
    return list(dict.fromkeys(random.choices(range(len(weights)), weights, k=size)))


def _make_seat(table: str, seat: int, sitting: list[int], archived: int | None, random: Random) -> dict[str, Any]:
    person = sitting[seat] if seat < len(sitting) else None
    return {
        "table_id": table,
        "seat": seat,
        "place": seat,
        "kind": "machine" if person is None else "open",
        "name": f"Gast {seat}" if person is None else f"{_NAMES[person % 10]} {person}",
        "salt": "",
        "left": 0,
        "player": random.choice(tuple(LEVELS)) if person is None else "",
        "stood_in": "",
        "archived": archived,
        "person": None if person is None else _id("p", person),
    }


if __name__ == "__main__":
    main()
