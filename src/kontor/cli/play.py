"""``kontor play``: a game at the terminal, begun or resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kontor.cli.settings import options_from, with_settings
from kontor.game import BadOptions
from kontor.plugins import plugins
from kontor.terminal.adapter import adapter_named
from kontor.terminal.begin import GamePlan, begin, check_new_file, free_path, resume
from kontor.terminal.play import sit_down
from kontor.terminal.prompt import Keyboard
from kontor.terminal.screen import Screen
from kontor.terminal.seats import seats_from
from kontor.words import Words, mark


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=mark(
            "Play a game: people at one keyboard, and computer players. Every move is saved at once; q "
            "leaves, and --resume goes on."
        ),
        epilog=mark(
            "\b\nExamples:\n"
            "  kontor play {game}                        you against casual\n"
            "  kontor play {game} --seat Anna --seat Bernd=expert\n"
            "  kontor play {game} --players Anna,Bernd   two people at one keyboard\n"
            "  kontor play --resume {game}-2026-03-01.jsonl"
        ),
    )(play)


@with_settings
def play(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=mark("{games}."))] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="SEAT", help=mark("Who plays, once per seat: Anna (a person), Bernd=expert, or expert.")
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="SEATS", help=mark("All seats at once: Anna,Bernd=steady."))
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help=mark("File for the record; default: game and date.")),
    ] = None,
    resume_file: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help=mark("Resume an unfinished game."))
    ] = None,
    salts: Annotated[
        bool, typer.Option("--salts", help=mark("Ask each player for a word that is mixed into the dice."))
    ] = False,
    *,
    settings: dict[str, str],
) -> None:
    """Begin a game at the terminal, or resume one. Raises BadOptions."""
    words: Words = context.obj
    screen = Screen()
    keyboard = Keyboard(screen)
    if resume_file:
        if game or seat or players or save or salts or settings:
            raise BadOptions("", "--resume takes a file and nothing else: game, seats and options are in it.")
        sit_down(words, screen, lambda: resume(words, screen, keyboard, resume_file))
        return
    if not game:
        raise BadOptions("", "Which game? Type kontor play, then {games}.", games=words.one_of(list(plugins())))
    adapter = adapter_named(game)
    seats = seats_from([*(seat or ()), *(players.split(",") if players is not None else ())], adapter)
    options = options_from(adapter, settings, [assignment.name for assignment in seats])
    path = save or free_path(adapter.game.name)
    check_new_file(path)
    plan = GamePlan(adapter, options, seats, path, salts)
    sit_down(words, screen, lambda: begin(words, screen, keyboard, plan))
