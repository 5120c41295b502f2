"""Games of a series, played by several processes at once.

Which process plays a game makes no difference to it, and the games are handed on in the order of their numbers: so
nothing but the time depends on how many processes there are. They begin as fresh interpreters (*spawn*), on every
system alike, and share nothing.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Final, cast

from kontor.arena.series import ArenaGame, Series
from kontor.cluster import Cluster, Jobs
from kontor.game import Refusal

GAMES_AT_ONCE: Final = 8
"""So many games at most are asked of a process at once. With few games for each it is one, lest at the end all wait
for the last."""

PARTS: Final = 32
"""Into so many parts at least, if they have more than one game, the work of a process is divided."""


class WorkerLost(Refusal):
    """A process has ended before its games were played."""


def by_number(series: Series, games: int, jobs: Jobs, *, recorded: bool) -> Generator[ArenaGame, None, None]:
    """The first games of a series in the order of their numbers, played by so many processes (1 is this one alone),
    or by a cluster.

    Raises WorkerLost, or ClusterLost. The generator is to be closed, so that no process outlives it.
    """
    if jobs == 1:
        return (series.play(number, recorded=recorded) for number in range(games))
    if isinstance(jobs, Cluster):
        return _by_cluster(series, games, jobs, recorded)
    return _by_workers(series, games, jobs, recorded)


def _parts(games: int, processes: int) -> list[range]:
    """The numbers of the games, in the portions in which they are asked for."""
    size = max(1, min(GAMES_AT_ONCE, games // (processes * PARTS)))
    return [range(first, min(first + size, games)) for first in range(0, games, size)]


def _by_cluster(series: Series, games: int, cluster: Cluster, recorded: bool) -> Generator[ArenaGame, None, None]:
    for part in cluster.share(partial(_play, series, recorded), _parts(games, cluster.cores)):
        yield from part


def _by_workers(series: Series, games: int, jobs: int, recorded: bool) -> Generator[ArenaGame, None, None]:
    parts = iter(_parts(games, jobs))
    played: dict[int, ArenaGame] = {}
    workers: list[_Worker] = []
    try:
        with _deaf_to_interrupts():
            for part in (next(parts) for _ in range(min(jobs, games))):
                workers.append(_Worker(series, recorded))
                workers[-1].ask(part)
        busy = {worker.connection: worker for worker in workers}
        for number in range(games):
            while number not in played:
                for connection in wait([*busy]):
                    worker = busy[cast("Connection", connection)]
                    played.update({game.number: game for game in worker.answer()})
                    further = next(parts, None)
                    if further:
                        worker.ask(further)
                    else:
                        del busy[worker.connection]
            yield played.pop(number)
    finally:
        for worker in workers:
            worker.end()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes begun here never hear of Ctrl-C, which reaches all that a terminal has begun: this one ends them."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # which would end the deafness if it had to be begun under it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """A process that plays the games asked for."""

    def __init__(self, series: Series, recorded: bool) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, series, recorded), daemon=True)
        self._process.start()
        theirs.close()  # so that its end is noticed here

    def ask(self, numbers: range) -> None:
        """Games to be played next."""
        with suppress(BrokenPipeError):  # an end is told by whoever waits for the answer
            self.connection.send(numbers)

    def answer(self) -> list[ArenaGame]:
        """The games asked for; waits for them. Raises WorkerLost."""
        try:
            return cast("list[ArenaGame]", self.connection.recv())
        except (EOFError, ConnectionResetError):
            self._process.join()
            raise WorkerLost(
                "",
                "One of the processes that play has ended too early, with exit status {status}; what is not played"
                " yet stays so.",
                status=self._process.exitcode,
            ) from None

    def end(self) -> None:
        """Ends it, whatever it does."""
        self._process.terminate()
        self._process.join()
        self._process.close()
        self.connection.close()


def _work(connection: Connection, series: Series, recorded: bool) -> None:
    """What such a process does, until nobody asks any more."""
    with suppress(EOFError, BrokenPipeError):
        while True:
            numbers = connection.recv()
            connection.send(_play(series, recorded, numbers))


def _play(series: Series, recorded: bool, numbers: range) -> list[ArenaGame]:
    return [series.play(number, recorded=recorded) for number in numbers]
