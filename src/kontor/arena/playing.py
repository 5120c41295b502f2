"""The games of a series, shared among processes.

A game is the same in every process, and games are yielded in the order of their numbers. So only the time depends on
the number of processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from kontor.arena.series import ArenaGame, Series
from kontor.work import Executor

GAMES_AT_ONCE: Final = 8
"""The most games in one task. With few games for each process a task is one game, so that processes finish together;
and so it is for a single process, which transfers nothing."""

PARTS: Final = 32
"""The fewest tasks for each process, if they have more than one game each."""


def by_number(series: Series, games: int, executor: Executor, *, recorded: bool) -> Iterator[ArenaGame]:
    """Yield the first games of a series in the order of their numbers. Raises WorkerLost, or ClusterLost."""
    for part in executor.map(partial(_play, series, recorded), _parts(games, executor.processes)):
        yield from part


def _parts(games: int, processes: int) -> list[range]:
    """Return the numbers of the games, task by task."""
    size = max(1, min(GAMES_AT_ONCE, games // (processes * PARTS))) if processes > 1 else 1
    return [range(first, min(first + size, games)) for first in range(0, games, size)]


def _play(series: Series, recorded: bool, numbers: range) -> list[ArenaGame]:
    return [series.play(number, recorded=recorded) for number in numbers]
