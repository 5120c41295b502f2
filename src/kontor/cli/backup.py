"""``kontor backup``, ``restore`` and ``move``: copies of a server's data."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kontor.cli.options import Data, Database, place_from
from kontor.words import Words, mark

if TYPE_CHECKING:
    from kontor.server.copies import CopiedDatabase

# The database packages are slow to import: commands import them only when they run.

_MOST_NAMED: Final = 5
"""The most tables named one by one."""

File = Annotated[Path, typer.Argument(metavar="FILE", help=mark("The backup file."))]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        help=mark(
            "Back up all data of a server to a file while people go on playing. The file contains "
            "everything hidden and all dice to come. Only you can read it; keep it so."
        ),
        epilog=mark(
            "\b\nExamples:\n  kontor backup monday.kontor\n  kontor backup monday.kontor --data ./kontor-data"
        ),
    )(backup)
    app.command(
        help=mark(
            "Restore a server’s data from a backup, where there are none yet. A damaged file is refused "
            "and leaves nothing behind."
        ),
        epilog=mark("\b\nExample:\n  kontor restore monday.kontor --data ./kontor-data"),
    )(restore)
    app.command(
        help=mark(
            "Copy the data of a server that is not running to an empty place and check every row and "
            "every game there. The old data stay as they are."
        ),
        epilog=mark(
            "\b\nExamples:\n"
            "  kontor move --from ./kontor-data --to postgresql://kontor@localhost/kontor\n"
            "  kontor move --from postgresql://kontor@localhost/kontor --to ./kontor-data"
        ),
    )(move)


def backup(context: typer.Context, file: File, data: Data = None, database: Database = "") -> None:
    """Back up a server's data to a file. Raises Refusal or OSError."""
    from kontor.server import copies

    words: Words = context.obj
    begun = monotonic()
    copied = copies.back_up(place_from(data, database), file)
    _tell(words, copied, begun)
    typer.echo(words.say("The backup is in {file}. It contains everything that is hidden: keep it safe.", file=file))


def restore(context: typer.Context, file: File, data: Data = None, database: Database = "") -> None:
    """Restore a server's data from a backup. Raises Refusal or OSError."""
    from kontor.server import copies

    words: Words = context.obj
    place = place_from(data, database)
    begun = monotonic()
    _tell(words, copies.restore(file, place), begun)
    typer.echo(words.say("The backup has been restored."))


def move(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Option(
            "--from", metavar="PLACE", help=mark("The server’s data: a folder, or the address of a database.")
        ),
    ],
    destination: Annotated[
        str,
        typer.Option("--to", metavar="PLACE", help=mark("The empty place: a folder, or the address of a database.")),
    ],
) -> None:
    """Copy a server's data to an empty place, and check the copy. Raises Refusal."""
    from kontor.server import copies

    words: Words = context.obj
    begun = monotonic()
    moved = copies.move(_place(source), _place(destination))
    _tell(words, moved.copied, begun)
    typer.echo(words.say("Every row was read back and is unchanged."))
    played = moved.games - len(moved.unplayable)
    typer.echo(
        words.count(
            "One unfinished game was replayed from its log and came out the same.",
            "{n} unfinished games were replayed from their logs and came out the same.",
            played,
        )
    )
    if moved.unplayable:
        examples = moved.unplayable[:_MOST_NAMED]
        typer.echo(
            words.count(
                "One game cannot be replayed by this version of Kontor, neither in the old place nor in the new "
                "one: {tables}.",
                "{n} games cannot be replayed by this version of Kontor, neither in the old place nor in the new "
                "one; among them: {tables}.",
                len(moved.unplayable),
                tables=words.all_of(examples),
            )
        )


def _place(given: str) -> Path | str:
    """Return a database address as it is, and anything else as a folder; every address contains ``://``."""
    return given if "://" in given else Path(given)


def _tell(words: Words, copied: CopiedDatabase, begun: float) -> None:
    """Print how many rows were copied, and how long it took."""
    typer.echo(
        words.say(
            "Copied in {seconds} s: {people} people, {tables} tables, {lines} moves and rolls.",
            seconds=round(monotonic() - begun, 1),
            people=copied.people,
            tables=copied.tables,
            lines=copied.lines,
        )
    )
