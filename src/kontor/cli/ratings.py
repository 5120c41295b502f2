"""``kontor ratings``: everyone's ratings, calculated again."""

from __future__ import annotations

from typing import Annotated

import typer

from kontor.cli.options import Data, Database, place_from
from kontor.words import Words, mark


def add_to(app: typer.Typer) -> None:
    """Add the command."""
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

    from kontor.ratings.fits import fit_ratings
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
