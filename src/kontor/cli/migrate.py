"""``kontor migrate``: a database brought up to date."""

from __future__ import annotations

import typer

from kontor.cli.options import Data, Database, place_from
from kontor.words import Words, mark


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=mark("Bring the database of a server up to date, as kontor serve does when it starts."),
        epilog=mark("\b\nExamples:\n  kontor migrate\n  kontor migrate --data ./kontor-data"),
    )(migrate)


def migrate(
    context: typer.Context,
    data: Data = None,
    database: Database = "",
) -> None:
    """Migrate the database of a server."""
    words: Words = context.obj
    # The packages of the database are slow to import.
    from kontor.storage import open_storage

    open_storage(place_from(data, database)).close()
    typer.echo(words.say("The database is up to date."))
