"""A thinker: a process that does tasks one after the other, until its input ends.

``python -m kontor.thinking.worker`` reads frames from its input, each a TaskRequest, and writes a TaskResult for each
to its output. A task that exceeds its limit of processor time ends the process (SIGXCPU). What it loads for one task
(weights, tables) it keeps for the next. It imports only what a task needs: no database, no server.
"""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module
from queue import SimpleQueue
from threading import Thread
from typing import IO, Final

from kontor.thinking.messages import TaskRequest, TaskResult, read, write
from kontor.work.failures import safe_traceback

if sys.platform != "win32":
    import resource

_NICE: Final = 10
"""Niceness of the process: people at the tables come first if there are too few cores."""


def main() -> None:
    """Answer requests until the input ends, which it also does when the server process is killed."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints of a computer player go to stderr, not among the answers
    if hasattr(os, "nice"):
        os.nice(_NICE)
    requests: SimpleQueue[TaskRequest] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    while True:
        request = requests.get()
        _limit_processor_time(request.processor_limit)
        write(answers, answer(request))


def _limit_processor_time(seconds: int) -> None:
    """Let the system end this process once it has used so many more seconds of processor time."""
    if sys.platform == "win32":  # it has no such limits
        return
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    limit = int(time.process_time()) + 1 + seconds  # the system counts whole seconds only
    if most != resource.RLIM_INFINITY:
        limit = min(limit, most)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, most))


def _listen(stream: IO[bytes], requests: SimpleQueue[TaskRequest]) -> None:
    """Queue the requests from a stream; when it ends, end this process at once, also in the middle of a task."""
    while (request := read(stream, TaskRequest)) is not None:
        requests.put(request)
    os._exit(0)


def answer(request: TaskRequest) -> TaskResult:
    """Call the function of a request; return what it gave, or the traceback of its failure."""
    module, _, name = request.work.partition(":")
    try:
        return TaskResult(getattr(import_module(module), name)(request.matter))
    except Exception as error:  # noqa: BLE001 (players may be third-party code, and the next task must go on)
        return TaskResult(None, safe_traceback(error))


if __name__ == "__main__":
    main()
