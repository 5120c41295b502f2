"""Computer players against each other: who wins how often, and how sure that is.

Every game follows from the seed and its own number alone, so the results do not depend on the order in which games
are played, nor on what else is played, nor by how many processes. Chance is drawn by fair dice (``kontor.fair``), as
at a table where people play: whether games are recorded or not makes no difference to them, and their records can be
verified. The dice take up to a quarter of the time where ``random`` plays ``random``, and less than a twentieth with
any player that thinks.

Mirrored games repeat their luck instead, so that it decides less (:class:`Mirrored`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from msgspec import structs

from kontor import records
from kontor.arena.counting import Report, Standing, Tally
from kontor.arena.playing import by_number
from kontor.arena.series import ArenaGame, Mirrored, Series
from kontor.game import AnyGame, BadOptions
from kontor.work import Jobs, WorkerLost, executor_of

__all__ = [
    "ArenaGame",
    "Mirrored",
    "Report",
    "Series",
    "Standing",
    "Stopped",
    "WorkerLost",
    "simulate",
]


class Stopped(KeyboardInterrupt):
    """Somebody has stopped a series. ``report`` tells of the games before that, whole groups of them: the same as if
    no more had been asked for."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report


def simulate(
    game: AnyGame,
    options: Any,
    players: Sequence[str],
    games: int,
    seed: int,
    *,
    jobs: Jobs = 1,
    mirrored: bool = False,
    folder: Path | None = None,
    on_game: Callable[[ArenaGame], None] | None = None,
) -> Report:
    """Plays so many games and tells how the players did. Raises BadOptions, WorkerLost,
    ClusterLost; and Stopped, if somebody presses Ctrl-C when the first games have been played.

    With a ``folder`` each game is written there as a record; mirrored ones cannot be. ``on_game`` is told of each
    game, in the order of their numbers. ``jobs`` processes play them, or an executor; with more than one process, a
    program that calls this needs its ``if __name__ == "__main__":``, as :mod:`multiprocessing` explains.
    """
    series = (Mirrored if mirrored else Series)(game, options, players, seed)
    _check(series, games, jobs, folder)
    if folder:
        _make_room(folder, [series.file_name(number, games) for number in range(games)])
    done: list[ArenaGame] = []
    began = perf_counter()
    try:
        with executor_of(jobs) as executor:
            for played in by_number(series, games, executor, recorded=folder is not None):
                if folder and played.record:
                    records.write(folder / series.file_name(played.number, games), played.record)
                done.append(structs.replace(played, record=None))
                if on_game:
                    on_game(played)
    except KeyboardInterrupt as interrupt:
        whole = len(done) - len(done) % series.group
        if not whole:
            raise
        raise Stopped(_report(series, done[:whole], perf_counter() - began)) from interrupt
    return _report(series, done, perf_counter() - began)


def _report(series: Series, done: Sequence[ArenaGame], seconds: float) -> Report:
    """What came of the first games of a series."""
    tallies = [Tally(name, series.group) for name in series.players]
    for played in done:
        for seat, player in enumerate(played.players):
            tallies[player].add(played.result, seat)
    decisions = sum(played.decisions for played in done)
    return Report(
        game=series.game.name,
        rules=series.game.version,
        games=len(done),
        seed=series.seed,
        decisions=decisions,
        seconds=round(seconds, 3),
        decisions_per_second=round(decisions / seconds, 1),
        group=series.group,
        players=tuple([tally.standing() for tally in tallies]),
    )


def _check(series: Series, games: int, jobs: Jobs, folder: Path | None) -> None:
    """Raises BadOptions if so many games cannot be played, or not like that."""
    if games < 1:
        raise BadOptions("", "At least one game is needed, not {games}.", games=games)
    if isinstance(jobs, int) and jobs < 1:
        raise BadOptions("", "At least one process is needed, not {jobs}.", jobs=jobs)
    if games % series.group:
        fewer = max(games - games % series.group, series.group)
        raise BadOptions(
            "",
            "Mirrored games come in groups of {group}, because everyone sits once in each seat: not "
            "{games}, but {fewer} or {more}.",
            group=series.group,
            games=games,
            fewer=fewer,
            more=fewer + series.group,
        )
    if folder and series.group > 1:
        raise BadOptions("", "Mirrored games cannot be recorded: their dice cannot be verified.")


def _make_room(folder: Path, names: Sequence[str]) -> None:
    """The folder is there, and none of these records. Raises BadOptions."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOptions(
            "", "The folder {folder} cannot be made: {why}.", folder=folder, why=error.strerror
        ) from error
    for name in names:
        if (folder / name).exists():
            raise BadOptions("", "The record {file} already exists: choose another folder.", file=folder / name)
