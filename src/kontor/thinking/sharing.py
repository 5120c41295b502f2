"""Thinkers that several processes share: one has them, the others ask it by a socket.

Whoever asks has a :class:`Borrowed`, which is asked as thinkers are; whoever has the thinkers runs :func:`lend` for
each of the others. What one who has gone had asked is forgotten. When the thinkers have gone, nothing more can be
asked, and what was not answered is left open until whoever asked it stops: it must not believe that nobody knew.
"""

from __future__ import annotations

import socket
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from itertools import count
from threading import Lock, Thread
from types import TracebackType
from typing import IO, Self

from kontor.game import Value
from kontor.thinking.frames import Question, read, write
from kontor.thinking.thinkers import NoAnswer, Thinkers, Work, question


class Asked(Value, frozen=True):
    """A question under a number; none: the question of that number needs no answer any more."""

    number: int
    question: Question | None
    patient: bool = False


class Answered(Value, frozen=True):
    """What was found; or None, and why."""

    number: int
    given: bytes | None
    failure: str = ""


class Borrowed:
    """Thinkers that another process has."""

    def __init__(self, line: socket.socket) -> None:
        """``line`` leads to where :func:`lend` runs."""
        self._socket = line
        self._questions, self._answers = line.makefile("wb"), line.makefile("rb")
        self._numbers = count()
        self._waiting: dict[int, Future[bytes]] = {}
        self._lock = Lock()
        self._gone = False
        self._thread = Thread(target=self._listen, name="borrowed thinkers", daemon=True)
        self._thread.start()

    def submit(self, work: Work, matter: bytes, *, patient: bool = False) -> Future[bytes]:
        """What ``work(matter)`` gives, sooner or later; or NoAnswer. As with Thinkers."""
        future = Future[bytes]()
        with self._lock:
            if self._gone:
                raise NoAnswer("the thinkers are gone")
            number = next(self._numbers)
            self._waiting[number] = future
            with suppress(OSError):  # the listening thread finds out, too
                write(self._questions, Asked(number, question(work, matter), patient))
        future.add_done_callback(partial(self._done, number))
        return future

    def stop(self) -> None:
        """Whatever was not answered never will be."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        for future in tuple(self._waiting.values()):
            future.cancel()
        for stream in (self._questions, self._answers, self._socket):
            with suppress(OSError):
                stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _listen(self) -> None:
        with suppress(OSError):
            while (answer := read(self._answers, Answered)) is not None:
                future = self._waiting.get(answer.number)
                if future is not None and future.set_running_or_notify_cancel():
                    _settle(future, answer)
        with self._lock:
            self._gone = True

    def _done(self, number: int, future: Future[bytes]) -> None:
        """Answered, or not wanted any more; the latter is told."""
        with self._lock:
            self._waiting.pop(number, None)
            if future.cancelled() and not self._gone:
                with suppress(OSError):
                    write(self._questions, Asked(number, None))


def _settle(future: Future[bytes], answer: Answered) -> None:
    if answer.given is None:
        future.set_exception(NoAnswer(answer.failure))
    else:
        future.set_result(answer.given)


def lend(thinkers: Thinkers, line: socket.socket) -> None:
    """Lets whoever is at the other end of the line ask the thinkers, until they go. Closes the line."""
    waiting: dict[int, Future[bytes]] = {}
    lock = Lock()
    # At the end there may be an answer left that nobody takes any more.
    with suppress(OSError), line, line.makefile("rb") as questions, line.makefile("wb") as answers:
        with suppress(OSError, NoAnswer):
            while (asked := read(questions, Asked)) is not None:
                if asked.question is None:
                    future = waiting.pop(asked.number, None)
                    if future is not None:
                        future.cancel()
                else:
                    future = waiting[asked.number] = thinkers.put(asked.question, patient=asked.patient)
                    future.add_done_callback(partial(_tell, answers, lock, asked.number, waiting))
        for future in tuple(waiting.values()):
            future.cancel()
        with lock:
            waiting.clear()


def _tell(
    answers: IO[bytes], lock: Lock, number: int, waiting: dict[int, Future[bytes]], future: Future[bytes]
) -> None:
    try:
        answer = Answered(number, future.result())
    except (NoAnswer, CancelledError) as failed:
        answer = Answered(number, None, str(failed))
    with lock:
        # Whoever does not wait any more has taken it back, or has gone.
        if waiting.pop(number, None) is not None:
            with suppress(OSError):
                write(answers, answer)
