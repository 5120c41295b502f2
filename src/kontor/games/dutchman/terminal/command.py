"""The command line of Der fliegende Holländer: the command for its sea chart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.terminal import chart as drawing
from kontor.games.dutchman.terminal.chart_file import chart_from
from kontor.terminal.screen import Screen
from kontor.words import mark


def add_to(app: typer.Typer) -> None:
    """Add the command ``chart``."""
    app.command(
        help=mark("Draw a sea chart of Der fliegende Holländer, or say why it is not valid (H3)."),
        epilog=mark("\b\nExamples:\n  kontor chart\n  kontor chart my-board.toml"),
    )(chart)


def chart(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help=mark("A chart file; default: Kontor’s own chart."))
    ] = None,
) -> None:
    """Draw a chart. Raises BadChart."""
    Screen().show(drawing.page(context.obj, chart_from(file) if file else OURS))
