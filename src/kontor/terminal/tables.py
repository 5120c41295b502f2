"""Tables of results (simulations, speeds, errors), and progress bars."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from kontor.arena import Report
from kontor.bench import Bench, Speed
from kontor.terminal.screen import Picture, console
from kontor.words import Words

if TYPE_CHECKING:  # these import NumPy, which takes a moment
    from kontor.batch.lockstep import LockstepProof
    from kontor.players.training import BeliefError, Calibration, Gauged


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on stderr, only on a terminal; yield the function to call after each result."""
    errors = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


@contextmanager
def stages(words: Words) -> Iterator[Callable[[str, int, int], None]]:
    """Show a progress bar for each stage of a long task, one below the other, only on a terminal.

    Yield the function that updates them. It takes the stage (an English sentence that is marked), how much of it is
    done, and how much there is.
    """
    errors = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as progress:
        bars: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in bars:
                bars[stage] = progress.add_task(words.say(stage))
            progress.update(bars[stage], completed=done, total=total)

        yield tell


def simulated(words: Words, report: Report) -> Picture:
    """Return the table of the players' results."""
    say = words.say
    table = table_of(
        [say("player")], [say("games"), say("wins"), say("draws"), say("win rate"), say("95%"), say("points")]
    )
    for player in report.players:
        low, high = player.ci95
        table.add_row(
            Text(player.name),
            f"{player.games:,}",
            f"{player.wins:,}",
            f"{player.draws:,}",
            f"{player.share:.1%}",
            f"{low:.1%} – {high:.1%}",
            f"{player.mean_points:.1f}",
        )
    speed = words.count(
        "{n} game, seed {seed}, {speed} decisions per second.",
        "{n} games, seed {seed}, {speed} decisions per second.",
        report.games,
        seed=report.seed,
        speed=f"{report.decisions_per_second:,.0f}",
    )
    if report.group == 1:
        interval = say("95%: Wilson’s interval of the win rate.")
    else:
        interval = words.count(
            "95%: interval of one group of {group} games with the same luck.",
            "95%: interval of {n} groups of {group} games with the same luck.",
            report.games // report.group,
            group=report.group,
        )
    return Group(table, Text(speed), Text(interval))


def bench_tables(words: Words, measured: Bench) -> Picture:
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


def _speeds(speed: Speed) -> tuple[str, str, str]:
    return f"{speed.median:,.0f}", f"{speed.slowest:,.0f}", f"{speed.fastest:,.0f}"


def proof_table(words: Words, proofs: Sequence[LockstepProof]) -> Picture:
    """Return a table of the games that went the same by the rules and in batches."""
    say = words.say
    table = table_of([say("game")], [say("players"), say("games"), say("decisions"), say("outcomes of chance")])
    for proof in proofs:
        table.add_row(
            proof.game, f"{proof.players}", f"{proof.games:,}", f"{proof.decisions:,}", f"{proof.outcomes:,}"
        )
    return Group(table, Text(say("The rules engine and the batches agreed after every step.")))


def gauge_tables(words: Words, measured: Gauged) -> Picture:
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


def table_of(left: list[str], right: list[str]) -> Table:
    """Return a table whose first columns hold words, and whose other columns hold numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in left:
        table.add_column(Text(head))
    for head in right:
        # In a narrow table only heads of several words are wrapped; the others would lose letters.
        table.add_column(Text(head), justify="right", no_wrap=" " not in head)
    return table
