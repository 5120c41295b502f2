"""Training of the computer players, and its measurement, from a clone of the repository.

    nice -n 19 .venv/bin/python -m training train shanghaien --seed 1 --out values.npz
    nice -n 19 .venv/bin/python -m training gauge dutchman --jobs 2

Both take a while: ``--effort 0.1`` is rougher, but faster. NumPy is imported only after ``main`` has set its threads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from kontor.cli.options import AsJson, Processes, whole_number
from kontor.cli.progress import stages
from kontor.cli.results import show_result
from kontor.cli.running import run_command
from kontor.cli.sharing import Ray, sharing
from kontor.game import BadOptions
from kontor.plugins import plugin_named
from kontor.terminal.screen import Screen, open_closed_streams, survive_any_text
from kontor.words import Words
from kontor.work.one_core import ONE_CORE

app = typer.Typer(
    help="Train the computer players, and measure what they have learned.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Game = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game.")]


@app.command(help="Train the computer players from scratch, from a seed alone. This takes a while.")
def train(
    game: Game,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed, the same weights.")] = "1",
    jobs: Processes = "1",
    ray: Ray = None,
    effort: Annotated[
        float, typer.Option("--effort", min=0.001, metavar="X", help="How much to play and learn; 1 is what ships.")
    ] = 1.0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="File for the weights; default: the name of the game."),
    ] = None,
) -> None:
    """Train the weights of computer players and write them to a file. Raises BadOptions if the file exists."""
    plugin_named(game)
    path = out or Path(f"{game}-values.npz")
    if path.exists():
        raise BadOptions("", "The file {file} already exists: choose another name.", file=path)
    from training.trainers import write

    with sharing(ray, whole_number(jobs, "--jobs", 1)) as shared, stages(str) as tell:
        write(path, game, whole_number(seed, "--seed", 0), effort, shared, tell)
    Screen().show(f"The weights are in {path}.")


@app.command(help="Measure how accurate the chances of winning are that computer players have learned.")
def gauge(
    game: Game,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed, the same positions.")] = "1",
    jobs: Processes = "1",
    effort: Annotated[
        float,
        typer.Option(
            "--effort",
            min=0.001,
            metavar="X",
            help="How many positions and games, as a fraction of the full run (1).",
        ),
    ] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure the accuracy of the learned chances of winning, and show it."""
    from training.gauge_tables import gauge_tables
    from training.trainers import gauge_of

    with stages(str) as tell:
        measured = gauge_of(game)(whole_number(seed, "--seed", 0), effort, whole_number(jobs, "--jobs", 1), tell)
    show_result(measured, as_json, lambda: gauge_tables(measured))


def run(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code; known errors are printed as a sentence."""
    from training.trainers import NothingToTrain

    try:
        return run_command(typer.main.get_command(app), arguments, "python -m training", Words("en"))
    except NothingToTrain as nothing:
        typer.echo(nothing, err=True)
        return 2


def main() -> None:
    """Run a command and exit."""
    # Before NumPy is imported: another number of threads changes its rounding, and so the weights of a seed.
    os.environ.update({**ONE_CORE, **os.environ})
    open_closed_streams()
    survive_any_text()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
