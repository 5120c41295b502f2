"""The streams of one table are drawn together: after one look at it, and in one thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, Protocol, TypeVar

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


Compress = Callable[[bytes, bool], bytes]
"""``compress(chunk, more)``: as it goes over the line; whether more will come."""


class RenderQueue:
    """Renders the streams of one table: those whose events are set at the same time in one thread, and after
    one look at the table."""

    def __init__(self) -> None:
        self._waiting: list[tuple[LivePage[Any], Compress, asyncio.Future[bytes]]] = []

    async def render(self, page: LivePage[Any], compress: Compress) -> bytes:
        """What is new, compressed; empty for nothing. Raises EndOfStream."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._begin, loop)  # after the others that are woken now
        rendered: asyncio.Future[bytes] = loop.create_future()
        self._waiting.append((page, compress, rendered))
        return await rendered

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting, self._waiting = self._waiting, []
        for first in range(0, len(waiting), _BATCH_SIZE):
            some = waiting[first : first + _BATCH_SIZE]
            rendering = loop.run_in_executor(
                _RENDER_POOL, _rendered, [(page, compress) for page, compress, _ in some]
            )
            rendering.add_done_callback(partial(_deliver, [rendered for *_, rendered in some]))


_BATCH_SIZE: Final = 8
"""How many streams are drawn at once: the first waits for the last."""

_RENDER_POOL: Final = ThreadPoolExecutor(1, thread_name_prefix="drawing")
"""One thread draws for all tables: the interpreter does one thing at a time anyway, and more of them would only keep
it from answering."""


def _rendered(pages: Sequence[tuple[LivePage[Any], Compress]]) -> list[bytes | Exception]:
    """What is new on each of some screens of a table, or why there will be nothing more."""
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


def _frame(page: LivePage[Seen], seen: Seen) -> bytes | Exception:
    try:
        return page.frame(seen)
    except Exception as error:  # noqa: BLE001 (whoever waits for it is told)
        return error


def _deliver(waiting: Sequence[asyncio.Future[bytes]], rendering: asyncio.Future[list[bytes | Exception]]) -> None:
    for rendered, frame in zip(waiting, rendering.result(), strict=True):
        if rendered.done():  # it was given up meanwhile
            continue
        if isinstance(frame, Exception):
            rendered.set_exception(frame)
        else:
            rendered.set_result(frame)
