"""Series of games between computer players: who wins how often, and how certain that is.

Every game follows from the seed and its own number alone. So the results do not depend on the order of the games, on
other games, or on the number of processes. Chance is drawn by fair dice (``kontor.fair``), as at a table of people:
recording games does not change them, and their records can be verified. The dice take up to a quarter of the time
where ``random`` plays ``random``, and less than a twentieth with any player that thinks.

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
    """The end of a series by Ctrl-C.

    ``report`` covers the games before it, in whole groups: the same as if no more had been requested.
    """

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
    """Play so many games and return how the players did.

    With a ``folder`` each game is written there as a record; mirrored games cannot be. ``on_game`` is called with
    each game, in the order of their numbers. ``jobs`` is a number of processes, or an executor. With more than one
    process, the calling program needs its ``if __name__ == "__main__":``, as :mod:`multiprocessing` explains.

    Raises BadOptions, WorkerLost, ClusterLost; and Stopped on Ctrl-C after the first games.
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
        complete = len(done) - len(done) % series.group
        if not complete:
            raise
        raise Stopped(_report(series, done[:complete], perf_counter() - began)) from interrupt
    return _report(series, done, perf_counter() - began)


def _report(series: Series, done: Sequence[ArenaGame], seconds: float) -> Report:
    """Return the report on the first games of a series."""
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
    """Raise BadOptions if a series cannot have so many games, or cannot be played like that."""
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
    """Create the folder. Raises BadOptions if that fails, or if one of these records exists there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOptions(
            "", "The folder {folder} cannot be made: {why}.", folder=folder, why=error.strerror
        ) from error
    for name in names:
        if (folder / name).exists():
            raise BadOptions("", "The record {file} already exists: choose another folder.", file=folder / name)
