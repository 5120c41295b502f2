"""Whoever does work: what is asked of all of them alike, and the one order in which they give what comes of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Protocol, TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")
Asked = TypeVar("Asked")

TASKS_AHEAD: Final = 4
"""So many tasks for each process are asked for ahead of the one waited for, so that none waits for a slow one."""


class Executor(Protocol):
    """Processes that share work. What is done does not depend on who does it."""

    @property
    def processes(self) -> int:
        """How many tasks are done at the same time."""

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
        """``function`` of each task, in the order of the tasks, and what it raises. For more than one process it is
        a function of a module, or a ``functools.partial`` of one; tasks and results are sent to and fro."""


class InProcess:
    """This process alone, one task after the other, when its result is asked for."""

    processes = 1

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
        """``function`` of each task."""
        return map(function, tasks)


def in_order(
    ask: Callable[[Task], Asked], answer: Callable[[Asked], Done], tasks: Iterable[Task], processes: int
) -> Iterator[Done]:
    """Answers in the order of the tasks, of which not too many are asked for ahead."""
    asked: deque[Asked] = deque()
    for task in tasks:
        asked.append(ask(task))
        if len(asked) == TASKS_AHEAD * processes:
            yield answer(asked.popleft())
    while asked:
        yield answer(asked.popleft())
