"""Rendering of streams: those of one table are rendered together, after one look at it, and in one thread.

Tables take turns, a few streams of each. At a table the people who sit there come first, so spectators never make
them wait long. Changes are rendered before the first frames of streams, so readers who reconnect delay no moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import thread_time
from typing import Any, Final, Protocol, TypeVar

from kontor.web.live.drawing import DrawingThread

Seen = TypeVar("Seen")


class LivePage(Protocol[Seen]):
    """The content of a stream. Worker threads call it, one at a time."""

    def look(self) -> Seen:
        """Return how the table stands now.

        One of the streams that are rendered together looks for all, so the result must not depend on this stream's
        reader. Raises EndOfStream.
        """

    def frame(self, seen: Seen) -> bytes:
        """Return what is new, as lines of an event stream; empty for nothing. Raises EndOfStream."""

    def left(self) -> float | None:
        """Return the seconds until somebody is late, as of the last frame.

        They are zero or less if somebody is late already, and None if time changes nothing. If time does matter, the
        stream looks now and then in any case, because clocks can jump.
        """


class EndOfStream(Exception):
    """The end of a stream: nothing more will be sent."""


Rendered = bytes | Exception
"""A frame, or the error that ends the stream."""

Compress = Callable[[bytes, bool], bytes]
"""``compress(chunk, more)``: the chunk as it is sent; ``more`` says whether others follow."""


Charge = Callable[[float], None]
"""Charges seconds of processor time to the reader who opened a stream."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A stream that waits for its next frame; ``charge`` is set if it begins, and charges its reader for that."""

    page: LivePage[Any]
    compress: Compress
    seated: bool
    rendered: asyncio.Future[bytes]
    charge: Charge | None = None

    @property
    def begins(self) -> bool:
        """Return True if the stream has shown nothing yet."""
        return self.charge is not None

    def fail(self, error: BaseException) -> None:
        """End the stream, unless it was given up meanwhile. The browser reconnects by itself."""
        if not self.rendered.done():
            self.rendered.set_exception(error)


class RenderQueue:
    """The queue of one table's streams that wait for a frame.

    Streams whose events are set at the same time are rendered in one thread, after one look at the table.
    """

    def __init__(self) -> None:
        self._waiting: dict[bool, list[_Waiting]] = {False: [], True: []}
        """Streams that go on (False), and those that begin (True)."""
        self._busy = {False: False, True: False}

    async def render(
        self, page: LivePage[Any], compress: Compress, *, seated: bool, charge: Charge | None = None
    ) -> bytes:
        """Return what is new, compressed; empty for nothing.

        ``charge`` is given for a stream that begins. Raises EndOfStream.
        """
        loop = asyncio.get_running_loop()
        waiting = _Waiting(page, compress, seated, loop.create_future(), charge)
        begins = waiting.begins
        self._waiting[begins].append(waiting)
        if not self._busy[begins]:
            self._busy[begins] = True
            loop.call_soon(self._next, loop, begins)  # after the other streams that wake now
        return await waiting.rendered

    def _next(self, loop: asyncio.AbstractEventLoop, begins: bool) -> None:
        """Render a batch of streams. The others wait until other tables have had their turn."""
        size = _BEGINNING_BATCH_SIZE if begins else _BATCH_SIZE
        waiting = sorted(self._waiting[begins], key=_seated_first)
        batch, self._waiting[begins] = waiting[:size], waiting[size:]
        self._busy[begins] = bool(batch)
        if not batch:
            return
        try:
            drawn = _DRAWING.submit(
                partial(_render_timed, [(waiting_stream.page, waiting_stream.compress) for waiting_stream in batch]),
                begins=begins,
            )
        except RuntimeError as error:  # no thread can be started, or the interpreter shuts down
            for waiting_stream in batch:
                waiting_stream.fail(error)
            loop.call_later(_RETRY, self._next, loop, begins)
        else:
            rendering = asyncio.wrap_future(drawn, loop=loop)
            rendering.add_done_callback(partial(self._deliver, loop, batch))

    def _deliver(
        self,
        loop: asyncio.AbstractEventLoop,
        batch: Sequence[_Waiting],
        rendering: asyncio.Future[tuple[list[Rendered], float]],
    ) -> None:
        """Give each stream its frame, or the error that ends it."""
        self._next(loop, batch[0].begins)
        failed = rendering.exception()
        frames, seconds = ([failed] * len(batch), 0.0) if failed else rendering.result()
        for waiting_stream, frame in zip(batch, frames, strict=True):
            if waiting_stream.charge is not None:
                waiting_stream.charge(seconds / len(batch))
            if isinstance(frame, BaseException):
                waiting_stream.fail(frame)
            elif not waiting_stream.rendered.done():  # it is done if the stream was given up meanwhile
                waiting_stream.rendered.set_result(frame)


def _seated_first(waiting: _Waiting) -> bool:
    return not waiting.seated


_RETRY: Final = 1.0
"""Seconds after which the waiting streams are rendered if no thread could be started."""

_BATCH_SIZE: Final = 8
"""Streams rendered in one job: the first waits for the last."""

_BEGINNING_BATCH_SIZE: Final = 2
"""Beginning streams rendered in one job: changes that happen meanwhile wait for them."""

_DRAWING: Final = DrawingThread()


def _render_timed(pages: Sequence[tuple[LivePage[Any], Compress]]) -> tuple[list[Rendered], float]:
    """Return the frame of each page, or the error that ends its stream; and the processor seconds used."""
    begun = thread_time()
    frames = _render_frames(pages)
    return frames, thread_time() - begun


def _render_frames(pages: Sequence[tuple[LivePage[Any], Compress]]) -> list[Rendered]:
    try:
        seen = pages[0][0].look()
    except Exception as error:  # noqa: BLE001 (it is raised for each stream)
        return [error] * len(pages)
    # All are rendered before any is compressed: both are faster on the processor if they do not alternate.
    frames = [_render_frame(page, seen) for page, _ in pages]
    return [
        compress(frame, True) if isinstance(frame, bytes) and frame else frame
        for frame, (_, compress) in zip(frames, pages, strict=True)
    ]


def _render_frame(page: LivePage[Seen], seen: Seen) -> Rendered:
    try:
        return page.frame(seen)
    except Exception as error:  # noqa: BLE001 (it is raised for the stream that waits)
        return error
