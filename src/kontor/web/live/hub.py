"""The open streams, and the events that tell them of changes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Final

from kontor.web.addresses import ClientNetwork, networks_of
from kontor.web.live.rendering import RenderQueue

MOST_STREAMS: Final = 2000
MOST_STREAMS_A_TABLE: Final = 200
MOST_STREAMS_AN_ADDRESS: Final = 300
"""Enough for a school behind one address, too few for one person to take all streams. A network may have as many
times more as it is larger. It may have at most half of all, or as many as an address if that is more."""

MOST_WATCHING: Final = 10
"""Maximum number of streams of one table for an address, of people who do not sit there; for a network, as many times
more."""

LOOKING_ON_DELAY: Final = 2.0
"""Seconds after which a table learns that spectators have come or gone."""

MOST_WINDOWS: Final = 10
"""Maximum number of streams of one table for a person who sits there."""


class TooManyStreams(Exception):
    """A refusal of one more stream, because too many are open."""


class ChangeEvent(asyncio.Event):
    """An asyncio event that is set when the table changes.

    ``since`` is when the first change happened that the stream has not rendered yet. The streams of one table share a
    ``render_queue``. ``sitter`` is the person, if they sit at the table, and ``by_program`` says whether a program
    reads the stream for them. ``ended`` says that the stream must end, to make room for another.
    """

    def __init__(
        self, render_queue: RenderQueue, networks: Sequence[ClientNetwork], sitter: str | None, by_program: bool
    ) -> None:
        super().__init__()
        self.render_queue = render_queue
        self.networks = networks
        self.sitter = sitter
        self.by_program = by_program
        self.since: float | None = None
        self.ended = False

    def end(self) -> None:
        """Wake the stream and let it end."""
        self.ended = True
        self.set()

    def set_at(self, at: float) -> None:
        """Note when the change happened, and wake the stream."""
        self.since = at if self.since is None else self.since
        self.set()

    def reset(self) -> float | None:
        """Clear the event; return when the first change that is not yet shown happened."""
        since, self.since = self.since, None
        self.clear()
        return since


class Hub:
    """The open streams by table."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._change_events: dict[str, dict[ChangeEvent, None]] = {}
        """The events of each table, in the order in which they were opened."""
        self._count = 0
        self._coming: set[str] = set()
        """Tables whose update of the number of spectators is scheduled."""
        self._by_network = Counter[ClientNetwork]()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.closing = False

    def changed(self, table: str) -> None:
        """Wake the streams of a table that has changed. Can be called from any thread."""
        loop = self._loop
        # Most changes are at tables whose streams belong to another process.
        if loop is not None and table in self._change_events:
            with suppress(RuntimeError):  # the loop has ended, and the streams with it
                loop.call_soon_threadsafe(self._notify, table, monotonic())

    def watched(self) -> tuple[str, ...]:
        """Return the tables that have open streams. Can be called from any thread."""
        return tuple(self._change_events)

    def present(self) -> set[tuple[str, str]]:
        """Return pairs of a table and a person who sits there and has it open in a browser.

        Can be called from any thread.
        """
        events_by_table = tuple(self._change_events.items())
        return {
            (table, event.sitter)
            for table, events in events_by_table
            for event in tuple(events)
            if event.sitter is not None and not event.by_program
        }

    def looking_on(self, table: str) -> int:
        """Return the number of streams of the table without a seat there. Can be called from any thread."""
        return len(_spectators(tuple(self._change_events.get(table, ()))))

    def _schedule_spectator_count(self, table: str) -> None:
        """Schedule an update of the number of spectators, one for all who come or go at about the same time."""
        if self._loop is not None and table not in self._coming:
            self._coming.add(table)
            self._loop.call_later(LOOKING_ON_DELAY, self._update_spectator_count, table)

    def _update_spectator_count(self, table: str) -> None:
        self._coming.discard(table)
        self._notify(table, monotonic())

    def close(self) -> None:
        """End all streams. Can be called from any thread."""
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
        """Return the number of open streams."""
        return self._count

    @contextmanager
    def change_event(
        self, table: str, address: str, sitter: str | None, *, by_program: bool = False
    ) -> Iterator[ChangeEvent]:
        """Yield an event that is set at every change of a table, for a reader at an address.

        A person who sits at the table (``sitter``) always gets one, if need be in place of a spectator's stream or of
        their own oldest one. Raises TooManyStreams.
        """
        self._loop = asyncio.get_running_loop()
        networks = networks_of(address)
        change_events = self._change_events.setdefault(table, {})
        try:
            if sitter is None:
                self._check_room(change_events, networks)
            else:
                self._make_room(change_events, sitter)
            queue = next(iter(change_events)).render_queue if change_events else RenderQueue()
            change_event = ChangeEvent(queue, networks, sitter, by_program)
            change_events[change_event] = None
            self._count += 1
            self._by_network.update(networks)
            if sitter is None:
                self._schedule_spectator_count(table)
            try:
                yield change_event
            finally:
                if sitter is None:
                    self._schedule_spectator_count(table)
                self._count -= 1
                self._by_network.subtract(networks)
                for network in networks:
                    if not self._by_network[network]:
                        del self._by_network[network]
                del change_events[change_event]
        finally:
            if not change_events:
                self._change_events.pop(table, None)

    def _check_room(self, change_events: Mapping[ChangeEvent, None], networks: Sequence[ClientNetwork]) -> None:
        """Raise TooManyStreams unless there is room for one more spectator."""
        if self._count >= self._most or len(change_events) >= MOST_STREAMS_A_TABLE:
            raise TooManyStreams
        for network in networks:
            most = network.share(self._most, MOST_STREAMS_AN_ADDRESS)
            watching = sum(event.sitter is None and network in event.networks for event in change_events)
            if self._by_network[network] >= most or watching >= MOST_WATCHING * network.size:
                raise TooManyStreams

    def _make_room(self, change_events: Mapping[ChangeEvent, None], sitter: str) -> None:
        """Make room for one more stream of a person who sits at the table; such a person is never refused."""
        own = [event for event in change_events if event.sitter == sitter and not event.ended]
        leaving: Sequence[ChangeEvent] = ()
        if len(own) >= MOST_WINDOWS:
            leaving = own[:1]
        elif len(change_events) >= MOST_STREAMS_A_TABLE or self._count >= self._most:
            everywhere = (event for events in self._change_events.values() for event in events)
            leaving = _spectators(change_events)[-1:] or _spectators(everywhere)[-1:] or own[:1]
        for event in leaving:
            event.end()


def _spectators(change_events: Iterable[ChangeEvent]) -> list[ChangeEvent]:
    """Return the streams of people without a seat there, in the order in which they were opened."""
    return [event for event in change_events if event.sitter is None and not event.ended]
