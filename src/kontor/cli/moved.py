"""The commands ``kontor train`` and ``kontor gauge`` of earlier versions, which say where they are now."""

from __future__ import annotations

from typing import Final

import typer

from kontor.game import BadOptions

MOVED: Final = ("train", "gauge")


def add_to(app: typer.Typer) -> None:
    """Add the commands, which take any arguments; the help does not list them."""
    for command in MOVED:
        app.command(
            command,
            hidden=True,
            add_help_option=False,
            context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
        )(_refuse_moved)


def _refuse_moved(context: typer.Context) -> None:
    raise BadOptions(
        "",
        "kontor {command} has moved: run python -m training {command} in a clone of Kontor.",
        command=context.info_name,
    )
