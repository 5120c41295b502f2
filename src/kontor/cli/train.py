"""``kontor train``: computer players, trained from scratch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kontor.cli.options import Game, Processes, whole_number
from kontor.cli.progress import stages
from kontor.cli.sharing import Ray, sharing
from kontor.game import BadOptions
from kontor.terminal.adapter import adapter_named
from kontor.terminal.screen import Screen
from kontor.words import Words, mark


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=mark("Train the computer players from scratch, from a seed alone. This takes a while."),
        epilog=mark(
            "\b\nExamples:\n  kontor train {game}                        as the shipped ones were made\n  "
            "kontor train {game} --effort 0.1 --jobs 2  rougher, but faster"
        ),
    )(train)


def train(
    context: typer.Context,
    game: Game,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same weights."))] = "1",
    jobs: Processes = "1",
    ray: Ray = None,
    effort: Annotated[
        float,
        typer.Option("--effort", min=0.001, metavar="X", help=mark("How much to play and learn; 1 is what ships.")),
    ] = 1.0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help=mark("File for the weights; default: the name of the game.")),
    ] = None,
) -> None:
    """Train the weights of computer players and write them to a file. Raises BadOptions if the file exists."""
    words: Words = context.obj
    name = adapter_named(game).game.name
    path = out or Path(f"{name}-values.npz")
    if path.exists():
        raise BadOptions("", "The file {file} already exists: choose another name.", file=path)
    # NumPy is slow to import, and only few commands need it.
    from kontor.players.training import write

    with sharing(ray, whole_number(jobs, "--jobs", 1)) as shared, stages(words.say) as tell:
        write(path, name, whole_number(seed, "--seed", 0), effort, shared, tell)
    Screen().show(words.say("The weights are in {file}.", file=path))
