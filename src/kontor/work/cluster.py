"""Work shared among processes by Ray: on this machine, or on a cluster of several.

Results do not depend on the process that computes them, so they are those of a single process. A task whose process
or machine dies is repeated by another. Ray is imported only when it is needed: it is an extra.
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
"""Number of repetitions of a task whose process has died. A task that kills every process must not go on for ever."""

CONNECT_TIMEOUT: Final = 5.0
"""Seconds within which a cluster must answer; Ray itself would try for many minutes."""

_HERE: Final = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token"}
"""The environment of a Ray of our own. The first variable also works on Linux: without clusters all of Ray's ports
are on the loopback address alone. Ray sends no usage statistics, and other users of this machine need a token."""

_MISSING: Final = mark("Sharing work with Ray needs the package {package}, which is not installed: {command}")


class NoCluster(Refusal):
    """The reason why Ray can't be reached or used."""


class ClusterLost(Refusal):
    """The loss of Ray, or work that its machines can't do."""


class RayExecutor:
    """The machines of a Ray that is open (:func:`opened`)."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def map(self, function: Callable[[Task], Done], tasks: Iterable[Task], /) -> Iterator[Done]:
        """Yield ``function(task)`` for each task, in their order; ``function`` belongs to a module of Kontor.

        Raises ClusterLost, and what ``function`` raises.
        """
        import ray
        from ray.exceptions import RayError, RayTaskError

        do: Any = ray.remote(max_retries=MAX_RETRIES)(_do)
        ask = partial(do.remote, installed_version(), function)
        answer: Callable[[Any], Done] = ray.get
        try:
            yield from in_order(ask, answer, tasks, self.processes)
        except RayError as error:
            cause = error.cause if isinstance(error, RayTaskError) else error
            if not isinstance(cause, RayError):  # raised by the work itself
                raise cause from error
            raise ClusterLost("", "Ray has given up: {why}", why=_first_line(cause)) from error


def _do(kontor: str, function: Callable[[Task], Done], task: Task) -> Done:
    """Return the result of a task, on one of the machines. Raises ClusterLost if it has another version of Kontor."""
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
    """Open Ray at an address (``10.0.0.5:6379``), with all its cores; or, without an address, a Ray of our own.

    That one has ``jobs`` processes on this machine, and listens on 127.0.0.1 alone if ``ray`` was not imported
    before. Raises NoCluster, MissingExtra.
    """
    if address:
        _check_reachable(address)
        where: dict[str, Any] = {"address": address}
    else:
        if "ray" not in sys.modules:  # Ray reads some at import: setting the rest later would make it inconsistent
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
        with _silence_stderr():
            ray.shutdown()


@contextmanager
def _silence_stderr() -> Iterator[None]:
    """Discard all output to standard error while the block lasts.

    Ray's core writes there directly, not through Python. If it ends while tasks run whose results are not needed any
    more, it now and then complains of each. (Cancelling them does not help: a task cancelled at the moment of its end
    makes Ray's core abort the whole process.)
    """
    sys.stderr.flush()
    with os.fdopen(os.dup(2), "wb") as before, Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(before.fileno(), 2)


def _first_line(error: Exception) -> str:
    """Return Ray's own message, without the traceback that follows it."""
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
