"""Commands for the operator of a server: backup, restore, move to another database, ratings."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kontor.command_options import Data, Database, place_from
from kontor.words import Words, mark

if TYPE_CHECKING:
    from kontor.server.copies import CopiedDatabase

# The database packages are slow to import: commands import them only when they run.

_MOST_NAMED: Final = 5
"""The most tables named one by one."""

File = Annotated[Path, typer.Argument(metavar="FILE", help=mark("The backup file."))]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the application."""
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
    app.command(
        help=mark(
            "Calculate everyone’s ratings again and print how long it took, while people play on. A running server "
            "does this every night."
        ),
        epilog=mark(
            "\b\nExamples:\n  kontor ratings --data ./kontor-data\n  kontor ratings --json\n"
            "  kontor ratings --save      also store them; a server with a folder must be stopped"
        ),
    )(ratings)


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


def ratings(
    context: typer.Context,
    as_json: Annotated[
        bool, typer.Option("--json", help=mark("Print each rating as a JSON line, with ids instead of names."))
    ] = False,
    save: Annotated[
        bool, typer.Option("--save", help=mark("Store the ratings, as the server does every night."))
    ] = False,
    data: Data = None,
    database: Database = "",
) -> None:
    """Calculate all ratings, print them, and store them with ``save``. Raises Refusal."""
    import msgspec

    from kontor.ratings.rating_fits import fit_ratings
    from kontor.server.composition import KontorServer, utc_now

    words: Words = context.obj
    place = place_from(data, database)
    fits = fit_ratings(place, round(utc_now().timestamp() * 1000))
    if save:
        with KontorServer.open(place) as service:
            service.ratings.keep(fits, pause=0)
    for game in fits.games:
        if as_json:
            for person in game.people:
                typer.echo(msgspec.json.encode({"game": game.game, **msgspec.structs.asdict(person)}).decode())
        else:
            line = words.say(
                "{game}: people {people}, rated games {games}",
                game=game.game,
                people=len(game.people),
                games=game.rated,
            )
            typer.echo(line)
    if not as_json:
        typer.echo(
            words.say(
                "Calculated in {seconds} s, with {memory} MB of memory.", seconds=fits.seconds, memory=fits.memory
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
