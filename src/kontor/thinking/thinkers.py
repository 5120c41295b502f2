"""A pool of worker processes for thinking. Tasks wait in one queue; a free process takes the first.

Those who submit tasks take turns: first by origin, which can stand for many people, and within an origin by person.
So a person with many tasks waits behind people with few.

A process that dies over a task, or takes too long, is replaced, and the task is tried once more. Processes keep
nothing that their successors could not load again.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Condition
from time import monotonic
from typing import Final, NamedTuple, Protocol, Self

import msgspec

from kontor.thinking.messages import PROCESSOR_LIMIT, TaskRequest, TaskResult, read, write
from kontor.work.loops import LIMIT, Loop
from kontor.work.one_core import ONE_CORE
from kontor.work.piped_process import PipedProcess, module_command

Work = Callable[[bytes], bytes]
"""A function at the top level of a module. The worker process imports it by its name."""


class Asker(NamedTuple):
    """The ``person`` for whom a task is done, and the ``origin`` of their address, which other people may share."""

    origin: int
    person: str


NOBODY: Final = Asker(0, "")
"""The asker of tasks that the server submits on its own account."""

Ask = Callable[[Work, bytes, Asker], Future[bytes]]
"""``ask(work, matter, asker)`` returns a future of ``work(matter)``, or of NoAnswer: ``Thinkers.submit``."""

TASK_TIMEOUT: Final = 120.0
"""Seconds for one answer, including the start of a process.

It is long because a task gets little processor time on a busy machine. A process killed for that would only start
again, and be killed again.
"""

_MAX_TRIES: Final = 2

_IDLE: Final = 5.0
"""Seconds that a thread waits for a task before its loop goes round, which shows that it is alive."""

_START_TIMEOUT: Final = 20.0
"""Seconds for which starting a process is retried while the system lacks a resource."""

_START_RETRY: Final = 0.5
"""Seconds before another try to start a process."""

_END_TIMEOUT: Final = 10.0
"""Seconds that ``end`` waits for the thread of a process that was killed."""

_LOG = logging.getLogger(__name__)


class NoAnswer(Exception):
    """The reason why a task was not done; it quotes nothing from the task.

    Either its function failed, or its process died or took too long, or the thinkers have stopped.
    """


class Thinking(Protocol):
    """The interface of a pool of thinkers."""

    def submit(
        self, work: Work, matter: bytes, asker: Asker = NOBODY, *, low_priority: bool = False
    ) -> Future[bytes]:
        """Queue the call ``work(matter)``; return the future of its result, which raises NoAnswer if it fails."""


def usual_number() -> int:
    """Return the number of cores less one, which is left to the server, but at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


@dataclass(eq=False)
class _QueuedTask:
    """A task in the queue."""

    request: TaskRequest
    asker: Asker
    future: Future[bytes] = field(default_factory=Future)


