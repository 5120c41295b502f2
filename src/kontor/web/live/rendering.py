"""The streams of one table are drawn together: after one look at it, and in one thread. Tables take turns, a few
streams of each, and at a table whoever sits there comes first: however many look on, nobody waits long for it. What
has changed is drawn before what streams show when they begin: many that come back delay nobody's moves."""

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
    """What a stream shows. It is asked in worker threads, by one at a time."""

    def look(self) -> Seen:
        """How the table stands now. Of the streams that are drawn together one looks for all, so nothing may be in it
        that is of this stream's reader alone. Raises EndOfStream."""

    def frame(self, seen: Seen) -> bytes:
        """What is new since the last time, as lines of an event stream; empty for nothing. Raises EndOfStream."""

    def left(self) -> float | None:
        """In how many seconds somebody would be late by the last frame, none or fewer if they are; None where time
        changes nothing. Where it does, there is a look now and then in any case, for clocks can jump."""


class EndOfStream(Exception):
    """There is nothing more to tell."""


Rendered = bytes | Exception
"""A frame, or why there will be nothing more."""

Compress = Callable[[bytes, bool], bytes]
"""``compress(chunk, more)``: as it goes over the line; whether more will come."""


Charge = Callable[[float], None]
"""Charges seconds of the processor to whoever opened a stream."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A stream that wants to know what is new; if it begins, with whom is charged for that."""

    page: LivePage[Any]
    compress: Compress
    seated: bool
    rendered: asyncio.Future[bytes]
    charge: Charge | None = None

    @property
    def begins(self) -> bool:
        """Whether the stream has shown nothing yet."""
        return self.charge is not None

    def fail(self, error: BaseException) -> None:
        """End the stream, unless it was given up meanwhile. The browser comes back by itself."""
        if not self.rendered.done():
            self.rendered.set_exception(error)


class RenderQueue:
    """Renders the streams of one table: those whose events are set at the same time in one thread, and after
    one look at the table."""

    def __init__(self) -> None:
        self._waiting: dict[bool, list[_Waiting]] = {False: [], True: []}
        """Streams that go on, and those that begin."""
        self._busy = {False: False, True: False}

    async def render(
        self, page: LivePage[Any], compress: Compress, *, seated: bool, charge: Charge | None = None
    ) -> bytes:
        """What is new, compressed; empty for nothing. ``charge`` is given for a stream that begins. Raises
        EndOfStream."""
        loop = asyncio.get_running_loop()
        waiting = _Waiting(page, compress, seated, loop.create_future(), charge)
        begins = waiting.begins
        self._waiting[begins].append(waiting)
        if not self._busy[begins]:
            self._busy[begins] = True
            loop.call_soon(self._next, loop, begins)  # after the others that are woken now
        return await waiting.rendered

    def _next(self, loop: asyncio.AbstractEventLoop, begins: bool) -> None:
        """Renders some. The others wait until other tables had their turn."""
        size = _BEGINNING_BATCH_SIZE if begins else _BATCH_SIZE
        waiting = sorted(self._waiting[begins], key=_seated_first)
        some, self._waiting[begins] = waiting[:size], waiting[size:]
        self._busy[begins] = bool(some)
        if not some:
            return
        try:
            drawn = _DRAWING.submit(partial(_rendered, [(one.page, one.compress) for one in some]), begins=begins)
        except RuntimeError as error:  # no thread can be started, or the interpreter ends
            for one in some:
                one.fail(error)
            loop.call_later(_RETRY, self._next, loop, begins)
        else:
            rendering = asyncio.wrap_future(drawn, loop=loop)
            rendering.add_done_callback(partial(self._deliver, loop, some))

    def _deliver(
        self,
        loop: asyncio.AbstractEventLoop,
        some: Sequence[_Waiting],
        rendering: asyncio.Future[tuple[list[Rendered], float]],
    ) -> None:
        """Give each stream its frame, or the reason why there is none: each of them has an end."""
        self._next(loop, some[0].begins)
        failed = rendering.exception()
        frames, seconds = ([failed] * len(some), 0.0) if failed else rendering.result()
        for one, frame in zip(some, frames, strict=True):
            if one.charge is not None:
                one.charge(seconds / len(some))
            if isinstance(frame, BaseException):
                one.fail(frame)
            elif not one.rendered.done():  # it was given up meanwhile
                one.rendered.set_result(frame)


def _seated_first(waiting: _Waiting) -> bool:
    return not waiting.seated


_RETRY: Final = 1.0
"""Seconds after which the streams still waiting are drawn, where no thread could be started."""

_BATCH_SIZE: Final = 8
"""How many streams are drawn at once: the first waits for the last."""

_BEGINNING_BATCH_SIZE: Final = 2
"""How many streams that begin are drawn at once: what changes meanwhile waits for them."""

_DRAWING: Final = DrawingThread()


def _rendered(pages: Sequence[tuple[LivePage[Any], Compress]]) -> tuple[list[Rendered], float]:
    """What is new on each of some screens of a table, or why there will be nothing more; and the processor time."""
    begun = thread_time()
    frames = _frames(pages)
    return frames, thread_time() - begun


def _frames(pages: Sequence[tuple[LivePage[Any], Compress]]) -> list[Rendered]:
    try:
        seen = pages[0][0].look()
    except Exception as error:  # noqa: BLE001 (each of them is told)
        return [error] * len(pages)
    # All are drawn before any is compressed: for the processor both is quicker if it need not change between them.
    frames = [_frame(page, seen) for page, _ in pages]
    return [
        compress(frame, True) if isinstance(frame, bytes) and frame else frame
        for frame, (_, compress) in zip(frames, pages, strict=True)
    ]


def _frame(page: LivePage[Seen], seen: Seen) -> Rendered:
    try:
        return page.frame(seen)
    except Exception as error:  # noqa: BLE001 (whoever waits for it is told)
        return error
