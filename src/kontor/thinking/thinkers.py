"""A few processes that think. Tasks wait in one queue; whoever is free takes the first.

Those who ask take turns: first by where they come from, for one can be many people, and there by person. So whoever
asks much waits behind those who ask little.

A process that dies over a task, or takes too long, is replaced, and the task is given once more. Nothing is
kept in them that the next could not load again.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Timer
from time import monotonic
from types import TracebackType
from typing import Final, NamedTuple, Protocol, Self

import msgspec

from kontor.thinking.messages import PROCESSOR_LIMIT, TaskRequest, TaskResult, read, write
from kontor.work.loops import LIMIT, Loop
from kontor.work.one_core import ONE_CORE

Work = Callable[[bytes], bytes]
"""A function of a module. It is imported by its name in the process that thinks."""


class Asker(NamedTuple):
    """For whom something is thought: for a ``person``, and all who come from the same ``origin``."""

    origin: int
    person: str


NOBODY: Final = Asker(0, "")
"""For whom the server thinks on its own account."""

TASK_TIMEOUT: Final = 120.0
"""Seconds for one answer, the start of a process included. On a busy machine a task gets little processor time; a
process that was ended for that would begin again, and be ended again."""

_MAX_TRIES: Final = 2

_IDLE: Final = 5.0
"""Seconds that a thread waits for a task before it shows that it lives."""

_START_TIMEOUT: Final = 20.0
"""Seconds for which the start of a process is tried while the system is short of something."""

_START_RETRY: Final = 0.5
"""Seconds before a process that could not be started is tried again."""

_END_TIMEOUT: Final = 10.0
"""Seconds that the end waits for the thread of a process that was killed."""

_LOG = logging.getLogger(__name__)


class NoAnswer(Exception):
    """Why a task was not done: where its function failed, or that its process died, or took too long, or that
    the thinkers are gone. Nothing in it quotes what was asked."""


class Thinking(Protocol):
    """Whoever can be asked to think."""

    def submit(
        self, work: Work, matter: bytes, asker: Asker = NOBODY, *, low_priority: bool = False
    ) -> Future[bytes]:
        """What ``work(matter)`` gives, sooner or later; or NoAnswer, which it raises."""


def usual_number() -> int:
    """One process for each core but one, which is for those who serve."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


@dataclass(eq=False)
class _QueuedTask:
    """A task in the queue."""

    request: TaskRequest
    asker: Asker
    future: Future[bytes] = field(default_factory=Future)


class Thinkers:
    """Processes that think; they begin when there is something to think about::

    with Thinkers(2) as thinkers:
        move = thinkers.submit(choose, matter).result()
    """

    def __init__(
        self, number: int | None = None, limit: float = TASK_TIMEOUT, processor_limit: int = PROCESSOR_LIMIT
    ) -> None:
        """Prepare ``number`` processes. An answer may take ``limit`` seconds, and ``processor_limit`` seconds of
        processor time."""
        self.number = usual_number() if number is None else number
        self._processor_limit = processor_limit
        self._queue = _TaskQueue()
        self._processes = [
            _ThinkerProcess(self._queue, limit, low_priority=place > 0 or self.number == 1)
            for place in range(self.number)
        ]

    def submit(
        self, work: Work, matter: bytes, asker: Asker = NOBODY, *, low_priority: bool = False
    ) -> Future[bytes]:
        """What ``work(matter)`` gives, sooner or later; or NoAnswer, which it raises. ``asker`` is for whom.

        What is ``low_priority`` lets all others go first, and leaves them one of several processes. Whoever has much
        to ask, asks it in pieces of a second at most. A future can be cancelled as long as it waits. It calls back in
        a thread of the thinkers: be quick there.
        """
        request = TaskRequest(f"{work.__module__}:{work.__qualname__}", matter, self._processor_limit)
        task = _QueuedTask(request, asker)
        self._begin()
        self._queue.put(task, low_priority)
        return task.future

    def _begin(self) -> None:
        """Start all processes. Raises NoAnswer if the system gives a thread for none."""
        failed: RuntimeError | None = None
        begun = False
        for process in self._processes:
            try:
                process.begin()
                begun = True
            except RuntimeError as error:
                failed = error
        if failed is not None and not begun:
            raise NoAnswer("no thread can be started") from failed

    def processes(self) -> tuple[int, ...]:
        """The ids of those that live."""
        return tuple(pid for process in self._processes for pid in process.pid())

    def waiting(self) -> int:
        """How many tasks nobody has taken yet."""
        return self._queue.waiting()

    def busy(self) -> float:
        """For how many seconds, altogether, tasks were thought about that are done by now."""
        return sum(process.busy for process in self._processes)

    def stop(self) -> None:
        """All processes end at once; whatever was not answered never will be."""
        for task in self._queue.end():
            task.future.cancel()
        for process in self._processes:
            process.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _SharedQueue:
    """Tasks of those who take turns: those of one origin after those of another, and there those of one person
    after those of another. Not safe from several threads."""

    def __init__(self) -> None:
        self._origins: dict[int, dict[str, deque[_QueuedTask]]] = {}
        """Whose turn it is comes first."""

    def __iter__(self) -> Iterator[_QueuedTask]:
        return (task for people in self._origins.values() for waiting in people.values() for task in waiting)

    def __bool__(self) -> bool:
        return bool(self._origins)

    def append(self, task: _QueuedTask) -> None:
        """Behind the others of the person."""
        people = self._origins.setdefault(task.asker.origin, {})
        people.setdefault(task.asker.person, deque()).append(task)

    def popleft(self) -> _QueuedTask:
        """The first of whoever's turn it is, who is last then."""
        origin = next(iter(self._origins))
        people = self._origins.pop(origin)
        person = next(iter(people))
        waiting = people.pop(person)
        task = waiting.popleft()
        if waiting:
            people[person] = waiting
        if people:
            self._origins[origin] = people
        return task


