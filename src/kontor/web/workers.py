"""Several processes that serve one house: begun, watched, begun again when they die, and ended together.

They share the socket on which they listen, and the thinkers of the process that watches, and hand connections over to
each other (``doors``); everything else that they share is in the database. The address of that goes to them by their
input, so it is in no list of processes.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from types import FrameType
from typing import Final

import msgspec

from kontor.game import Refusal
from kontor.table.storage import Share
from kontor.table.storage.shared import Sharing
from kontor.thinking import Thinkers
from kontor.thinking.sharing import lend
from kontor.web.doors import Doors
from kontor.web.operation import metrics
from kontor.web.serving import GRACE, Manner
from kontor.web.worker import READY, Task

_log = logging.getLogger(__name__)

_FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 10.0
"""Seconds before one that died is replaced; twice as long each time it dies soon."""

_SOON: Final = 30.0
"""Seconds; who has lived longer was well."""

_LOOK: Final = 0.1


class NoWorker(Refusal):
    """A worker ended before it had begun to serve."""


class Workers:
    """So many processes that serve a house."""

    def __init__(
        self, number: int, house: Path | str, listening: socket.socket, thinkers: Thinkers, manner: Manner
    ) -> None:
        """They listen on a socket that listens already, and borrow the thinkers. Raises Unwritable, InUse where the
        house is in a folder."""
        self._ending = Event()
        listening.set_inheritable(True)
        self._open = ExitStack()
        share = self._open.enter_context(closing(Sharing(house, number))).share if isinstance(house, Path) else None
        doors = self._open.enter_context(closing(Doors(number)))
        self._places = [
            _Place(place, share(place) if share else str(house), doors, listening, thinkers, manner)
            for place in range(number)
        ]

    def run(self, ready: Callable[[], None]) -> None:
        """Serves until SIGTERM or SIGINT. ``ready`` is called once, when all serve. Raises NoWorker if one does not
        come to that."""
        before = {number: signal.signal(number, self._end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for place in self._places:
                place.begin()
            self._wait_for_all()
            if not self._ending.is_set():
                ready()
            while not self._ending.wait(_LOOK):
                for place in self._places:
                    place.look_after()
        finally:
            self._stop()
            self._open.close()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._ending.set()

    def _wait_for_all(self) -> None:
        while not all(place.serves() for place in self._places) and not self._ending.wait(_LOOK):
            if any(place.has_ended() for place in self._places):
                raise NoWorker("", "A process ended before it could serve the house; what it said stands above.")

    def _stop(self) -> None:
        for place in self._places:
            place.tell_to_end()
        until = monotonic() + GRACE + 1
        for place in self._places:
            place.end(until)


@dataclass
class _Running:
    """A worker that has begun."""

    process: subprocess.Popen[str]
    since: float
    serves: Event


class _Place:
    """The place of one worker, in which one follows the other."""

    def __init__(
        self,
        number: int,
        house: Share | str,
        doors: Doors,
        listening: socket.socket,
        thinkers: Thinkers,
        manner: Manner,
    ) -> None:
        self._number = number
        self._house = house
        self._doors = doors
        self._listening = listening
        self._thinkers = thinkers
        self._manner = manner
        self._running: _Running | None = None
        self._pause = _FIRST_PAUSE
        self._due = 0.0

    def begin(self) -> None:
        """A new one."""
        ours, its = socket.socketpair()
        doorway = self._doors.doorway(self._number)
        shared = self._house.files if isinstance(self._house, Share) else ()
        with its:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "kontor.web.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                pass_fds=(self._listening.fileno(), its.fileno(), *doorway.files, *shared),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,  # Ctrl-C is for whoever watches
            )
            task = Task(self._house, self._listening.fileno(), its.fileno(), doorway, self._manner)
        self._running = _Running(process, monotonic(), Event())
        Thread(target=lend, args=(self._thinkers, ours), name="thinkers for a worker", daemon=True).start()
        Thread(target=_hear, args=(self._running,), name="a worker", daemon=True).start()
        assert process.stdin
        with suppress(OSError):  # it has died already
            process.stdin.write(msgspec.json.encode(task).decode() + "\n")
            process.stdin.flush()

    def serves(self) -> bool:
        """Whether it has begun to."""
        return self._running is not None and self._running.serves.is_set()

    def has_ended(self) -> bool:
        """Whether it lives no more."""
        return self._running is not None and self._running.process.poll() is not None

    def look_after(self) -> None:
        """One that has died is replaced after a pause."""
        if self._running is not None and self.has_ended():
            process = self._running.process
            _log.warning("Worker %d ended (%d); another takes its place.", process.pid, process.returncode)
            if monotonic() - self._running.since > _SOON:
                self._pause = _FIRST_PAUSE
            self._due = monotonic() + self._pause
            self._pause = min(self._pause * 2, _LONGEST_PAUSE)
            _close(process)
            self._doors.gone(self._number)
            metrics.worker_died(process.pid)
            self._running = None
        if self._running is None and monotonic() >= self._due:
            self.begin()

    def tell_to_end(self) -> None:
        """If it lives."""
        if self._running is not None:
            self._running.process.terminate()

    def end(self, until: float) -> None:
        """Waits for its end; it is killed if that does not come in time."""
        if self._running is not None:
            try:
                self._running.process.wait(max(0.0, until - monotonic()))
            except subprocess.TimeoutExpired:
                self._running.process.kill()
                self._running.process.wait()
            _close(self._running.process)
            self._running = None


def _hear(worker: _Running) -> None:
    assert worker.process.stdout
    with suppress(ValueError):  # closed meanwhile
        if worker.process.stdout.readline().strip() == READY:
            worker.serves.set()


def _close(process: subprocess.Popen[str]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
