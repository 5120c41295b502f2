"""Processes of this machine that share work: each has a thread here that sends it tasks, and a pipe of its own.

They start as fresh interpreters (*spawn*), on every system alike, and share nothing. So a process that is killed
harms no other, and its loss is reported.
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
from typing import Any, Self

from kontor.game import Refusal
from kontor.work.executor import Done, Task, in_order


class WorkerLost(Refusal):
    """The loss of a process before its work was done."""


class LocalExecutor:
    """An executor whose processes start when there is something to do, and end with the ``with`` block."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._threads = ThreadPoolExecutor(processes, initializer=_ignore_interrupts)
        self._mine = local()
        self._begun: list[_WorkProcess] = []
        self._closed = False
        self._lock = Lock()
        resource_tracker.ensure_running()  # starting it in one of the threads would unblock SIGINT there

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
        """Return the results of ``function(task)`` in their order. Raises what it raises, and WorkerLost."""

        def ask(task: Task) -> Future[Done]:
            return self._threads.submit(self._do, function, task)

        return in_order(ask, Future.result, tasks, self.processes)

    def close(self) -> None:
        """End all processes, even in the middle of their work."""
        with self._lock:
            self._closed = True
        for process in self._begun:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._begun:
            process.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, function: Callable[[Task], Done], task: Task) -> Done:
        """Let the process of this thread run a task; return its result."""
        if not hasattr(self._mine, "process"):
            with self._lock:
                if self._closed:
                    raise _worker_lost(None)
                self._mine.process = _WorkProcess()
                self._begun.append(self._mine.process)
        process: _WorkProcess = self._mine.process
        done: Done = process.do(function, task)
        return done


def _ignore_interrupts() -> None:
    """Block Ctrl-C for the processes that this thread starts: this process ends them.

    Ctrl-C reaches all processes that a terminal has started.
    """
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


class _WorkProcess:
    """A process that runs tasks."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._connection, child_end = context.Pipe()
        self._process = context.Process(target=_work, args=(child_end,), daemon=True)
        self._process.start()
        child_end.close()  # so that the end of the process closes the pipe

    def do(self, function: Callable[[Any], Any], task: Any) -> Any:
        """Return ``function(task)``. Raises what it raises, and WorkerLost."""
        try:
            self._connection.send((function, task))
            given, failure = self._connection.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            raise _worker_lost(self._process.exitcode) from None
        if failure is not None:
            raise failure
        return given

    def kill(self) -> None:
        """End the process, even in the middle of its work."""
        self._process.kill()

    def end(self) -> None:
        """Wait until the process has ended, after ``kill``."""
        self._process.join()
        self._process.close()
        self._connection.close()


def _worker_lost(status: int | None) -> WorkerLost:
    return WorkerLost(
        "",
        "One of the processes that share the work ended early (exit status {status}); the rest was not done.",
        status=status,
    )


def _end_with_parent() -> None:
    """Wait until the parent has ended in any way, then end this process in the middle of its work."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(connection: Connection) -> None:
    """Run tasks until the parent closes the pipe."""
    Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    with suppress(EOFError, ConnectionError):
        while True:
            function, task = connection.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = function(task), None
            except Exception as error:  # noqa: BLE001 (the parent raises it again)
                error.add_note(format_exc())
                answer = None, error
            connection.send(answer)
