"""Small seeded slices of the commands behind the tables of figures in docs, and their results: figures.csv.

PYTHONPATH=. .venv/bin/python tests/figures.py     # plays all anew and writes the results

A slice is a command of a table with fewer games or positions. Its games are the first ones of the measurement,
because games are numbered and each follows from the seed and its number alone. Results are written as text, without
times.
"""

import csv
import json
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from bench.league import league, make_file
from bench.pool import SHIPPED, PoolGames, play_games
from bench.research import levels
from kontor.cli import run
from kontor.games.dutchman.rules import Options
from kontor.work import executor_of
from training.dutchman.learned import shipped

FILE: Final = Path(__file__).with_suffix(".csv")
DOCS: Final = Path(__file__).parents[1] / "docs"

SMALLER: Final = ("--games", "--positions")
"""Options that are smaller in a slice."""

NARROWER: Final = ("--players", "--file", "--jobs", "--expert-games")
"""Options of the league and the levels that a slice may change: fewer players, positions made anew."""


class Slice(NamedTuple):
    """A part of a table that is played again, and its result."""

    table: str
    command: str
    result: str


def slices() -> list[Slice]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return [Slice(**row) for row in csv.DictReader(file)]


def options_of(command: str) -> tuple[list[str], dict[str, str]]:
    words = [word for word in shlex.split(command) if word != "--mirrored"]
    first = next(place for place, word in enumerate(words) if word.startswith("--"))
    return words[:first], dict(zip(words[first::2], words[first + 1 :: 2], strict=True))


def play(command: str) -> str:
    """Play a slice with one thread of matrix products, as the commands do, and return its result as text.

    Another number of threads rounds the Holländer's learned values otherwise, and `expert` then plays other games.
    """
    with threadpool_limits(1):
        return _play(command)


def _play(command: str) -> str:
    words, options = options_of(command)
    games = int(options.get("--games", "0"))
    match words:
        case ["kontor", "simulate", _]:
            return _simulate(shlex.split(command)[1:])
        case ["python", "-m", "bench.league", game]:
            return _league(game, options["--players"].split(","), games, int(options["--positions"]))
        case ["python", "-m", "bench.pool", "generations"]:
            seats, seed = int(options["--seats"]), int(options["--seed"])
            return _pool([options["--first"], *[options["--others"]] * (seats - 1)], games, seed)
        case ["python", "-m", "bench.research", "levels", game]:
            return "casual " + " ".join(str(levels.played(game, "casual", number)) for number in range(games))
    raise ValueError(f"No such table is known: {command}")


def _simulate(arguments: list[str]) -> str:
    with redirect_stdout(StringIO()) as printed:
        code = run([*arguments, "--json"])
    assert code == 0, arguments
    report = json.loads(printed.getvalue())
    players = [f"{one['name']} {one['wins']} {one['draws']} {one['mean_points']:.4f}" for one in report["players"]]
    return f"{report['decisions']} decisions; {', '.join(players)}"


def _league(game: str, players: list[str], games: int, positions: int) -> str:
    rows = league(make_file(game, 1, positions, 1), players, games, 1, 1)
    lines = []
    for player, row in rows.items():
        total = row.score.total
        against = [f"{other} {one.wins} {one.draws} {one.mean_points:.4f}" for other, one in row.against.items()]
        lines.append(f"{player} {100 * total.lost:.4f} {100 * total.at_most:.4f} {row.score.best:.4f} {against}")
    return "; ".join(lines)


def _pool(players: list[str], games: int, seed: int) -> str:
    with TemporaryDirectory() as name, executor_of(1) as executor:
        np.savez(Path(name) / f"{SHIPPED}.npz", allow_pickle=False, **shipped().arrays)
        standing = play_games(PoolGames(Path(name), Options(len(players)), players, seed), games, executor)
    return f"{standing.name} {standing.wins} {standing.draws} {standing.mean_points:.4f}"


def main() -> None:
    """Play all slices anew, and write the results."""
    filed = slices()
    again = [figure._replace(result=play(figure.command)) for figure in filed]
    with FILE.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerows([Slice._fields, *again])
    for one, before in zip(again, filed, strict=True):
        print(one.command, one.result, "" if one == before else "(changed)", sep="\n    ")  # noqa: T201


if __name__ == "__main__":
    main()
