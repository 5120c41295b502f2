"""Work shared among processes by Ray: on this machine, or on a cluster of several.

What is done does not depend on who does it, so the results are those of a single process. A task whose process or
machine dies is done again by another. Everything of Ray's is imported only when somebody asks for it: it is an extra.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from kontor.distribution import installed_version
from kontor.game import Refusal
from kontor.optional_packages import requiring_extra
from kontor.words import mark
from kontor.work.executor import Done, Task, in_order

MAX_RETRIES: Final = 20
"""So often a task is begun anew whose process has died. One that kills every process shall not be tried for ever."""

CONNECT_TIMEOUT: Final = 5.0
"""Seconds until a cluster must have answered; Ray itself would ask on for many minutes."""

_HERE: Final = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token"}
"""For a Ray of our own. The first is what it says, but on Linux as well: without clusters all of Ray's ports are on
the loopback address alone. Nobody is told of its use, and other users of this machine need a token to be let in."""

_MISSING: Final = mark("Sharing work with Ray needs the package {package}, which is not installed: {command}")


class NoCluster(Refusal):
    """Ray is not to be reached, or cannot be used."""


class ClusterLost(Refusal):
    """Ray has given up, or the work cannot be done by its machines."""


class RayExecutor:
    """Machines of a Ray that is open (:func:`opened`)."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
        """``function`` of each task, in the order of the tasks; it is of a module of Kontor's. Raises ClusterLost,
        and what ``function`` raises."""
        import ray
        from ray.exceptions import RayError, RayTaskError

        do: Any = ray.remote(max_retries=MAX_RETRIES)(_do)
        ask = partial(do.remote, installed_version(), function)
        answer: Callable[[Any], Done] = ray.get
        try:
            yield from in_order(ask, answer, tasks, self.processes)
        except RayError as error:
            found = error.cause if isinstance(error, RayTaskError) else error
            if not isinstance(found, RayError):  # by the work itself
                raise found from error
            raise ClusterLost("", "Ray has given up: {why}", why=_first_line(found)) from error


def _do(kontor: str, function: Callable[[Task], Done], task: Task) -> Done:
    """What one of the machines does."""
    if installed_version() != kontor:
        raise ClusterLost(
            "",
            "A machine of the cluster has Kontor {theirs}, and this one has {ours}: install the same on all of them.",
            theirs=installed_version(),
            ours=kontor,
        )
    return function(task)


@contextmanager
def opened(address: str | None, jobs: int) -> Iterator[RayExecutor]:
    """Ray at an address (``10.0.0.5:6379``), with all cores that it has; or, without one, a Ray of our own with so
    many processes on this machine, which is heard on 127.0.0.1 alone if nobody has imported ``ray`` before. Raises
    NoCluster, MissingExtra."""
    if address:
        _check_reachable(address)
        where: dict[str, Any] = {"address": address}
    else:
        if "ray" not in sys.modules:  # it reads them once, and half of them now would leave it at odds with itself
            os.environ.update(_HERE)
        where = {"address": "local", "num_cpus": jobs, "include_dashboard": False}
    with requiring_extra("cluster", _MISSING):
        import ray

    try:
        ray.init(**where, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ray.exceptions.RayError) as error:
        raise NoCluster("", "Ray could not be used: {why}", why=_first_line(error)) from error
    try:
        resources: dict[str, float] = ray.cluster_resources()
        yield RayExecutor(max(1, int(resources.get("CPU", 1))))
    finally:
        with _hushed():
            ray.shutdown()


@contextmanager
def _hushed() -> Iterator[None]:
    """Nothing is written to standard error. Ray's core writes there past Python, and if it ends while tasks run for
    whose results nobody waits any more, it now and then complains of each. (Calling them off is no way out: a task
    called off in the moment in which it is done makes Ray's core abort the whole process.)"""
    sys.stderr.flush()
    with os.fdopen(os.dup(2), "wb") as before, Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(before.fileno(), 2)


def _first_line(error: Exception) -> str:
    """Ray's own words, without the traceback that follows them."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def _check_reachable(address: str) -> None:
    host, _, port = address.rpartition(":")
    try:
        if not (host and port.isascii() and port.isdigit()):
            raise NoCluster(
                "", "“{address}” is not a Ray address: use host and port, such as 10.0.0.5:6379.",
                address=address,
            )  # fmt: skip
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_TIMEOUT).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise NoCluster("", "There is no Ray at {address}: {why}.", address=address, why=why) from error
