"""``kontor simulate``: a series of games between computer players."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from kontor import arena
from kontor.cli.options import AsJson, Game, whole_number
from kontor.cli.progress import counting
from kontor.cli.results import show_result, table_of
from kontor.cli.settings import options_from, with_settings
from kontor.cli.sharing import Ray, sharing
from kontor.terminal.adapter import adapter_named
from kontor.terminal.screen import Picture
from kontor.terminal.seats import players_from
from kontor.words import Words, mark


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=mark("Let computer players play each other; they change seats from game to game. Who wins how often?"),
        epilog=mark(
            "\b\nExamples:\n"
            "  kontor simulate {game} --players greedy,random --games 1000\n"
            "  kontor simulate {game} --players steady,greedy --seed 7 --json\n"
            "  kontor simulate {game} --players expert,greedy --mirrored --jobs all\n"
            "  kontor simulate {game} --players expert,greedy --ray 10.0.0.5:6379"
        ),
    )(simulate)


@with_settings
def simulate(
    context: typer.Context,
    game: Game,
    players: Annotated[
        str | None,
        typer.Option("--players", metavar="A,B,…", help=mark("Computer players; default: greedy against random.")),
    ] = None,
    games: Annotated[str, typer.Option("--games", metavar="N", help=mark("Number of games."))] = "100",
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same games."))] = "1",
    jobs: Annotated[
        str, typer.Option("--jobs", metavar="N", help=mark("Number of processes that play; all: one per core."))
    ] = "1",
    ray: Ray = None,
    mirrored: Annotated[
        bool, typer.Option("--mirrored", help=mark("Everyone sits once in each seat, with the same cards and dice."))
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option("--records", metavar="DIR", help=mark("Save the record of each game in this folder.")),
    ] = None,
    as_json: AsJson = False,
    *,
    settings: dict[str, str],
) -> None:
    """Play a series of games between computer players and show the results."""
    words: Words = context.obj
    adapter = adapter_named(game)
    names = players_from(players, adapter)
    options = options_from(adapter, settings, names)
    count = whole_number(games, "--games", 1)
    processes = (os.cpu_count() or 1) if jobs == "all" else whole_number(jobs, "--jobs", 1)
    try:
        with sharing(ray, processes) as shared, counting(words.say("games"), count) as one_more:
            report = arena.simulate(
                adapter.game,
                options,
                names,
                count,
                whole_number(seed, "--seed", 0),
                jobs=shared,
                mirrored=mirrored,
                folder=folder,
                on_game=lambda played: one_more(),
            )
    except arena.Stopped as stopped:
        show_result(stopped.report, as_json, partial(_picture, words, stopped.report))
        raise
    show_result(report, as_json, lambda: _picture(words, report))


def _picture(words: Words, report: arena.Report) -> Picture:
    """Return the table of the players' results."""
    say = words.say
    table = table_of(
        [say("player")], [say("games"), say("wins"), say("draws"), say("win rate"), say("95%"), say("points")]
    )
    for player in report.players:
        low, high = player.ci95
        table.add_row(
            Text(player.name),
            f"{player.games:,}",
            f"{player.wins:,}",
            f"{player.draws:,}",
            f"{player.share:.1%}",
            f"{low:.1%} – {high:.1%}",
            f"{player.mean_points:.1f}",
        )
    speed = words.count(
        "{n} game, seed {seed}, {speed} decisions per second.",
        "{n} games, seed {seed}, {speed} decisions per second.",
        report.games,
        seed=report.seed,
        speed=f"{report.decisions_per_second:,.0f}",
    )
    if report.group == 1:
        interval = say("95%: Wilson’s interval of the win rate.")
    else:
        interval = words.count(
            "95%: interval of one group of {group} games with the same luck.",
            "95%: interval of {n} groups of {group} games with the same luck.",
            report.games // report.group,
            group=report.group,
        )
    return Group(table, Text(speed), Text(interval))
