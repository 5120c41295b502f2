"""``kontor replay``: a recorded game, step by step or in full."""

from __future__ import annotations

from typing import Annotated

import typer

from kontor.cli.options import RecordFile
from kontor.records import read
from kontor.terminal.prompt import Keyboard
from kontor.terminal.replay import Replay
from kontor.terminal.screen import Screen
from kontor.words import mark


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=mark(
            "Watch a recorded game, step by step. A finished game is shown in full, any other only as "
            "far as it is public."
        ),
        epilog=mark(
            "\b\nExamples:\n  kontor replay game.jsonl               Enter: on, b: back, n: next round\n  "
            "kontor replay game.jsonl --all         all of it at once\n  kontor replay game.jsonl --seat "
            "Anna   as Anna saw it"
        ),
    )(replay)


def replay(
    context: typer.Context,
    file: RecordFile,
    everything: Annotated[bool, typer.Option("--all", help=mark("Print the whole game without asking."))] = False,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="NAME", help=mark("Show the game as the seat with this name saw it.")),
    ] = None,
) -> None:
    """Show a recorded game, step by step or in full."""
    screen = Screen()
    replaying = Replay(context.obj, screen, read(file), seat)
    if everything:
        replaying.all()
    else:
        replaying.step(Keyboard(screen))
