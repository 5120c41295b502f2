"""Processes of this machine that share work: each has a thread here that asks it, and a pipe of its own.

They begin as fresh interpreters (*spawn*), on every system alike, and share nothing; so one that is killed, whatever
it does, harms no other, and is told of.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from threading import Lock, Thread, local
from traceback import format_exc
from types import TracebackType
from typing import Any, Self

from kontor.game import Refusal
from kontor.work.executor import Done, Task, in_order


class WorkerLost(Refusal):
    """A process has ended before its work was done."""


class LocalExecutor:
    """So many processes, which begin when there is something to do, and end with the ``with`` block."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._threads = ThreadPoolExecutor(processes, initializer=_ignore_interrupts)
        self._mine = local()
        self._begun: list[_WorkProcess] = []
        self._closed = False
        self._lock = Lock()
        resource_tracker.ensure_running()  # which would end the deafness of a thread that began it

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
        """``function`` of each task, in the order of the tasks. Raises what it raises, and WorkerLost."""

        def ask(task: Task) -> Future[Done]:
            return self._threads.submit(self._do, function, task)

        return in_order(ask, Future.result, tasks, self.processes)

    def close(self) -> None:
        """Ends all processes, whatever they do."""
        with self._lock:
            self._closed = True
        for process in self._begun:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._begun:
            process.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _do(self, function: Callable[[Task], Done], task: Task) -> Done:
        """In a thread: its process does it."""
        if not hasattr(self._mine, "process"):
            with self._lock:
                if self._closed:
                    raise _lost(None)
                self._mine.process = _WorkProcess()
                self._begun.append(self._mine.process)
        process: _WorkProcess = self._mine.process
        done: Done = process.do(function, task)
        return done


def _ignore_interrupts() -> None:
    """Processes begun by this thread never hear of Ctrl-C, which reaches all that a terminal has begun: they are
    ended by this one."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


class _WorkProcess:
    """A process that does what it is asked for."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # so that its end is noticed here

    def do(self, function: Callable[[Any], Any], task: Any) -> Any:
        """What ``function`` gives or raises. Raises WorkerLost."""
        try:
            self._connection.send((function, task))
            given, failure = self._connection.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            raise _lost(self._process.exitcode) from None
        if failure is not None:
            raise failure
        return given

    def kill(self) -> None:
        """Ends it, whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """Waits until it has ended, after ``kill``."""
        self._process.join()
        self._process.close()
        self._connection.close()


def _lost(status: int | None) -> WorkerLost:
    return WorkerLost(
        "",
        "One of the processes that share the work ended early (exit status {status}); the rest was not done.",
        status=status,
    )


def _end_with_parent() -> None:
    """Wait until the process that asks has ended, however it did, then end this one in the middle of its work."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(connection: Connection) -> None:
    """What such a process does, until nobody asks any more."""
    Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    with suppress(EOFError, ConnectionError):
        while True:
            function, task = connection.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = function(task), None
            except Exception as error:  # noqa: BLE001 (it is raised again by whoever asked)
                error.add_note(format_exc())
                answer = None, error
            connection.send(answer)
