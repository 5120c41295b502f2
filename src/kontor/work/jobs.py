"""The number of processes for some work, or an executor that exists already."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kontor.work.executor import Executor, InProcess
from kontor.work.local import LocalExecutor

Jobs = int | Executor
"""Number of processes of this machine (1 is this one alone), which end with the work; or an executor."""


@contextmanager
def executor_of(jobs: Jobs) -> Iterator[Executor]:
    """Yield the executor that does the work; processes that are started here end with the block."""
    if not isinstance(jobs, int):
        yield jobs
    elif jobs == 1:
        yield InProcess()
    else:
        with LocalExecutor(jobs) as executor:
            yield executor
