"""Thinking in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")


class Share(Protocol):
    """Does some work for each task, and gives the results in the order of the tasks: alone, or with other processes.
    The work is a function of a module; tasks and results can be sent from one process to another."""

    def __call__(self, work: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterable[Done]: ...


def alone(work: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
    """Everything here, one after the other."""
    return map(work, tasks)


@contextmanager
def by_processes(jobs: int) -> Iterator[Share]:
    """So many processes share what there is to do; 1 is this one alone. None of them outlives the block."""
    if jobs == 1:
        yield alone
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield pool.imap
