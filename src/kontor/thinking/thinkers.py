"""A few processes that think. Questions wait in one line; whoever is free takes the first.

Those who ask take turns: first by where they come from, for one can be many people, and there by person. So whoever
asks much waits behind those who ask little.

A process that dies over a question, or takes too long, is replaced, and the question is asked once more. Nothing is
kept in them that the next could not load again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Condition, Thread, Timer
from time import monotonic
from types import TracebackType
from typing import Final, NamedTuple, Protocol, Self

from kontor.thinking.messages import TaskRequest, TaskResult, read, write
from kontor.work.one_core import ONE_CORE

Work = Callable[[bytes], bytes]
"""A function of a module. It is imported by its name in the process that thinks."""


class Asker(NamedTuple):
    """For whom something is thought: for a ``person``, and all who come from the same ``origin``."""

    origin: int
    person: str


NOBODY: Final = Asker(0, "")
"""For whom the server thinks on its own account."""

TASK_TIMEOUT: Final = 20.0
"""Seconds for one answer, the start of a process included."""

_MAX_TRIES: Final = 2


class NoAnswer(Exception):
    """Why a question was not answered: where its function failed, or that its process died, or took too long, or that
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
    """A question in the line."""

    question: TaskRequest
    asker: Asker
    future: Future[bytes] = field(default_factory=Future)


class Thinkers:
    """Processes that think; they begin when there is something to think about::

    with Thinkers(2) as thinkers:
        move = thinkers.submit(choose, matter).result()
    """

    def __init__(self, number: int | None = None, limit: float = TASK_TIMEOUT) -> None:
        """So many processes; ``limit`` is in seconds for one answer."""
        self.number = usual_number() if number is None else number
        self._line = _TaskQueue()
        self._keepers = [
            _ThinkerProcess(self._line, limit, low_priority=place > 0 or self.number == 1)
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
        asked = _QueuedTask(TaskRequest(f"{work.__module__}:{work.__qualname__}", matter), asker)
        self._line.put(asked, low_priority)
        for keeper in self._keepers:
            keeper.begin()
        return asked.future

    def processes(self) -> tuple[int, ...]:
        """The ids of those that live."""
        return tuple(pid for keeper in self._keepers for pid in keeper.pid())

    def waiting(self) -> int:
        """How many questions nobody has taken yet."""
        return self._line.waiting()

    def busy(self) -> float:
        """For how many seconds, altogether, questions have been thought about that are answered by now."""
        return sum(keeper.busy for keeper in self._keepers)

    def stop(self) -> None:
        """All processes end at once; whatever was not answered never will be."""
        for asked in self._line.end():
            asked.future.cancel()
        for keeper in self._keepers:
            keeper.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _SharedQueue:
    """Questions of those who take turns: those of one origin after those of another, and there those of one person
    after those of another. Not safe from several threads."""

    def __init__(self) -> None:
        self._origins: dict[int, dict[str, deque[_QueuedTask]]] = {}
        """Whose turn it is comes first."""

    def __iter__(self) -> Iterator[_QueuedTask]:
        return (asked for people in self._origins.values() for waiting in people.values() for asked in waiting)

    def __bool__(self) -> bool:
        return bool(self._origins)

    def append(self, asked: _QueuedTask) -> None:
        """Behind the others of the person."""
        people = self._origins.setdefault(asked.asker.origin, {})
        people.setdefault(asked.asker.person, deque()).append(asked)

    def popleft(self) -> _QueuedTask:
        """The first of whoever's turn it is, who is last then."""
        origin = next(iter(self._origins))
        people = self._origins.pop(origin)
        person = next(iter(people))
        waiting = people.pop(person)
        asked = waiting.popleft()
        if waiting:
            people[person] = waiting
        if people:
            self._origins[origin] = people
        return asked


class _TaskQueue:
    """What waits to be thought about."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.ended = False
        self._prompt = _SharedQueue()
        self._low_priority = _SharedQueue()

    def waiting(self) -> int:
        """How many questions nobody has taken yet."""
        with self.changed:
            return sum(not asked.future.cancelled() for asked in (*self._prompt, *self._low_priority))

    def put(self, asked: _QueuedTask, low_priority: bool) -> None:
        """Raises NoAnswer after the end."""
        with self.changed:
            if self.ended:
                raise NoAnswer("the thinkers are gone")
            (self._low_priority if low_priority else self._prompt).append(asked)
            self.changed.notify_all()

    def take(self, low_priority: bool) -> _QueuedTask | None:
        """The first, as soon as there is one; None after the end."""
        with self.changed:
            while not self.ended:
                for waiting in (self._prompt, self._low_priority) if low_priority else (self._prompt,):
                    while waiting:
                        asked = waiting.popleft()
                        if asked.future.set_running_or_notify_cancel():
                            return asked
                self.changed.wait()
        return None

    def end(self) -> tuple[_QueuedTask, ...]:
        """Nothing more is taken. What still waited is returned."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()
            return (*self._prompt, *self._low_priority)


class _ThinkerProcess:
    """One of the processes, and the thread that asks it."""

    def __init__(self, line: _TaskQueue, limit: float, *, low_priority: bool) -> None:
        self._line = line
        self._limit = limit
        self._low_priority = low_priority
        self.busy = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: Thread | None = None

    def begin(self) -> None:
        """If it has not begun yet."""
        with self._line.changed:
            if self._thread is None and not self._line.ended:
                self._thread = Thread(target=self._run, name="a thinker’s keeper", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """After the end of the line: whatever is being thought is in vain."""
        with self._line.changed:
            if self._process is not None:
                self._process.kill()
        if self._thread is not None:
            self._thread.join()

    def pid(self) -> Iterator[int]:
        """The process, if there is one."""
        process = self._process
        if process is not None:
            yield process.pid

    def _run(self) -> None:
        while (asked := self._line.take(self._low_priority)) is not None:
            begun = monotonic()
            self._settle(asked)
            self.busy += monotonic() - begun
        self._let_go()

    def _settle(self, asked: _QueuedTask) -> None:
        for _ in range(_MAX_TRIES):
            answer = self._answer(asked.question)
            if answer is not None:
                if answer.given is None:
                    asked.future.set_exception(NoAnswer(answer.failure))
                else:
                    asked.future.set_result(answer.given)
                return
            self._let_go()
        asked.future.set_exception(NoAnswer("its process died, or took too long"))

    def _answer(self, question: TaskRequest) -> TaskResult | None:
        """None if the process died, or was killed because it took too long."""
        process = self._started()
        if process is None:
            return None
        assert process.stdin
        assert process.stdout
        overdue = Timer(self._limit, process.kill)
        overdue.daemon = True
        overdue.start()
        try:
            write(process.stdin, question)
            return read(process.stdout, TaskResult)
        except OSError:
            return None
        finally:
            overdue.cancel()

    def _started(self) -> subprocess.Popen[bytes] | None:
        """The process, which begins if there is none; none after the end."""
        with self._line.changed:
            if self._process is None and not self._line.ended:
                path = os.pathsep.join(filter(None, sys.path))
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "kontor.thinking.worker"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, **ONE_CORE, "PYTHONPATH": path},
                    start_new_session=True,  # Ctrl-C is for whoever serves
                )
            return self._process

    def _let_go(self) -> None:
        """Ends the process, which is kept by nobody then."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
