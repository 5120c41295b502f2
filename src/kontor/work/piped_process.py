"""Processes of this program that get work over a pipe and answer over another: started, limited in time, ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Timer
from typing import IO


def module_command(module: str) -> tuple[str, ...]:
    """Return the command that runs a module by this interpreter, which imports nothing of the current folder."""
    return sys.executable, "-P", "-m", module


class PipedProcess:
    """A process with a pipe for its input and one for its output. It finds the same modules as this one.

    It is in a process group of its own, since Ctrl-C is meant for this process alone. All methods can be called from
    any thread.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        own_session: bool = True,
        quiet: bool = False,
    ) -> None:
        """Start the process; ``quiet``: what it writes to its standard error is dropped. Raises OSError."""
        self._process = subprocess.Popen(  # noqa: S603 (it is this program)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=own_session,
            process_group=None if own_session else 0,
        )
        assert self._process.stdin
        assert self._process.stdout
        self.requests: IO[bytes] = self._process.stdin
        self.answers: IO[bytes] = self._process.stdout

    @property
    def pid(self) -> int:
        """Return the id of the process."""
        return self._process.pid

    def is_running(self) -> bool:
        """Return True unless the process has ended."""
        return self._process.poll() is None

    @contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Kill the process if the block takes longer: reading its answer then finds the end of the pipe."""
        overdue = Timer(seconds, self.kill)
        overdue.daemon = True
        overdue.start()
        try:
            yield
        finally:
            overdue.cancel()

    def kill(self) -> None:
        """Kill the process, in the middle of its work. A thread that waits for its answer goes on."""
        self._process.kill()

    def wait(self) -> int:
        """Close the input, and return the exit status once the process has ended by itself or was killed."""
        with suppress(OSError):  # what was not sent yet finds no reader
            self.requests.close()
        status = self._process.wait()
        self.answers.close()
        return status

    def end(self) -> None:
        """Kill the process, in the middle of its work, and wait for its end."""
        self.kill()
        self.wait()
