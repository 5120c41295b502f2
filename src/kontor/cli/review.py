"""``kontor review``: a finished game, judged move by move."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from kontor.cli.options import AsJson, Processes, RecordFile, whole_number
from kontor.cli.progress import stages
from kontor.cli.results import show_result
from kontor.records import read
from kontor.review import check, review
from kontor.terminal.review import ReviewPage
from kontor.terminal.seats import names_shown, seat_called
from kontor.words import Words, mark
from kontor.work import executor_of


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        name="review",
        help=mark("Review a finished game: what each move cost, what was luck, and which moves decided it."),
        epilog=mark(
            "\b\nExamples:\n"
            "  kontor review game.jsonl               all decisions of all players\n"
            "  kontor review game.jsonl --seat Anna   only hers\n"
            "  kontor review game.jsonl --json --jobs 2"
        ),
    )(review_record)


def review_record(
    context: typer.Context,
    file: RecordFile,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="NAME", help=mark("Review only the seat with this name."))
    ] = None,
    as_json: AsJson = False,
    jobs: Processes = "1",
) -> None:
    """Review a finished game and show the page or its JSON."""
    words: Words = context.obj
    record = read(file)
    check(record)
    seats = (
        range(len(record.header.seats))
        if seat is None
        else (seat_called(words, seat, names_shown(record.header.seats)),)
    )
    with executor_of(whole_number(jobs, "--jobs", 1)) as executor, stages(words.say) as tell:
        reviewed = review(record, partial(tell, mark("Thinking")), executor.map)
    show_result(reviewed, as_json, ReviewPage(words, record, reviewed, seats).picture)
