"""The command ``kontor``: each subcommand is a file, which adds it to ``app`` and calls the room below it.

Most commands need few packages. Files import slow ones (databases, NumPy, the web) in the command itself, so that
others do not wait for them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from kontor.cli import (
    backup,
    bench,
    migrate,
    moved,
    people,
    play,
    positions,
    puzzles,
    ratings,
    replay,
    review,
    serve,
    simulate,
    verify,
)
from kontor.cli.game_commands import add_commands_of_games
from kontor.cli.running import run_command
from kontor.cli.translation import LANGUAGE, help_details, language_of, translated
from kontor.distribution import installed_version
from kontor.terminal.screen import open_closed_streams, survive_any_text
from kontor.words import Words, mark
from kontor.work.one_core import ONE_CORE

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(
    invoke_without_command=True,
    help=mark("{titles}: play, simulate, watch and verify."),
    epilog=mark("Start with: kontor play {game}"),
)
def kontor(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help=mark("Show the version."))] = False,
    language: Annotated[
        str | None, typer.Option(LANGUAGE, metavar="CODE", help=mark("Language of the output, such as de or fr."))
    ] = None,
) -> None:
    """Show the version, or the help where no subcommand is given."""
    if show_version:
        typer.echo(f"kontor {installed_version()}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


for add_to in (
    play.add_to,
    replay.add_to,
    verify.add_to,
    review.add_to,
    simulate.add_to,
    bench.add_to,
    serve.add_to,
    migrate.add_to,
    backup.add_to,
    ratings.add_to,
    people.add_to,
    puzzles.add_to,
    positions.add_to,
    moved.add_to,
    add_commands_of_games,
):
    add_to(app)


def run(arguments: Sequence[str]) -> int:
    """Run a command of ``kontor`` and return the exit code; known errors are printed as a sentence."""
    words = Words(language_of(arguments))
    command = translated(typer.main.get_command(app), words, **help_details(words))
    return run_command(command, arguments, "kontor", words)


def main() -> None:
    """Run the command ``kontor`` and exit."""
    # Before NumPy is imported: another number of threads changes its rounding, and so the games of a seed.
    os.environ.update({**ONE_CORE, **os.environ})
    open_closed_streams()
    survive_any_text()
    sys.exit(run(sys.argv[1:]))
