"""``kontor bench``: the speed of the rules, or a proof that batches follow them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace
from rich.console import Group
from rich.text import Text

from kontor import bench as benchmark
from kontor.cli.faults import print_error, sentence
from kontor.cli.options import AsJson
from kontor.cli.progress import counting
from kontor.cli.results import show_result, table_of
from kontor.game import Refusal
from kontor.terminal.screen import Picture
from kontor.words import Words, mark

if TYPE_CHECKING:  # it imports NumPy, which takes a moment
    from kontor.batch.lockstep import LockstepProof


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=mark("Measure how many decisions per second the rules can handle, on one core, with random moves."),
        epilog=mark(
            "\b\nExamples:\n  kontor bench\n  kontor bench --seconds 5\n  kontor bench --json\n"
            "  kontor bench --lockstep 1000 --cores 2"
        ),
    )(bench)


def bench(
    context: typer.Context,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0, metavar="N", help=mark("How long each run takes at least, in seconds.")),
    ] = benchmark.SECONDS,
    lockstep: Annotated[
        int,
        typer.Option(
            "--lockstep",
            min=0,
            metavar="N",
            help=mark(
                "Measure nothing; instead play N random games of each game and number of players with the "
                "rules engine and in batches, and compare every field after every step."
            ),
        ),
    ] = 0,
    cores: Annotated[
        int,
        typer.Option("--cores", min=1, metavar="N", help=mark("Number of processes that compare (with --lockstep).")),
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of the rules, or prove that batches follow them, and show the results."""
    words: Words = context.obj
    if lockstep:
        with counting(words.say("games"), benchmark.games_to_prove(lockstep)) as one_more:
            proofs = benchmark.prove(lockstep, cores=cores, on_game=one_more)
        show_result(proofs, as_json, lambda: _proof_table(words, proofs))
        return
    with counting(words.say("runs"), benchmark.RUNS * len(benchmark.measured_games())) as one_more:
        measured = benchmark.measure(seconds=seconds, on_run=lambda game, players, speed: one_more())
    for add in (_in_batches, _in_openspiel):
        try:
            measured = add(words, measured, seconds)
        except Refusal as missing:
            print_error(sentence(words, missing))
    show_result(measured, as_json, lambda: _speed_tables(words, measured))


def _in_batches(words: Words, measured: benchmark.Bench, seconds: float) -> benchmark.Bench:
    """Return the benchmark with the speeds of batches and vector environments added."""
    return replace(
        measured,
        batches=benchmark.measure_batches(seconds=seconds),
        vectors=benchmark.measure_vectors(seconds=seconds),
    )


def _in_openspiel(words: Words, measured: benchmark.Bench, seconds: float) -> benchmark.Bench:
    """Return the benchmark with the speeds of games in OpenSpiel added."""
    from kontor.environments.speed import in_openspiel  # an extra, which may be missing

    games = in_openspiel()
    with counting(words.say("runs"), benchmark.RUNS * len(games)) as one_more:
        speeds = benchmark.measure_elsewhere(games, seconds=seconds, on_run=lambda game, players, speed: one_more())
    return replace(measured, elsewhere=speeds)


def _speed_tables(words: Words, measured: benchmark.Bench) -> Picture:
    """Return tables of the speed of the rules, and the machine on which it was measured."""
    say = words.say
    speeds = [say("decisions per second"), say("slowest run"), say("fastest run")]
    tables = [table_of([say("game")], [say("players"), *speeds])]
    for speed in measured.speeds:
        tables[-1].add_row(speed.game, f"{speed.players}", *_speeds(speed))
    if measured.batches:
        tables.append(table_of([say("game in batches")], [say("players"), say("cores"), *speeds]))
    for batch in measured.batches:
        tables[-1].add_row(batch.game, f"{batch.players}", f"{batch.cores}", *_speeds(batch))
    if measured.vectors:
        tables.append(table_of([say("game in vector environments")], [say("players"), *speeds]))
    for vector in measured.vectors:
        tables[-1].add_row(vector.game, f"{vector.players}", *_speeds(vector))
    for program, games in groupby(measured.elsewhere, lambda other: other.program):
        heads = [say("game in {program}", program=program), say("rules in"), say("loop in")]
        tables.append(table_of(heads, speeds))
        for other in games:
            tables[-1].add_row(other.game, other.rules, other.loop, *_speeds(other))
    machine = measured.machine
    machine_line = words.count(
        "{processor}, {n} core; {system}; {python}; Kontor {kontor}.",
        "{processor}, {n} cores; {system}; {python}; Kontor {kontor}.",
        machine.cores,
        processor=machine.processor,
        system=machine.system,
        python=machine.python,
        kontor=machine.kontor,
    )
    return Group(*tables, Text(machine_line))


def _speeds(speed: benchmark.Speed) -> tuple[str, str, str]:
    return f"{speed.median:,.0f}", f"{speed.slowest:,.0f}", f"{speed.fastest:,.0f}"


def _proof_table(words: Words, proofs: Sequence[LockstepProof]) -> Picture:
    """Return a table of the games that went the same by the rules and in batches."""
    say = words.say
    table = table_of([say("game")], [say("players"), say("games"), say("decisions"), say("outcomes of chance")])
    for proof in proofs:
        table.add_row(
            proof.game, f"{proof.players}", f"{proof.games:,}", f"{proof.decisions:,}", f"{proof.outcomes:,}"
        )
    return Group(table, Text(say("The rules engine and the batches agreed after every step.")))
