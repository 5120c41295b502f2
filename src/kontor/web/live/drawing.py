"""The thread that renders for all streams: changes go before the first frames of streams."""

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
    """A call that renders something, and the future for its result."""

    draw: Callable[[], Answer]
    drawn: Future[Answer] = field(default_factory=Future)

    def run(self) -> None:
        """Render, and set the result or the error."""
        try:
            answer = self.draw()
        except BaseException as error:  # noqa: BLE001 (it is raised where the result is awaited)
            self.drawn.set_exception(error)
        else:
            self.drawn.set_result(answer)


class DrawingThread:
    """The one thread that renders for all tables.

    The interpreter runs one thread at a time anyway, and more of them would only keep it from responding.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="drawing")
        self._condition = Condition()
        self._changes = deque[_DrawingJob[Any]]()
        self._beginnings = deque[_DrawingJob[Any]]()
        self._changed = -MOVED_LATELY

    def submit(self, draw: Callable[[], Answer], *, begins: bool) -> Future[Answer]:
        """Queue a rendering job; return its future. ``begins`` says that a stream begins with it.

        Raises RuntimeError if no thread can be started.
        """
        job: _DrawingJob[Any] = _DrawingJob(draw)
        jobs = self._beginnings if begins else self._changes
        with self._condition:
            self._thread.submit(self._draw_next)  # it waits for the condition until the job is queued
            jobs.append(job)
            self._condition.notify()
        return job.drawn

    def _draw_next(self) -> None:
        """Render the next job, unless ``_draw_changes`` has done so already."""
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
        """Render only changes, until a time on the monotonic clock."""
        while (left := until - monotonic()) > 0:
            with self._condition:
                if not self._condition.wait_for(lambda: self._changes, left):
                    return
                change = self._changes.popleft()
            change.run()
            self._changed = monotonic()
