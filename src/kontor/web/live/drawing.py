"""The thread that draws for all streams: what has changed goes before what streams show first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Condition
from time import monotonic
from typing import Any, Generic, TypeVar

from kontor.web.moves_first import MOVED_LATELY, RESTS

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class _DrawingJob(Generic[Answer]):
    """Something to be drawn."""

    draw: Callable[[], Answer]
    drawn: Future[Answer] = field(default_factory=Future)

    def run(self) -> None:
        """Draw it."""
        try:
            answer = self.draw()
        except BaseException as error:  # noqa: BLE001 (it is raised where the result is asked for)
            self.drawn.set_exception(error)
        else:
            self.drawn.set_result(answer)


class DrawingThread:
    """One thread for all tables: the interpreter does one thing at a time anyway, and more of them would only keep it
    from answering."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="drawing")
        self._condition = Condition()
        self._changes = deque[_DrawingJob[Any]]()
        self._beginnings = deque[_DrawingJob[Any]]()
        self._changed = -MOVED_LATELY

    def submit(self, draw: Callable[[], Answer], *, begins: bool) -> Future[Answer]:
        """Draw what has changed, or what streams show when they begin. Raises RuntimeError where there is no
        thread."""
        job: _DrawingJob[Any] = _DrawingJob(draw)
        jobs = self._beginnings if begins else self._changes
        with self._condition:
            self._thread.submit(self._draw_next)  # it waits until the job is there
            jobs.append(job)
            self._condition.notify()
        return job.drawn

    def _draw_next(self) -> None:
        """Draw the next job, if it is not drawn yet."""
        with self._condition:
            change = self._changes.popleft() if self._changes else None
            beginning = self._beginnings.popleft() if change is None and self._beginnings else None
        if change is not None:
            change.run()
            self._changed = monotonic()
        elif beginning is not None:
            begun = monotonic()
            beginning.run()
            now = monotonic()
            if now - self._changed < MOVED_LATELY:
                self._draw_changes(now + RESTS * (now - begun))

    def _draw_changes(self, until: float) -> None:
        """Draw changes alone, until a time."""
        while (left := until - monotonic()) > 0:
            with self._condition:
                if not self._condition.wait_for(lambda: self._changes, left):
                    return
                change = self._changes.popleft()
            change.run()
            self._changed = monotonic()
