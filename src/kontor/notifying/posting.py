"""Posting to strangers' addresses in separate processes that hold nothing worth stealing.

These processes do everything that a stranger can influence: they resolve names, check and connect to addresses, and
read certificates and responses. Such a process gets a post and answers with a status, in one line. It has no
database, no mail server and no key (a webhook is signed before). It writes no file and cannot gain rights. A process
that takes too long is killed. Each has only one post at a time, so killing it loses no other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import Final, Self

import msgspec

from kontor.game import Value
from kontor.notifying.public_https import Poster
from kontor.notifying.sending import Dead, Failed
from kontor.notifying.values import FailureReason
from kontor.thinking.messages import read, write
from kontor.work.piped_process import PipedProcess, module_command

COMMAND: Final = module_command("kontor.notifying.posting")

POST_TIMEOUT: Final = 20.0
"""Seconds for one post, including the start of a process. A process gives up by itself earlier, where it can."""

_KEPT: Final = 2
"""Idle processes that are kept for the next post."""

CHECK_TIMEOUT: Final = 5.0
"""Seconds for the check of an address: a person waits for it."""

_LONGEST: Final = 200
"""The most bytes of an answer that are read."""

_FINE: Final = 0
"""The status that answers a check."""

_PASSED_ON: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT")
"""Environment variables passed on: the trusted certificates, and one that Windows needs."""

_MOST_MEMORY: Final = 1 << 30
_MOST_FILES: Final = 64
_NOBODY: Final = 65534
_NO_NEW_RIGHTS: Final = 38
"""PR_SET_NO_NEW_PRIVS."""


class PostRequest(Value, frozen=True):
    """A post to be sent, or an address to be checked."""

    url: str
    body: bytes
    headers: dict[str, str]
    checks: bool = False
    """True if only the address is checked, and nothing posted."""


class PostAnswer(Value, frozen=True):
    """The answer of a process: a status, or why it has none."""

    status: int = _FINE
    failure: FailureReason | None = None
    detail: str = ""


class PostingProcesses:
    """Posts as a ``Poster`` does, from any thread, as long as a ``with`` block lasts."""

    def __init__(self, command: Sequence[str] | None = None, limit: float = POST_TIMEOUT) -> None:
        self._command = COMMAND if command is None else command
        self._limit = limit
        self._lock = Lock()
        self._idle: list[PipedProcess] = []
        self._busy: set[PipedProcess] = set()
        self._ended = False

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post, and return the status of the response. Raises Failed; Dead where nothing may be sent."""
        return self._ask(PostRequest(url, body, dict(headers)), self._limit)

    def check(self, url: str) -> None:
        """Raise Failed if the host name of a URL does not resolve, or not to public addresses alone."""
        self._ask(PostRequest(url, b"", {}, checks=True), min(self._limit, CHECK_TIMEOUT))

    def _ask(self, request: PostRequest, limit: float) -> int:
        process = self._take_process()
        line = b""
        try:
            with process.limited(limit):
                write(process.requests, request)
                line = process.answers.readline(_LONGEST)
        except OSError as error:
            raise Failed from error
        finally:
            self._give_back(process, line.endswith(b"\n"))
        return _status(line)

    def processes(self) -> tuple[int, ...]:
        """Return the ids of the running processes."""
        with self._lock:
            return tuple(process.pid for process in (*self._idle, *self._busy))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes; posts in progress are lost."""
        with self._lock:
            self._ended = True
            idle, self._idle = self._idle, []
            for process in self._busy:
                process.kill()  # the thread that waits for it stops waiting
        for process in idle:
            process.end()

    def _take_process(self) -> PipedProcess:
        with self._lock:
            if self._ended:
                raise Failed
            while self._idle:
                process = self._idle.pop()
                if process.is_running():
                    self._busy.add(process)
                    return process
                process.end()
            environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
            process = PipedProcess(self._command, environment, quiet=True)
            self._busy.add(process)
            return process

    def _give_back(self, process: PipedProcess, good: bool) -> None:
        with self._lock:
            self._busy.discard(process)
            if good and not self._ended and len(self._idle) < _KEPT:
                self._idle.append(process)
                return
        process.end()


def _status(line: bytes) -> int:
    """Return the status in the answer of a process. Raises Failed, Dead."""
    try:
        answer = msgspec.json.decode(line, type=PostAnswer)
    except msgspec.DecodeError as error:  # it was killed
        raise Failed("unreached", "timeout") from error
    if answer.failure == "gone":
        raise Dead(answer.detail)
    if answer.failure is not None:
        raise Failed(answer.failure, answer.detail)
    return answer.status


# --------------------------------------------------------------------------------------------------- in the process


def answer_posts(poster: Poster) -> None:
    """Answer requests until the input ends, which it also does when the parent process is killed."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    poster.tls()  # reads the certificates while files may still be read
    "kontor".encode("idna")
    drop_privileges()
    while (request := read(sys.stdin.buffer, PostRequest)) is not None:
        answers.write(msgspec.json.encode(_answer(poster, request)) + b"\n")
        answers.flush()


def _answer(poster: Poster, request: PostRequest) -> PostAnswer:
    try:
        if request.checks:
            poster.check(request.url)
            return PostAnswer()
        return PostAnswer(poster.post(request.url, request.body, request.headers))
    except Failed as failed:
        return PostAnswer(_FINE, failed.reason, failed.detail)


def drop_privileges() -> None:
    """Drop root, forbid file writes and core dumps, limit memory and open files, set no_new_privs.

    Does nothing on Windows.
    """
    if sys.platform == "win32":
        return
    import ctypes  # now: without root its file may be unreadable
    import resource

    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _MOST_FILES),
        (resource.RLIMIT_AS, _MOST_MEMORY),
    ):
        with suppress(ValueError, OSError):  # it was lower already, or this system has no such limit
            resource.setrlimit(limit, (most, most))
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_NO_NEW_RIGHTS, 1, 0, 0, 0)


if __name__ == "__main__":
    answer_posts(Poster())
