"""``kontor gauge``: the accuracy of the chances of winning that computer players have learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group

from kontor.cli.options import AsJson, Game, Processes, whole_number
from kontor.cli.progress import stages
from kontor.cli.results import show_result, table_of
from kontor.terminal.adapter import adapter_named
from kontor.terminal.screen import Picture
from kontor.words import Words, mark

if TYPE_CHECKING:  # it imports NumPy, which takes a moment
    from kontor.players.training import BeliefError, Calibration, Gauged


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=mark("Measure how accurate the chances of winning are that computer players have learned."),
        epilog=mark("\b\nExamples:\n  kontor gauge {game} --jobs 2\n  kontor gauge {game} --effort 0.1 --json"),
    )(gauge)


def gauge(
    context: typer.Context,
    game: Game,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help=mark("The same seed, the same positions."))] = "1",
    jobs: Processes = "1",
    effort: Annotated[
        float,
        typer.Option(
            "--effort",
            min=0.001,
            metavar="X",
            help=mark("How many positions and games, as a fraction of the full run (1)."),
        ),
    ] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure the accuracy of the learned chances of winning, and show it."""
    words: Words = context.obj
    name = adapter_named(game).game.name
    # NumPy is slow to import, and only few commands need it.
    from kontor.players.training import gauge_of

    with stages(words.say) as tell:
        measured = gauge_of(name)(whole_number(seed, "--seed", 0), effort, whole_number(jobs, "--jobs", 1), tell)
    show_result(measured, as_json, lambda: _picture(words, measured))


def _picture(words: Words, measured: Gauged) -> Picture:
    """Return tables of the errors of learned chances, of their calibration, and of the beliefs about hidden cards."""
    say = words.say
    misses = table_of([], [say("round"), say("positions"), say("error"), say("reference error")])
    for miss in measured.misses:
        misses.add_row(f"{miss.round}", f"{miss.tables:,}", f"{miss.rmse:.4f}", f"{miss.doubt:.4f}")
    bins = table_of([], [say("positions"), say("predicted"), say("actual")])
    for calibration_bin in measured.bins:
        bins.add_row(f"{calibration_bin.count:,}", f"{calibration_bin.said:.1%}", f"{calibration_bin.came:.1%}")
    heads = [say("hands"), say("bias"), say("standard error"), say("log loss"), say("expected")]
    beliefs = table_of([say("player"), say("rounds"), say("deals")], heads)
    for belief in measured.beliefs:
        variants: list[tuple[str, BeliefError | Calibration]]
        variants = [(say("equally likely"), belief), (say("weighed"), belief.weighed)]
        for deals, error in variants:
            beliefs.add_row(
                belief.player,
                f"{belief.first}–{belief.last}",
                deals,
                f"{belief.hands:,}",
                f"{error.bias:+.2f}",
                f"{error.bias_error:.2f}",
                f"{error.log_loss:.4f}",
                f"{error.expected:.4f}",
            )
    return Group(*(table for table in (misses, bins, beliefs) if table.row_count))
