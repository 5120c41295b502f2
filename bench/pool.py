"""The pool of the Holländer's players: learned generations and others, each at tables of each other.

    nice -n 19 .venv/bin/python -m bench.pool generations --jobs 2 --games 400 --first 3,swift:4 --others 2,0,greedy

The first run makes the generations, as ``python -m training train dutchman`` does, and writes each into the folder;
an interrupted run goes on after the last one written. There is one generation more than that command makes: it learns
to win against the last, from that one's games. Then each of ``--first`` plays alone against as many of each of
``--others`` as there are further seats, in mirrored games. A line of the table (``--out``) holds its share of the
victories in percent, with the 95 % interval, and the provenance.

A generation is named by its number, and thinks as ``expert`` does, in kernels: once about each move, in TRIALS
imagined states. Other files in the folder are players too, by their names (1.0.0.npz may be the ``values.npz`` of
that release); for a file without a policy, all seats are expected to play as ``greedy``. ``demanding`` is
``bench.demanding``; all others are players as in ``kontor simulate``, or ``ismcts`` and ``swift``.
"""

from __future__ import annotations

import argparse
import csv
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench import demanding
from bench.provenance import T_BY_GROUP, digest_of, player_version, weights_digest
from kontor.arena import Mirrored, Standing
from kontor.arena.counting import Tally
from kontor.arena.playing import by_number
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.players import Choose, player_named
from kontor.players.budget import Iterations
from kontor.work import Executor, Jobs, executor_of
from training.benchmark_players import add_benchmark_players
from training.dutchman.generations import GENERATIONS, first, following
from training.dutchman.imitation import as_greedy
from training.dutchman.learned import Learned
from training.dutchman.lessons import PLAYERS
from training.dutchman.swift import thinking
from training.trainers import Arrays

add_benchmark_players()  # here, because each process that shares the work imports this module anew

SHIPPED: Final = len(GENERATIONS)
"""The last generation of ``python -m training train``."""

OTHERS: Final = (*map(str, range(SHIPPED)), str(SHIPPED + 1), "greedy", "demanding")

COLUMNS: Final = (
    *("player", "others", "seats", "share", "95 % from", "to"),
    *("player version", "weights", "weights of others", "command", "seed", "n", "groups", "interval"),
)

TRIALS: Final = 96
FEWEST: Final = 8


def main() -> None:
    """Make the missing generations, play, and print the table while it grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of the generations, 0.npz, 1.npz and so on")
    parser.add_argument("--first", default=str(SHIPPED), help="players, separated by commas; default: %(default)s")
    parser.add_argument("--others", default=",".join(OTHERS), help="default: %(default)s")
    parser.add_argument("--games", type=int, default=40, help="between two players")
    parser.add_argument("--seats", type=int, default=4, choices=sorted(set(PLAYERS)))
    parser.add_argument("--seed", type=int, default=2026, help="of the games")
    parser.add_argument("--training-seed", type=int, default=1)
    parser.add_argument("--effort", type=float, default=1.0, help="of the training")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("pool-dutchman.csv"))
    args = parser.parse_args()
    make_generations(args.folder, args.training_seed, args.effort, args.jobs)
    first, others = args.first.split(","), args.others.split(",")
    with args.out.open("w", encoding="utf-8", newline="") as file, executor_of(args.jobs) as executor:
        lines = [csv.writer(out, lineterminator="\n") for out in (file, sys.stdout)]
        for line in lines:
            line.writerow(COLUMNS)
        for row in pool(args.folder, first, others, args.seats, args.games, args.seed, executor):
            for line in lines:
                line.writerow(row)
            file.flush()
            sys.stdout.flush()


def make_generations(folder: Path, seed: int, effort: float, jobs: Jobs) -> None:
    """Train the generations that are not yet in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    learned: Arrays = {}
    for generation in range(SHIPPED + 2):
        path = folder / f"{generation}.npz"
        if path.exists():
            learned = _read(path)
            continue
        if generation:
            learned = following(learned, generation, seed, effort, jobs, _tell_nobody)
        else:
            learned = first(seed, effort, jobs, _tell_nobody)
        half = path.with_suffix(".half")
        with half.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **learned)
        half.rename(path)


def _tell_nobody(stage: str, done: int, total: int) -> None:
    """Ignore a report of progress."""


def _read(path: Path) -> Arrays:
    with np.load(path) as arrays:
        return dict(arrays)


class PoolGames(Mirrored):
    """Games of players of which some have learned the files in a folder."""

    def __init__(self, folder: Path, options: Options, players: Sequence[str], seed: int) -> None:
        super().__init__(DUTCHMAN, options, ["greedy"] * len(players), seed)  # the players are in the folder
        self.folder = folder
        self.players = tuple(players)
        self._choose = [choose_of(folder, name) for name in players]

    def __reduce__(self) -> tuple[Any, ...]:
        return PoolGames, (self.folder, self.options, self.players, self.seed)


def choose_of(folder: Path, name: str) -> Choose:
    """Return the player of that name."""
    path = folder / f"{name}.npz"
    if path.exists():
        return thinking(Learned({**as_greedy(), **_read(path)}), Iterations(1), TRIALS, FEWEST)
    return demanding.choose if name == "demanding" else player_named("dutchman", name)


def pool(
    folder: Path, first: Sequence[str], others: Sequence[str], seats: int, games: int, seed: int, executor: Executor
) -> Iterator[tuple[object, ...]]:
    """Yield the table's lines."""
    for player in first:
        for other in others:
            if player != other:
                standing = play_games(
                    PoolGames(folder, Options(seats), [player, *[other] * (seats - 1)], seed), games, executor
                )
                shares = (standing.share, *standing.ci95)
                yield (
                    *(player, other, seats),
                    *(f"{100 * share:.1f}" for share in shares),
                    *(player_version(), weights_of(folder, player), weights_of(folder, other)),
                    command_of(player, other, seats, games, seed),
                    *(seed, games, games // seats, T_BY_GROUP),
                )


def command_of(player: str, other: str, seats: int, games: int, seed: int) -> str:
    """Return the command that plays one line of the table."""
    return (
        f"python -m bench.pool generations --first {shlex.quote(player)} --others {shlex.quote(other)} "
        f"--seats {seats} --games {games} --seed {seed}"
    )


def weights_of(folder: Path, name: str) -> str:
    """Return the digest of a player's weights: of its file in the folder, or of those that ship; empty for none."""
    path = folder / f"{name}.npz"
    if path.exists():
        return digest_of(path.read_bytes())
    return "" if name in ("greedy", "demanding") else weights_digest("dutchman")


def play_games(series: PoolGames, games: int, executor: Executor) -> Standing:
    """Play ``games`` games, and return the standing of the first player."""
    tally = Tally(series.players[0], series.group)
    for game in by_number(series, games, executor, recorded=False):
        tally.add(game.result, game.players.index(0))
    return tally.standing()


if __name__ == "__main__":
    main()
