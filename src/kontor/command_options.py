"""Options that commands share: the language, which also applies to help, and the place of the server's data."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_type_hints

import typer

from kontor.game import Refusal
from kontor.words import Words, mark

LANGUAGE: Final = "--language"


def language_of(arguments: Sequence[str]) -> str | None:
    """Return the language in the arguments; it is needed before parsing, because help is translated too."""
    for place, argument in enumerate(arguments):
        if argument == LANGUAGE and place + 1 < len(arguments):
            return arguments[place + 1]
        if argument.startswith(f"{LANGUAGE}="):
            return argument.partition("=")[2]
    return None


def translated(command: Any, words: Words, **details: str) -> Any:
    """Translate and fill in the help of a command and of all its subcommands; return the command."""
    for part in ("help", "epilog", "short_help"):
        if getattr(command, part, None):
            setattr(command, part, words.say(getattr(command, part), **details))
    for parameter in command.params:
        if getattr(parameter, "help", None):
            parameter.help = words.say(parameter.help, **details)
    for below in getattr(command, "commands", {}).values():
        translated(below, words, **details)
    return command


Options = TypeVar("Options")


def command_of(options: Callable[..., Options], run: Callable[[Options], None]) -> Callable[..., None]:
    """Return a command for Typer that takes the fields of a struct as its options, and runs a function with them.

    Typer reads a command's options from the signature of a function: this one has the signature of the struct.
    """

    def command(**given: Any) -> None:
        run(options(**given))

    hints = get_type_hints(options, include_extras=True)
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[name])
        for name, field in signature(options).parameters.items()
    ]
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = hints
    return command


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
