"""Executors: their common protocol, and the order in which they return results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Protocol, TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")
Asked = TypeVar("Asked")

TASKS_AHEAD: Final = 4
"""Tasks for each process that are submitted ahead of the one awaited, so that no process waits for a slow one."""


class Executor(Protocol):
    """Processes that share work. Results do not depend on the process that computes them."""

    @property
    def processes(self) -> int:
        """Return how many tasks run at the same time."""

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
        """Yield ``function(task)`` for each task, in their order. Raises what ``function`` raises.

        For more than one process it must be a function of a module, or a ``functools.partial`` of one, because tasks
        and results are pickled.
        """


class InProcess:
    """This process alone: each task runs when its result is requested."""

    processes = 1

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
        """Return an iterator of ``function(task)`` for each task."""
        return map(function, tasks)


def in_order(
    ask: Callable[[Task], Asked], answer: Callable[[Asked], Done], tasks: Iterable[Task], processes: int
) -> Iterator[Done]:
    """Yield the results in the order of the tasks, submitting at most ``TASKS_AHEAD`` for each process ahead."""
    pending: deque[Asked] = deque()
    for task in tasks:
        pending.append(ask(task))
        if len(pending) == TASKS_AHEAD * processes:
            yield answer(pending.popleft())
    while pending:
        yield answer(pending.popleft())
