"""The league of computer players: what each loses per decision, how each does against each other, how long it thinks.

    nice -n 19 .venv/bin/python -m bench.league shanghaien                      # a few minutes
    nice -n 19 .venv/bin/python -m bench.league dutchman --games 8 --file positions.jsonl

It writes a table (``--out``) with one player a row. The first columns are percentage points lost per decision, with
the 95 % interval, and at most; how often the player finds the best move; milliseconds of processor time a decision.
They are measured in the positions of the file; without a file, positions are made as by ``kontor positions make``.

Then follows, for every other player, the share of the victories in percent, in mirrored games: one player against as
many of the other as there are further seats. The last columns are the version of the players, the digest of their
weights, the command and the seed; the number of positions (n), of games and of groups with each other player; and the
method of the intervals.
"""

from __future__ import annotations

import argparse
import csv
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from time import process_time

from bench.provenance import T_BY_GROUP, player_version, weights_digest
from kontor.arena import Standing, simulate
from kontor.players import benchmark_players_of, players_of
from kontor.plugins import game_named, plugin_named
from kontor.positions.making import header_of, make
from kontor.positions.scoring import PositionsScore, score_player
from kontor.positions.values import PositionsFile, decode
from kontor.work import Jobs
from training.benchmark_players import add_benchmark_players

add_benchmark_players()  # here, because each process that shares the work imports this module anew


@dataclass(frozen=True)
class LeagueRow:
    """A player: its score, and its standing against each other player by name."""

    score: PositionsScore
    against: dict[str, Standing]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the table, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", help="separated by commas; default: all, and those that search, with --budget")
    parser.add_argument("--budget", default="100", help="of those that search")
    parser.add_argument("--file", type=Path, help="judged positions; default: they are made")
    parser.add_argument("--positions", type=int, default=100, help="how many are made")
    parser.add_argument("--games", type=int, default=40, help="between two players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="default: league-GAME.csv")
    arguments = sys.argv[1:] if arguments is None else arguments
    args = parser.parse_args(arguments)
    players = args.players.split(",") if args.players else everybody(args.game, args.budget)
    file = decode(args.file.read_bytes()) if args.file else make_file(args.game, args.seed, args.positions, args.jobs)
    command = shlex.join(["python", "-m", "bench.league", *arguments])
    text = table(file, league(file, players, args.games, args.seed, args.jobs), command, args.seed)
    (args.out or Path(f"league-{args.game}.csv")).write_text(text, encoding="utf-8")
    print(text, end="")
    print(f"{args.game}, seed {args.seed}, {len(file.positions)} positions, {args.games} games a pair")
    print(f"{process_time():.0f} s of this process's time", flush=True)


def everybody(game: str, budget: str) -> list[str]:
    """Return the players of a game, one of several names for each, and those that search, with that budget."""
    plugin = plugin_named(game)
    once = {plugin.players.get(name, name): name for name in players_of(game)}
    return [*once.values(), *(f"{name}:{budget}" for name in benchmark_players_of(game))]


def make_file(game: str, seed: int, count: int, jobs: Jobs) -> PositionsFile:
    """Make ``count`` judged positions, and return them as a file."""
    return PositionsFile(header_of(game, seed, count), tuple(make(game, seed, count, jobs)))


def league(file: PositionsFile, players: Sequence[str], games: int, seed: int, jobs: Jobs) -> dict[str, LeagueRow]:
    """Return each player's row: scored on the file, and in ``games`` mirrored games against each other player."""
    game = game_named(file.header.game)
    options = game.options()
    others = game.seats(options) - 1
    rows = {player: LeagueRow(score_player(file, player, jobs), {}) for player in players}
    for player in players:
        for other in players:
            if player == other or other in rows[player].against:
                continue
            report = simulate(game, options, [player, *[other] * others], games, seed, jobs=jobs, mirrored=True)
            rows[player].against[other] = report.players[0]
            if others == 1:
                rows[other].against[player] = report.players[1]
    return rows


def table(file: PositionsFile, rows: dict[str, LeagueRow], command: str, seed: int) -> str:
    """Return the rows as CSV, each with the provenance of its figures."""
    game = file.header.game
    seats = game_named(game).seats(game_named(game).options())
    out = StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(
        (
            *("player", "lost", "95 % from", "to", "at most", "best move", "ms"),
            *(f"against {player}" for player in rows),
            *("player version", "weights", "command", "seed", "n", "games", "groups", "interval"),
        )
    )
    provenance = player_version(), weights_digest(game), command, seed, len(file.positions)
    for player, row in rows.items():
        total = row.score.total
        low, high = total.ci95 or (float("nan"), float("nan"))
        numbers = (100 * total.lost, 100 * low, 100 * high, 100 * total.at_most)
        lines.writerow(
            (
                player,
                *(f"{number:.2f}" for number in numbers),
                f"{100 * row.score.best:.1f}",
                f"{1000 * (row.score.seconds or 0):.2f}",
                *(_format_standing(row.against.get(other)) for other in rows),
                *provenance,
                games := next(iter(row.against.values())).games if row.against else 0,
                games // seats,
                T_BY_GROUP,
            )
        )
    return out.getvalue()


def _format_standing(standing: Standing | None) -> str:
    """Return a standing as ``82.6 (81.0–84.1)``, or an empty string for none."""
    if standing is None:
        return ""
    low, high = standing.ci95
    return f"{100 * standing.share:.1f} ({100 * low:.1f}–{100 * high:.1f})"


if __name__ == "__main__":
    main()
