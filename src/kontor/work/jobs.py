"""Who shares the work, as it is said in a call: a number of processes, or whoever is there already."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kontor.work.executor import Executor, InProcess
from kontor.work.local import LocalExecutor

Jobs = int | Executor
"""So many processes of this machine (1 is this one alone), begun and ended for the work; or an executor."""


@contextmanager
def executor_of(jobs: Jobs) -> Iterator[Executor]:
    """Who does the work; of processes that are begun here none outlives the block."""
    if not isinstance(jobs, int):
        yield jobs
    elif jobs == 1:
        yield InProcess()
    else:
        with LocalExecutor(jobs) as executor:
            yield executor