class _TaskQueue:
    """What waits to be thought about."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.ended = False
        self._prompt = _SharedQueue()
        self._low_priority = _SharedQueue()

    def waiting(self) -> int:
        """How many tasks nobody has taken yet."""
        with self.changed:
            return sum(not task.future.cancelled() for task in (*self._prompt, *self._low_priority))

    def put(self, task: _QueuedTask, low_priority: bool) -> None:
        """Raises NoAnswer after the end."""
        with self.changed:
            if self.ended:
                raise NoAnswer("the thinkers are gone")
            (self._low_priority if low_priority else self._prompt).append(task)
            self.changed.notify_all()

    def take(self, low_priority: bool, timeout: float) -> _QueuedTask | None:
        """Return the first task; None after the end, or if there was none for about ``timeout`` seconds."""
        with self.changed:
            task = self._first(low_priority)
            if task is None and not self.ended:
                self.changed.wait(timeout)
                task = self._first(low_priority)
            return task

    def _first(self, low_priority: bool) -> _QueuedTask | None:
        for waiting in (self._prompt, self._low_priority) if low_priority else (self._prompt,):
            while waiting and not self.ended:
                task = waiting.popleft()
                if task.future.set_running_or_notify_cancel():
                    return task
        return None

    def end(self) -> tuple[_QueuedTask, ...]:
        """Nothing more is taken. What still waited is returned."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()
            return (*self._prompt, *self._low_priority)


class _ThinkerProcess(Loop):
    """One of the processes, and the thread that asks it."""

    def __init__(self, queue: _TaskQueue, limit: float, *, low_priority: bool) -> None:
        super().__init__("thinker", limit=(_MAX_TRIES + 1) * limit + LIMIT)
        self._queue = queue
        self._answer_limit = limit
        self._low_priority = low_priority
        self.busy = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = False

    def begin(self) -> None:
        """Start the thread, if it has not begun yet. Raises RuntimeError if the system gives none."""
        with self._queue.changed:
            if not self._begun and not self._queue.ended:
                self.start()
                self._begun = True

    def end(self) -> None:
        """End the process after the end of the queue: whatever is being thought is in vain."""
        with self._queue.changed:
            if self._process is not None:
                self._process.kill()
        self.stop(_END_TIMEOUT)
        self._end_process()

    def pid(self) -> Iterator[int]:
        """The process, if there is one."""
        process = self._process
        if process is not None:
            yield process.pid

    def once(self) -> float:
        """Do the next task. Its future is settled whatever happens."""
        task = self._queue.take(self._low_priority, _IDLE)
        if task is None:
            return _IDLE if self._queue.ended else 0.0
        begun = monotonic()
        try:
            self._settle(task)
        except BaseException:
            self._end_process()
            raise
        finally:
            if not task.future.done():
                task.future.set_exception(NoAnswer("it could not be asked"))
            self.busy += monotonic() - begun
        return 0.0

    def _settle(self, task: _QueuedTask) -> None:
        for _ in range(_MAX_TRIES):
            answer = self._answer(task.request)
            if answer is not None:
                if answer.given is None:
                    task.future.set_exception(NoAnswer(answer.failure))
                else:
                    task.future.set_result(answer.given)
                return
            self._end_process()
        task.future.set_exception(NoAnswer("its process died, or took too long"))

    def _answer(self, request: TaskRequest) -> TaskResult | None:
        """Ask the process. Return None if it died, was killed because it took too long, or sent what is no answer."""
        process = self._started()
        if process is None:
            return None
        assert process.stdin
        assert process.stdout
        overdue = Timer(self._answer_limit, process.kill)
        overdue.daemon = True
        overdue.start()
        try:
            write(process.stdin, request)
            return read(process.stdout, TaskResult)
        except (OSError, msgspec.DecodeError):
            return None
        finally:
            overdue.cancel()

    def _started(self) -> subprocess.Popen[bytes] | None:
        """Return the process, which is started if there is none. While the system is short of descriptors, memory or
        processes, wait a little. Return None after the end, or if none could be started."""
        until = monotonic() + min(self._answer_limit, _START_TIMEOUT)
        while not self._queue.ended:
            try:
                return self._process_started()
            except OSError as error:
                if monotonic() >= until:
                    _LOG.error("No process for computer players could be started: %s", error.strerror)
                    return None
                self._stop.wait(_START_RETRY)
        return None

    def _process_started(self) -> subprocess.Popen[bytes] | None:
        with self._queue.changed:
            if self._process is None and not self._queue.ended:
                path = os.pathsep.join(filter(None, sys.path))
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "kontor.thinking.worker"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, **ONE_CORE, "PYTHONPATH": path},
                    process_group=0,  # Ctrl-C is for whoever serves; niceness counts only within a session
                )
            return self._process

    def _end_process(self) -> None:
        """End the process; the next task begins another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError, ValueError):  # its pipes may be closed already
                process.communicate()