class Thinkers:
    """A pool of processes that think. They start with the first task.

    Use it as a context manager::

        with Thinkers(2) as thinkers:
            move = thinkers.submit(choose, matter).result()
    """

    def __init__(
        self, number: int | None = None, limit: float = TASK_TIMEOUT, processor_limit: int = PROCESSOR_LIMIT
    ) -> None:
        """Prepare ``number`` processes.

        An answer may take ``limit`` seconds, and ``processor_limit`` seconds of processor time.
        """
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
        """Queue the call ``work(matter)`` for ``asker``; return the future of its result.

        The future raises NoAnswer if the task fails. A task with ``low_priority`` lets all others go first, and
        leaves them one of several processes. Split a long task into pieces of at most a second. A future can be
        cancelled as long as its task waits. Its callbacks run in a thread of the thinkers, so they must be quick.
        Raises NoAnswer if no thread can be started, or after :meth:`stop`.
        """
        request = TaskRequest(f"{work.__module__}:{work.__qualname__}", matter, self._processor_limit)
        task = _QueuedTask(request, asker)
        self._begin()
        self._queue.put(task, low_priority)
        return task.future

    def _begin(self) -> None:
        """Start all processes. Raises NoAnswer if the system can't start a thread for any of them."""
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
        """Return the ids of the processes that are running."""
        return tuple(pid for process in self._processes for pid in process.pid())

    def waiting(self) -> int:
        """Return the number of tasks that no process has taken yet."""
        return self._queue.waiting()

    def busy(self) -> float:
        """Return the seconds that all processes together have spent on finished tasks."""
        return sum(process.busy for process in self._processes)

    def stop(self) -> None:
        """End all processes at once; waiting tasks are cancelled, and those under way fail."""
        for task in self._queue.end():
            task.future.cancel()
        for process in self._processes:
            process.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _SharedQueue:
    """A queue whose owners take turns: first origins, and within an origin, people. Not thread-safe."""

    def __init__(self) -> None:
        self._origins: dict[int, dict[str, deque[_QueuedTask]]] = {}
        """The tasks by origin and person; those whose turn it is come first."""

    def __iter__(self) -> Iterator[_QueuedTask]:
        return (task for people in self._origins.values() for waiting in people.values() for task in waiting)

    def __bool__(self) -> bool:
        return bool(self._origins)

    def append(self, task: _QueuedTask) -> None:
        """Add a task behind the others of the person."""
        people = self._origins.setdefault(task.asker.origin, {})
        people.setdefault(task.asker.person, deque()).append(task)

    def popleft(self) -> _QueuedTask:
        """Return the first task of the person whose turn it is; that person and origin then move to the end."""
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
    """The tasks that wait for a process, in two queues: those of low priority, and the others. Thread-safe."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.ended = False
        self._prompt = _SharedQueue()
        self._low_priority = _SharedQueue()

    def waiting(self) -> int:
        """Return the number of tasks that no process has taken yet."""
        with self.changed:
            return sum(not task.future.cancelled() for task in (*self._prompt, *self._low_priority))

    def put(self, task: _QueuedTask, low_priority: bool) -> None:
        """Add a task. Raises NoAnswer after :meth:`end`."""
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
        """Close the queue; return the tasks still waiting."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()
            return (*self._prompt, *self._low_priority)


class _ThinkerProcess(Loop):
    """One of the processes, and the thread that gives it tasks."""

    def __init__(self, queue: _TaskQueue, limit: float, *, low_priority: bool) -> None:
        super().__init__("thinker", limit=(_MAX_TRIES + 1) * limit + LIMIT)
        self._queue = queue
        self._answer_limit = limit
        self._low_priority = low_priority
        self.busy = 0.0
        self._process: PipedProcess | None = None
        self._begun = False

    def begin(self) -> None:
        """Start the thread, if it has not begun yet. Raises RuntimeError if the system can't start one."""
        with self._queue.changed:
            if not self._begun and not self._queue.ended:
                self.start()
                self._begun = True

    def end(self) -> None:
        """Kill the process, also in the middle of a task. Call it after the queue has ended."""
        with self._queue.changed:
            if self._process is not None:
                self._process.kill()
        self.stop(_END_TIMEOUT)
        self._end_process()

    def pid(self) -> Iterator[int]:
        """Yield the id of the process, if there is one."""
        process = self._process
        if process is not None:
            yield process.pid

    def once(self) -> float:
        """Do the next task. Its future is settled in every case."""
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
        """Send the request to the process and return its result.

        Return None if it died, was killed because it took too long, or sent an invalid answer.
        """
        process = self._start_process()
        if process is None:
            return None
        try:
            with process.limited(self._answer_limit):
                write(process.requests, request)
                return read(process.answers, TaskResult)
        except (OSError, msgspec.DecodeError):
            return None

    def _start_process(self) -> PipedProcess | None:
        """Return the process, started if there is none yet; None after the end, or if it can't be started.

        While the system is short of descriptors, memory or processes, it is retried for a while.
        """
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

    def _process_started(self) -> PipedProcess | None:
        with self._queue.changed:
            if self._process is None and not self._queue.ended:
                self._process = PipedProcess(
                    module_command("kontor.thinking.worker"),
                    {**os.environ, **ONE_CORE},
                    own_session=False,  # niceness counts only within a session
                )
            return self._process

    def _end_process(self) -> None:
        """End the process; the next task starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.end()
