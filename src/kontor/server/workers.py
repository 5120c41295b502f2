"""Workers: several processes of one server, started, watched, replaced when they die, and ended together.

Each listens on a port of its own, and has processes of its own in which computer players think. They share nothing
but the database. A proxy sends all requests about a table to the same worker (``deploy``). Workers get the address of
the database through a pipe, so it is in no list of processes.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Event, Thread
from time import monotonic
from types import FrameType
from typing import Final

from msgspec.structs import replace

from kontor.game import Refusal
from kontor.server.options import ServeOptions
from kontor.server.serving import GRACE, serve_place
from kontor.web.operation import logs, metrics
from kontor.work.loops import report_failure

_LOG = logging.getLogger(__name__)

_SPAWN: Final = get_context("spawn")
"""A fresh interpreter for each worker: no memory of the parent is copied, above all no threads and locks."""

_FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 10.0
"""Seconds before a worker that died is replaced; doubled each time it dies soon."""

_SOON: Final = 30.0
"""Seconds; a worker that lived longer was healthy."""

_LOOK: Final = 0.1


class WorkerFailed(Refusal):
    """The refusal to start when a worker ended before it could serve."""


class Workers:
    """The workers of a server, one for each socket."""

    def __init__(self, database: str, listening: Sequence[socket.socket], options: ServeOptions) -> None:
        """Take the listening sockets; they stay open while a worker that died is replaced. Raises CannotShow."""
        self._ending = Event()
        addresses = [
            metrics.address_of(options.metrics, place) if options.metrics else "" for place in range(len(listening))
        ]
        self._places = [
            _WorkerSlot(database, line, replace(options, metrics=address))
            for line, address in zip(listening, addresses, strict=True)
        ]

    def run(self, ready: Callable[[], object]) -> None:
        """Serve until SIGTERM or SIGINT. ``ready`` is called once, when all workers serve.

        Raises WorkerFailed if a worker ends before that.
        """
        before = {number: signal.signal(number, self._end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for place in self._places:
                place.begin()
            self._wait_for_all()
            if not self._ending.is_set():
                ready()
            while not self._ending.wait(_LOOK):
                for place in self._places:
                    place.attempt()
        finally:
            self._stop()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._ending.set()

    def _wait_for_all(self) -> None:
        while not all(place.serves() for place in self._places) and not self._ending.wait(_LOOK):
            if any(place.has_ended() for place in self._places):
                raise WorkerFailed("", "A worker process ended before it could serve; its message is shown above.")

    def _stop(self) -> None:
        for place in self._places:
            place.tell_to_end()
        until = monotonic() + GRACE + 1
        for place in self._places:
            place.end(until)


@dataclass
class _WorkerProcess:
    """A worker that was started; it reports through ``reports`` that it serves."""

    process: SpawnProcess
    since: float
    reports: Connection
    serves: bool = False


class _WorkerSlot:
    """A place for one worker, in which a new one replaces one that died."""

    def __init__(self, database: str, listening: socket.socket, options: ServeOptions) -> None:
        self._database = database
        self._listening = listening
        self._options = options
        self._running: _WorkerProcess | None = None
        self._pause = _FIRST_PAUSE
        self._due = 0.0

    def begin(self) -> None:
        """Start a worker."""
        receiver, sender = _SPAWN.Pipe(duplex=False)
        with ExitStack() as undo:
            undo.callback(receiver.close)
            with sender, _ignore_ctrl_c():
                process = _SPAWN.Process(target=_work, args=(self._database, self._listening, self._options, sender))
                process.start()
            undo.pop_all()
        self._running = _WorkerProcess(process, monotonic(), receiver)

    def serves(self) -> bool:
        """Return True if the worker has begun to serve."""
        running = self._running
        if running is not None and not running.serves and running.reports.poll():
            try:
                running.serves = running.reports.recv()
            except EOFError:  # the worker has ended
                return False
        return running is not None and running.serves

    def has_ended(self) -> bool:
        """Return True if the worker has ended."""
        return self._running is not None and not self._running.process.is_alive()

    def attempt(self) -> None:
        """Look after the worker. If that fails, try again after a pause: the other workers must not go with it."""
        try:
            self.look_after()
        except Exception as error:  # noqa: BLE001 (such as no descriptors or memory for another process)
            self._due = monotonic() + self._pause
            report_failure("workers", error, self._pause)
            self._pause = min(self._pause * 2, _LONGEST_PAUSE)

    def look_after(self) -> None:
        """Replace a worker that has died, after a pause."""
        if self._running is not None and self.has_ended():
            process = self._running.process
            _LOG.warning("Worker %d ended (%d); another takes its place.", process.pid, process.exitcode)
            if monotonic() - self._running.since > _SOON:
                self._pause = _FIRST_PAUSE
            self._due = monotonic() + self._pause
            self._pause = min(self._pause * 2, _LONGEST_PAUSE)
            self._let_go()
        if self._running is None and monotonic() >= self._due:
            self.begin()

    def tell_to_end(self) -> None:
        """Tell the worker to end, if there is one."""
        if self._running is not None:
            self._running.process.terminate()

    def end(self, until: float) -> None:
        """Wait for the worker to end; kill it at ``until`` (monotonic clock)."""
        if self._running is not None:
            process = self._running.process
            process.join(max(0.0, until - monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
            self._let_go()

    def _let_go(self) -> None:
        """Release the resources of a worker that has ended."""
        if self._running is not None:
            self._running.reports.close()
            self._running.process.close()
            self._running = None


@contextmanager
def _ignore_ctrl_c() -> Iterator[None]:
    """Block Ctrl-C for the processes started in the block: the parent handles it."""
    resource_tracker.ensure_running()  # starting it unblocks SIGINT, so it must not start in the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ------------------------------------------------------------------------------------------------- in the process


def _work(database: str, listening: socket.socket, options: ServeOptions, tells: Connection) -> None:
    """Serve until the worker is told to end, or the parent has ended."""
    logs.begin(options.log_style, options.log_level)
    Thread(target=_end_with_the_parent, daemon=True).start()
    try:
        serve_place(database, listening, options, partial(tells.send, True))
    except Refusal as refusal:
        _LOG.error("%s", refusal)
        sys.exit(1)


def _end_with_the_parent() -> None:
    parent = parent_process()
    assert parent
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
