"""``kontor serve``: a server for playing in the browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any, get_type_hints

import typer

from kontor.cli.options import DATABASE, Data, Database, place_from
from kontor.cli.translation import translated
from kontor.game import Refusal
from kontor.visible_text import visible
from kontor.words import Words, mark


def add_to(app: typer.Typer) -> None:
    """Add the command; it leaves its options to :func:`main`."""
    app.command(
        help=mark("Start a server for playing in the browser; see kontor serve --help."),
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
        add_help_option=False,
    )(serve)


def serve(context: typer.Context) -> None:
    """Run the web server, and exit with its code."""
    raise typer.Exit(main(context.args, context.obj))


def main(arguments: Sequence[str], words: Words) -> int:
    """Serve; print a refusal as a sentence. Return the exit code."""
    command: Any = translated(typer.main.get_command(server_app()), words)
    for option in command.params:  # containers are configured by their environment rather than by arguments
        option.envvar = option.envvar or f"KONTOR_{option.opts[0].removeprefix('--').replace('-', '_').upper()}"
    try:
        command.main(list(arguments), prog_name="kontor serve", standalone_mode=False)
    except Refusal as refusal:
        typer.echo(visible(words.refuse(refusal)), err=True)
        return 1
    return 0


def server_app() -> typer.Typer:
    """Return the command with its options."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(
        help=mark("Start a server for playing in the browser. Ctrl-C stops it; games go on when it starts again."),
        epilog=mark("\b\nExamples:\n  kontor serve\n  kontor serve --port 8000 --data ./kontor-data"),
    )(_command())
    return app


def _command() -> Callable[..., None]:
    """Return a function that takes the fields of ``ServeOptions``, and opens the server.

    Typer reads a command's options from the signature of a function: this one has the signature of the struct, except
    that the two options for a place stand for the field ``place``.
    """
    # The packages of a web server take a second to import, and only this command needs them.
    from kontor.server.gc_tuning import no_gc

    with no_gc():
        from kontor.server.options import SMTP, ServeOptions
        from kontor.server.serve import serve as open_server

    def command(data: Path | None, database: str, **given: Any) -> None:
        for secret in (DATABASE, SMTP):
            os.environ.pop(secret, None)  # the processes that think need not know it
        open_server(ServeOptions(place=place_from(data, database), **given))

    hints = get_type_hints(ServeOptions, include_extras=True)
    parameters = []
    for name, field in signature(ServeOptions).parameters.items():
        if name == "place":
            parameters.append(Parameter("data", Parameter.KEYWORD_ONLY, default=None, annotation=Data))
            parameters.append(Parameter("database", Parameter.KEYWORD_ONLY, default="", annotation=Database))
        else:
            parameters.append(field.replace(annotation=hints[name]))
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command
