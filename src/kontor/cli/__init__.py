"""The command ``kontor``: each subcommand is a file, which adds it to ``app`` and calls the room below it.

Most commands need few packages. Files import slow ones (databases, NumPy, the web) in the command itself, so that
others do not wait for them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from typer.exceptions import TyperException

from kontor.cli import (
    backup,
    bench,
    gauge,
    migrate,
    people,
    play,
    positions,
    puzzles,
    ratings,
    replay,
    review,
    serve,
    simulate,
    train,
    verify,
)
from kontor.cli.faults import plugin_failure, print_error, sentence
from kontor.cli.game_commands import add_commands_of_games
from kontor.cli.options import with_values
from kontor.cli.translation import LANGUAGE, language_of, translated
from kontor.distribution import installed_version
from kontor.game import BadOptions, Refusal
from kontor.plugins import PartFailed, plugins
from kontor.terminal.adapter import terminal_adapters
from kontor.terminal.prompt import Leave
from kontor.terminal.screen import open_closed_streams, survive_any_text
from kontor.words import Words, mark
from kontor.work.one_core import ONE_CORE

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(
    invoke_without_command=True,
    help=mark("{titles}: play, simulate, watch and verify."),
    epilog=mark("Start with: kontor play {game}"),
)
def kontor(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help=mark("Show the version."))] = False,
    language: Annotated[
        str | None, typer.Option(LANGUAGE, metavar="CODE", help=mark("Language of the output, such as de or fr."))
    ] = None,
) -> None:
    """Show the version, or the help where no subcommand is given."""
    if show_version:
        typer.echo(f"kontor {installed_version()}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


for add_to in (
    play.add_to,
    replay.add_to,
    verify.add_to,
    review.add_to,
    simulate.add_to,
    train.add_to,
    gauge.add_to,
    bench.add_to,
    serve.add_to,
    migrate.add_to,
    backup.add_to,
    ratings.add_to,
    people.add_to,
    puzzles.add_to,
    positions.add_to,
    add_commands_of_games,
):
    add_to(app)


INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""


def run(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code; known errors are printed as a sentence."""
    words = Words(language_of(arguments))
    command: Any = translated(typer.main.get_command(app), words, **_games(words))
    try:
        code = command.main(with_values(arguments), prog_name="kontor", standalone_mode=False, obj=words)
    except (TyperException, BadOptions) as fault:
        print_error(sentence(words, fault))
        return 2
    except PartFailed:  # it has been logged
        return 1
    except (Refusal, OSError) as fault:
        print_error(sentence(words, fault))
        return 1
    except Leave:
        return 0
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as fault:
        if plugin_failure(fault) is None:
            raise
        return 1
    if code == INTERRUPTED:  # Typer returns it too, after it has caught Ctrl-C
        print_error(words.say("Stopped before the end."))
    return code if isinstance(code, int) else 0


def _games(words: Words) -> dict[str, str]:
    """Return the names and titles of games for the help."""
    names, titles = list(plugins()), [adapter.title for adapter in terminal_adapters().values()]
    return {"game": names[0], "games": words.one_of(names), "titles": words.all_of(titles)}


def main() -> None:
    """Run the command ``kontor`` and exit."""
    # Before NumPy is imported: another number of threads changes its rounding, and so the games of a seed.
    os.environ.update({**ONE_CORE, **os.environ})
    open_closed_streams()
    survive_any_text()
    sys.exit(run(sys.argv[1:]))
