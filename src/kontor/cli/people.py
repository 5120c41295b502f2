"""``kontor people``: what an operator does about people. Each act is recorded in the database, by ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

from kontor.cli.options import Data, Database, place_from
from kontor.visible_text import escape_hidden, visible
from kontor.words import Words, mark

if TYPE_CHECKING:
    from kontor.accounts.values import PersonInfo

Person = Annotated[str, typer.Argument(metavar="ID", help=mark("The person’s id, as kontor people find prints it."))]

Yes = Annotated[bool, typer.Option("--yes", help=mark("Do not ask."))]

app: Final = typer.Typer(rich_markup_mode=None)


def add_to(commands: typer.Typer) -> None:
    """Add the commands to others."""
    commands.add_typer(
        app,
        name="people",
        help=mark(
            "Find, rename, suspend or delete people, let them back in, and read what was reported. The server can go "
            "on running."
        ),
    )


# Commands import the server's modules themselves: that takes a moment.


@app.command(help=mark("List the people whose name contains a text, or looks like it."))
def find(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help=mark("Part of a name, or an id."))],
    data: Data = None,
    database: Database = "",
) -> None:
    """Print the people that match a text. Raises Refusal."""
    from kontor.server.operator_requests import Find, ask

    words: Words = context.obj
    people = cast("tuple[PersonInfo, ...]", ask(place_from(data, database), Find(text)))
    for person in people:
        line = words.say(
            "{id}  {name}: since {day}, tables {tables}, browsers and programs {sessions}, reports {reports}",
            id=person.id,
            name=person.name,
            day=person.created.date(),
            tables=person.tables,
            sessions=person.sessions,
            reports=person.reports,
        )
        typer.echo(visible(words.say("{person}, suspended", person=line) if person.suspended else line))
    if not people:
        typer.echo(words.say("Nobody is called that."))


@app.command(help=mark("Give a person another name, also at the tables where they sit."))
def rename(
    context: typer.Context,
    person: Person,
    name: Annotated[str, typer.Argument(metavar="NAME", help=mark("The new name."))],
    data: Data = None,
    database: Database = "",
) -> None:
    """Rename a person. Raises Refusal."""
    from kontor.server.operator_requests import Rename, ask

    ask(place_from(data, database), Rename(person, name))
    _print_done(context)


@app.command(help=mark("Lock a person out until they are restored. Their games go on by the rules of their tables."))
def suspend(context: typer.Context, person: Person, data: Data = None, database: Database = "") -> None:
    """Suspend a person. Raises Refusal."""
    from kontor.server.operator_requests import Suspend, ask

    ask(place_from(data, database), Suspend(person))
    _print_done(context)


@app.command(help=mark("Let a suspended person in again."))
def restore(context: typer.Context, person: Person, data: Data = None, database: Database = "") -> None:
    """Restore a suspended person. Raises Refusal."""
    from kontor.server.operator_requests import Restore, ask

    ask(place_from(data, database), Restore(person))
    _print_done(context)


@app.command(help=mark("Make a code with which a person who has lost all others signs in once. Asks first."))
def code(
    context: typer.Context,
    person: Person,
    yes: Yes = False,
    data: Data = None,
    database: Database = "",
) -> None:
    """Print a code that signs a person in once, after a confirmation. Raises Refusal."""
    from kontor.server.operator_requests import HandCode, ask

    words: Words = context.obj
    if not yes:
        typer.confirm(words.say("Are you sure that it is this person who asks?"), abort=True)
    (handed_over,) = ask(place_from(data, database), HandCode(person))
    typer.echo(handed_over)
    typer.echo(
        words.say(
            "Hand it to nobody else: whoever has it can be this person. It is valid once, for three days, under “I "
            "have been here before” in the lobby."
        )
    )


@app.command(help=mark("Delete a person for good, as they could themselves. Asks first."))
def delete(
    context: typer.Context,
    person: Person,
    yes: Yes = False,
    data: Data = None,
    database: Database = "",
) -> None:
    """Delete a person, after a confirmation. Raises Refusal."""
    from kontor.server.operator_requests import Delete, ask

    words: Words = context.obj
    if not yes:
        typer.confirm(words.say("Delete this person for good?"), abort=True)
    ask(place_from(data, database), Delete(person))
    _print_done(context)


@app.command(help=mark("Print what people have reported, as JSON lines that can be handed over."))
def reports(
    every: Annotated[bool, typer.Option("--all", help=mark("Also those that were handled."))] = False,
    data: Data = None,
    database: Database = "",
) -> None:
    """Print reports as JSON lines. Raises Refusal."""
    from kontor.server.operator_requests import Reports, ask

    _print(ask(place_from(data, database), Reports(handled=every)))


@app.command(help=mark("Mark a report as handled."))
def handled(
    context: typer.Context,
    report: Annotated[str, typer.Argument(metavar="ID", help=mark("The report’s id."))],
    data: Data = None,
    database: Database = "",
) -> None:
    """Mark a report as handled. Raises Refusal."""
    from kontor.server.operator_requests import Handle, ask

    ask(place_from(data, database), Handle(report))
    _print_done(context)


@app.command(help=mark("Print the clubs whose name or line contains a text, as JSON lines."))
def clubs(
    text: Annotated[str, typer.Argument(metavar="TEXT", help=mark("Part of a name or line, or an id."))],
    data: Data = None,
    database: Database = "",
) -> None:
    """Print the clubs that match a text as JSON lines. Raises Refusal."""
    from kontor.server.operator_requests import FindClubs, ask

    _print(ask(place_from(data, database), FindClubs(text)))


@app.command(help=mark("Close a club for good; its tournaments go on. Asks first."))
def close_club(
    context: typer.Context,
    club: Annotated[str, typer.Argument(metavar="ID", help=mark("The club’s id, as kontor people clubs prints it."))],
    yes: Yes = False,
    data: Data = None,
    database: Database = "",
) -> None:
    """Close a club, after a confirmation. Raises Refusal."""
    from kontor.server.operator_requests import CloseClub, ask

    words: Words = context.obj
    if not yes:
        typer.confirm(words.say("Close this club for good?"), abort=True)
    ask(place_from(data, database), CloseClub(club))
    _print_done(context)


@app.command(help=mark("Print what was done about people, as JSON lines: by ids, without names."))
def acts(data: Data = None, database: Database = "") -> None:
    """Print the acts as JSON lines. Raises Refusal."""
    from kontor.server.operator_requests import Acts, ask

    _print(ask(place_from(data, database), Acts()))


def _print(values: tuple[Any, ...]) -> None:
    import msgspec

    for value in values:
        typer.echo(escape_hidden(msgspec.json.encode(value).decode()))


def _print_done(context: typer.Context) -> None:
    words: Words = context.obj
    typer.echo(words.say("Done."))
