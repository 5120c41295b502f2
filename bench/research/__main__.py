"""The command line of ``bench.research``."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core for each seed

import csv
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import bench.research
from bench.research.intervals import Row
from kontor.optional_packages import MissingExtra

SEEDS: Final = 5
GAMES: Final = ("shanghaien", "dutchman")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name, and print its table as CSV."""
    parser = ArgumentParser(prog="bench.research", description=bench.research.__doc__)
    parser.formatter_class = RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="what", required=True)
    level = commands.add_parser("levels")
    level.add_argument("game", choices=GAMES)
    level.add_argument("--games", type=int, default=600)
    level.add_argument("--expert-games", type=int, default=400)
    learning = commands.add_parser("ppo")
    learning.add_argument("game", choices=GAMES)
    learning.add_argument("--updates", type=int, default=60)
    learning.add_argument("--opponents", choices=("random", "self"), default="random")
    learning.add_argument("--games", type=int, default=60)
    searching = commands.add_parser("mcts")
    searching.add_argument("--games", type=int, default=60)
    searching.add_argument("--simulations", type=int, default=50)
    deep = commands.add_parser("dqn")
    deep.add_argument("--decisions", type=int, default=40_000)
    deep.add_argument("--games", type=int, default=512)
    deep.add_argument("--points", type=int, default=4)
    solving = commands.add_parser("mini")
    solving.add_argument("--iterations", type=int, default=200)
    speed = commands.add_parser("speed")
    speed.add_argument("game", choices=GAMES)
    speed.add_argument("--runs", type=int, default=5)
    speed.add_argument("--seconds", type=float, default=1)
    for command in (level, learning, deep):
        command.add_argument("--cores", type=int, default=2)
    for command in (learning, deep, solving):
        command.add_argument("--seeds", type=int, default=SEEDS)
    table = csv.writer(sys.stdout, lineterminator="\n")
    try:
        for row in rows(parser.parse_args(arguments)):
            table.writerow([f"{cell:.4g}" if isinstance(cell, float) else cell for cell in row])
            sys.stdout.flush()
    except MissingExtra as missing:
        sys.exit(str(missing))


def rows(given: Any) -> Iterator[Row]:
    """Return the rows of the requested table. Imports that only one command needs are made for it alone."""
    match given.what:
        case "levels":
            from bench.research.levels import rewards_of_levels

            return rewards_of_levels(given.game, given.games, given.expert_games, given.cores)
        case "ppo":
            from bench.research.learning import ppo

            return ppo(given.game, given.updates, given.opponents, given.games, given.seeds, given.cores)
        case "mcts":
            from bench.research.searching import search

            return search(given.games, given.simulations)
        case "dqn":
            from bench.research.deep_q import deep_q

            return deep_q(given.decisions, given.games, given.points, given.seeds, given.cores)
        case "speed":
            from bench.research.speed import speeds

            return speeds(given.game, given.runs, given.seconds)
        case _:
            from bench.research.solving import solve

            return solve(given.iterations, given.seeds)


if __name__ == "__main__":
    main()
