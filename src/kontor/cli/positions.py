"""The commands ``kontor positions``: judge decisions from games of computer players, and score players by them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.text import Text

from kontor.cli.options import AsJson, Game, Processes, whole_number
from kontor.cli.progress import counting
from kontor.cli.results import show_result, table_of
from kontor.game import BadOptions
from kontor.terminal.screen import Picture, Screen
from kontor.words import Words, mark

if TYPE_CHECKING:
    from kontor.positions.scoring import LostChances, PositionsScore

# The judges take a moment to import, so each command imports only what it needs.


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    positions = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
    app.add_typer(
        positions,
        name="positions",
        help=mark("Write files of decisions whose every move is valued, and score players by what they lose there."),
    )
    positions.command(
        help=mark(
            "Take decisions out of games between computer players, value every move of each by two independent "
            "judgements, and write them to a file, a line of JSON each. The same command writes the same file."
        ),
        epilog=mark(
            "\b\nExamples:\n"
            "  kontor positions make {game} --positions 100 --out {game}.jsonl\n"
            "  kontor positions make {game} --positions 10000 --seed 1 --jobs 2 --out {game}.jsonl"
        ),
    )(make)
    positions.command(
        help=mark(
            "Tell how much of the chance of winning a player gives away per decision: one of Kontor’s, or any "
            "program by its answers, a line of JSON each with the position’s id and the move."
        ),
        epilog=mark(
            "\b\nExamples:\n"
            "  kontor positions score {game}.jsonl --player steady\n"
            "  kontor positions score {game}.jsonl --answers answers.jsonl --json"
        ),
    )(score)


def make(
    context: typer.Context,
    game: Game,
    positions: Annotated[str, typer.Option("--positions", metavar="N", help=mark("Number of positions."))] = "100",
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same positions."))] = "1",
    jobs: Processes = "1",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help=mark("File for the positions; default: the name of the game.")),
    ] = None,
) -> None:
    """Run the command ``positions make``. Raises BadOptions, WorkerLost or OSError."""
    from kontor.positions.making import header_of
    from kontor.positions.making import make as made
    from kontor.positions.values import encode_line

    words: Words = context.obj
    count, first = whole_number(positions, "--positions", 1), whole_number(seed, "--seed", 0)
    processes = whole_number(jobs, "--jobs", 1)
    header = header_of(game, first, count)
    path = out or Path(f"{game}-positions.jsonl")
    if path.exists():
        raise BadOptions("", "The file {file} already exists: choose another name.", file=path)
    with path.open("xb") as file, ExitStack() as undoing, counting(words.say("positions"), count) as one_more:
        undoing.callback(path.unlink)  # an unfinished file is deleted
        file.write(encode_line(header))
        for position in made(game, first, count, processes):
            file.write(encode_line(position))
            one_more()
        undoing.pop_all()
    Screen().show(words.count("{n} position is in {file}.", "{n} positions are in {file}.", count, file=path))


def score(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=mark("A file of judged positions."))],
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help=mark("A computer player of Kontor’s."))
    ] = None,
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help=mark("The moves of any other program."))
    ] = None,
    jobs: Processes = "1",
    as_json: AsJson = False,
) -> None:
    """Run the command ``positions score``. Raises BadOptions, BadPositions, WorkerLost or OSError."""
    from kontor.positions.scoring import score_answers, score_player
    from kontor.positions.values import decode

    words: Words = context.obj
    if (player is None) == (answers is None):
        raise BadOptions("", "Who is to be scored? Give --player or --answers, and not both.")
    processes = whole_number(jobs, "--jobs", 1)
    positions = decode(file.read_bytes())
    with counting(words.say("positions"), len(positions.positions)) as one_more:
        if answers is not None:
            position_score = score_answers(positions, answers.name, answers.read_bytes(), one_more)
        else:
            position_score = score_player(positions, player or "", processes, one_more)
    show_result(position_score, as_json, lambda: _picture(words, position_score))


def _picture(words: Words, position_score: PositionsScore) -> Picture:
    """Return a table of percentage points of the chance to win that are lost per decision, by round and in all."""
    say = words.say
    table = table_of([say("round")], [say("positions"), say("lost"), say("95%"), say("at most")])
    for round_number, lost in position_score.rounds.items():
        table.add_row(str(round_number), *_row(lost))
    table.add_section()
    table.add_row(say("all"), *_row(position_score.total))
    best = say(
        "{player} finds the best move in {percent}%.",
        player=position_score.player,
        percent=f"{100 * position_score.best:.1f}",
    )
    time_sentence = (
        [say("A decision takes {ms} ms.", ms=f"{1000 * position_score.seconds:.1f}")]
        if position_score.seconds is not None
        else []
    )
    meaning = say("Lost: percentage points of the chance of winning, per decision.")
    return Group(table, *map(Text, [best, *time_sentence, meaning]))


def _row(lost: LostChances) -> tuple[str, str, str, str]:
    interval = "{:.2f} – {:.2f}".format(*(100 * end for end in lost.ci95)) if lost.ci95 else ""
    return f"{lost.positions:,}", f"{100 * lost.lost:.2f}", interval, f"{100 * lost.at_most:.2f}"
