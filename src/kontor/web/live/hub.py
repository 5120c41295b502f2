"""The open streams, and the events by which they hear of changes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Final

from kontor.web.addresses import network_of
from kontor.web.live.rendering import RenderQueue

MOST_STREAMS: Final = 2000
MOST_STREAMS_A_TABLE: Final = 200
MOST_STREAMS_AN_ADDRESS: Final = 300
"""A school behind one address fits; one who wants all chairs for themselves does not."""


class TooManyStreams(Exception):
    """There are too many streams."""


class ChangeEvent(asyncio.Event):
    """Set by changes. ``since`` is when the first of those happened that nobody has looked at yet. The streams of
    one table share a ``render_queue``."""

    def __init__(self, render_queue: RenderQueue) -> None:
        super().__init__()
        self.render_queue = render_queue
        self.since: float | None = None

    def set_at(self, at: float) -> None:
        """Notes when the change happened, and wakes the stream."""
        self.since = at if self.since is None else self.since
        self.set()

    def take(self) -> float | None:
        """Cleared again. Returns since when somebody has waited for what is shown now."""
        since, self.since = self.since, None
        self.clear()
        return since


class Hub:
    """The open streams by table."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._change_events: dict[str, set[ChangeEvent]] = {}
        self._count = 0
        self._by_address = Counter[str]()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.closing = False

    def changed(self, table: str) -> None:
        """A table has changed. May be called from any thread."""
        loop = self._loop
        # Most changes are at tables whose readers another process serves.
        if loop is not None and table in self._change_events:
            with suppress(RuntimeError):  # the loop has ended: nobody is listening any more
                loop.call_soon_threadsafe(self._notify, table, monotonic())

    def watched(self) -> tuple[str, ...]:
        """The tables that somebody looks at. May be called from any thread."""
        return tuple(self._change_events)

    def close(self) -> None:
        """Ends all streams. May be called from any thread."""
        self.closing = True
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._notify_all)

    def _notify_all(self) -> None:
        for change_events in self._change_events.values():
            for change_event in change_events:
                change_event.set()

    def _notify(self, table: str, at: float) -> None:
        for change_event in self._change_events.get(table, ()):
            change_event.set_at(at)

    @property
    def open(self) -> int:
        """How many streams are open."""
        return self._count

    @contextmanager
    def change_event(self, table: str, address: str) -> Iterator[ChangeEvent]:
        """An event that is set at every change of a table, for somebody at an address. Raises TooManyStreams."""
        self._loop = asyncio.get_running_loop()
        network = network_of(address)
        full = self._count >= self._most or self._by_address[network] >= MOST_STREAMS_AN_ADDRESS
        if full or len(self._change_events.get(table, ())) >= MOST_STREAMS_A_TABLE:
            raise TooManyStreams
        change_events = self._change_events.setdefault(table, set())
        change_event = ChangeEvent(next(iter(change_events)).render_queue if change_events else RenderQueue())
        change_events.add(change_event)
        self._count += 1
        self._by_address[network] += 1
        try:
            yield change_event
        finally:
            self._count -= 1
            self._by_address[network] -= 1
            if not self._by_address[network]:
                del self._by_address[network]
            change_events.discard(change_event)
            if not change_events:
                self._change_events.pop(table, None)
