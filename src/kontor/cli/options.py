"""Options and arguments that commands share, and what they stand for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import typer

from kontor.game import BadOptions, Refusal
from kontor.words import mark

Game = Annotated[str, typer.Argument(metavar="GAME", help=mark("{games}."))]

RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help=mark("The record of a game."))]

AsJson = Annotated[bool, typer.Option("--json", help=mark("Print the results as JSON."))]

Processes = Annotated[str, typer.Option("--jobs", metavar="N", help=mark("Number of processes that share the work."))]


def whole_number(given: str, option: str, least: int) -> int:
    """Return the whole number that was given to an option. Raises BadOptions unless it is ``least`` or more."""
    value = int(given) if given.isascii() and given.lstrip("-").isdigit() and len(given) < 12 else least - 1
    if value < least:
        raise BadOptions(
            "",
            "{option} takes a whole number from {least} on, not “{given}”.",
            option=option,
            least=least,
            given=given,
        )
    return value


# ------------------------------------------------------------------------------------------------ where a server is

DATABASE: Final = "KONTOR_DATABASE"
"""The environment variable for a database's address: unlike an argument, a password in it is in no list of
processes."""

Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        envvar="KONTOR_DATA",
        show_default="~/.local/share/kontor",
        help=mark("The folder for people, tables and games; one per server."),
    ),
]
Database = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="ADDRESS",
        envvar=DATABASE,
        show_envvar=False,
        help=mark(
            "A PostgreSQL database to keep them in instead; you can also set KONTOR_DATABASE in the environment."
        ),
    ),
]
"""The options for the place of the server's data: see ``place_from``."""


class TwoPlaces(Refusal):
    """The refusal of a folder and a database given together."""


def data_folder() -> Path:
    """Return the default folder for a server's data."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "kontor"


def place_from(data: Path | None, database: str) -> Path | str:
    """Return the folder of a server, or the address of its database, from the two options. Raises TwoPlaces."""
    if data is not None and database:
        reason = (
            "A server keeps its data in a folder or in a database, not in both: use --data or --database "
            "({variable})."
        )
        raise TwoPlaces("", reason, variable=DATABASE)
    return database or data or data_folder()
