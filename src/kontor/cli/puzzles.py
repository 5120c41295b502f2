"""The commands ``kontor puzzles``: make puzzles from games of computer players, and solve existing ones again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kontor.cli.options import AsJson, Game, whole_number
from kontor.cli.progress import counting
from kontor.cli.results import table_of
from kontor.game import BadOptions
from kontor.plugins import plugin_named
from kontor.terminal.screen import Picture, Screen, show_json
from kontor.words import Words, mark

if TYPE_CHECKING:
    from kontor.puzzles.checking import Checked

# The solvers take a moment to import, so each command imports only what it needs.


_MOST_NAMED: Final = 20
"""The most wrong puzzles that are named one by one."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    puzzles = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
    app.add_typer(
        puzzles, name="puzzles", help=mark("Make puzzles out of games between computer players, and check them.")
    )
    puzzles.command(
        help=mark(
            "Find decisions in games between computer players whose best move is clear, and write them to a file, "
            "a line of JSON each. The same command writes the same file."
        ),
        epilog=mark("\b\nExample:\n  kontor puzzles make {game} --number 20 --to puzzles.jsonl"),
    )(make)
    puzzles.command(
        help=mark(
            "Solve a game’s puzzles once more after its computer players have learned. Those whose best move is "
            "still clear, and holds in play-outs, keep their day; the others are retired and replaced."
        ),
        epilog=mark("\b\nExample:\n  kontor puzzles renew {game} --to puzzles.jsonl --retired retired.jsonl"),
    )(renew)
    puzzles.command(
        help=mark("Solve all puzzles again, with other random numbers where any are used, and tell what is wrong."),
        epilog=mark("\b\nExamples:\n  kontor puzzles check\n  kontor puzzles check {game} --json"),
    )(check)


def make(
    context: typer.Context,
    game: Game,
    number: Annotated[str, typer.Option("--number", metavar="N", help=mark("Number of puzzles."))] = "20",
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same puzzles."))] = "1",
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help=mark("File for the puzzles; default: none."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run the command ``puzzles make``. Raises BadOptions or OSError."""
    from kontor.puzzles.collection import encode
    from kontor.puzzles.making import make as made

    words: Words = context.obj
    _check_game(game)
    wanted = whole_number(number, "--number", 1)
    with counting(words.say("puzzles"), wanted) as one_more:
        puzzles = made(game, wanted, whole_number(seed, "--seed", 0), tell=lambda made, of: one_more())
    if to is not None:
        to.write_bytes(encode(puzzles))
    if as_json:
        typer.echo(encode(puzzles).decode(), nl=False)
        return
    themes = Counter(puzzle.theme for puzzle in puzzles)
    table = table_of([words.say("theme")], [words.say("puzzles"), words.say("level")])
    for theme, count in sorted(themes.items()):
        levels = sorted(puzzle.level for puzzle in puzzles if puzzle.theme == theme)
        table.add_row(_theme(words, game, theme), str(count), f"{levels[0]}–{levels[-1]}")
    Screen().show(table)


def renew(
    context: typer.Context,
    game: Game,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help=mark("File for the puzzles."))],
    retired: Annotated[Path, typer.Option("--retired", metavar="FILE", help=mark("File for retired ones."))],
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same puzzles."))] = "1",
    refill: Annotated[
        bool, typer.Option("--refill/--no-refill", help=mark("Whether new puzzles replace those retired."))
    ] = True,
) -> None:
    """Run the command ``puzzles renew``. Raises BadOptions or OSError."""
    from kontor.puzzles.collection import encode, puzzles_of, retired_of
    from kontor.puzzles.renewing import renew as renewed

    words: Words = context.obj
    _check_game(game)
    puzzles = tuple(puzzles_of(game).values())
    with counting(words.say("puzzles"), len(puzzles)) as one_more:
        number = whole_number(seed, "--seed", 0)
        renewal = renewed(game, puzzles, retired_of(game).values(), number, tell=one_more, refill=refill)
    to.write_bytes(encode(renewal.puzzles))
    retired.write_bytes(encode(renewal.retired))
    fresh = len({puzzle.id for puzzle in renewal.puzzles} - {puzzle.id for puzzle in puzzles})
    Screen().show(
        words.count("{n} puzzle is kept.", "{n} puzzles are kept.", len(renewal.puzzles) - fresh),
        words.count("{n} puzzle is new.", "{n} puzzles are new.", fresh),
    )


def check(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=mark("{games}; default: all."))] = None,
    play_outs: Annotated[
        bool,
        typer.Option("--play-outs", help=mark("Also play the best moves out among the strongest players (slow).")),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run the command ``puzzles check``, which exits with 1 if a puzzle is wrong. Raises BadOptions."""
    from kontor.puzzles.adapter import games_with_puzzles
    from kontor.puzzles.checking import check as checked
    from kontor.puzzles.collection import puzzles_of

    words: Words = context.obj
    if game is not None:
        _check_game(game)
    games = games_with_puzzles() if game is None else [game]
    puzzles = [puzzle for name in games for puzzle in puzzles_of(name).values()]
    with counting(words.say("puzzles"), len(puzzles)) as one_more:
        checks = list(checked(puzzles, one_more, play_outs=play_outs))
    if as_json:
        show_json(checks)
    else:
        Screen().show(_picture(words, checks), *_wrong(words, checks))
    if any(puzzle_check.wrong for puzzle_check in checks):
        raise typer.Exit(1)


def _check_game(game: str) -> None:
    if not plugin_named(game).puzzles:
        raise BadOptions("", "There are no puzzles of {game}.", game=game)


def _theme(words: Words, game: str, theme: str) -> str:
    from kontor.puzzles.adapter import adapter_of

    return words.say(adapter_of(game).themes[theme])


def _picture(words: Words, checks: Sequence[Checked]) -> Picture:
    """Return a table by game and theme: number, levels, least gap in percentage points, and how many are wrong."""
    table = table_of(
        [words.say("game"), words.say("theme")],
        [words.say("puzzles"), words.say("level"), words.say("least gap"), words.say("wrong")],
    )
    for game, theme in sorted({(check.game, check.theme) for check in checks}):
        of_theme = [check for check in checks if (check.game, check.theme) == (game, theme)]
        levels = sorted(check.level for check in of_theme)
        table.add_row(
            game,
            _theme(words, game, theme),
            str(len(of_theme)),
            f"{levels[0]}–{levels[-1]}",
            words.tenths(100 * min(check.gap for check in of_theme)),
            str(sum(bool(check.wrong) for check in of_theme)),
        )
    return table


def _wrong(words: Words, checks: Sequence[Checked]) -> list[str]:
    wrong = [
        words.say("Puzzle {id} of {game}: {what}", id=check.id, game=check.game, what=check.wrong)
        for check in checks
        if check.wrong
    ][:_MOST_NAMED]
    sound = words.count("{n} puzzle solved again, none wrong.", "{n} puzzles solved again, none wrong.", len(checks))
    return wrong or [sound]
