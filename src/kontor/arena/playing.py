"""The games of a series, played by whoever shares the work.

Which process plays a game makes no difference to it, and the games are handed on in the order of their numbers: so
nothing but the time depends on how many processes there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from kontor.arena.series import ArenaGame, Series
from kontor.work import Executor

GAMES_AT_ONCE: Final = 8
"""So many games at most are one task. With few games for each process it is one, lest at the end all wait for the
last; and for a process alone, which sends nothing to and fro."""

PARTS: Final = 32
"""Into so many tasks at least, if they have more than one game, the work of a process is divided."""


def by_number(series: Series, games: int, executor: Executor, *, recorded: bool) -> Iterator[ArenaGame]:
    """The first games of a series in the order of their numbers. Raises WorkerLost, or ClusterLost."""
    for part in executor.map(partial(_play, series, recorded), _parts(games, executor.processes)):
        yield from part


def _parts(games: int, processes: int) -> list[range]:
    """The numbers of the games, in the portions in which they are asked for."""
    size = max(1, min(GAMES_AT_ONCE, games // (processes * PARTS))) if processes > 1 else 1
    return [range(first, min(first + size, games)) for first in range(0, games, size)]


def _play(series: Series, recorded: bool, numbers: range) -> list[ArenaGame]:
    return [series.play(number, recorded=recorded) for number in numbers]
