"""A table as its clients know it: its seats, its watchers, the move under way, and the acknowledged moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from random import Random
from typing import Final

from bench.load.people import Guest, Unexpected
from bench.load.screens import Choice, Console, Nothing, Page, Screen
from bench.load.wire import Cut, Frame, Stream, Turned, open_stream

SEATS: Final = {"shanghaien": 2, "dutchman": 3}

_LIVE: Final = b'data-live="'
_COMES_BACK: Final = 1.0
"""Seconds after which a cut stream is requested again, as ``retry:`` tells browsers."""


@dataclass
class Log:
    """The clients' knowledge of a table's log. A move that was made for line n is line n + 1."""

    id: str
    acknowledged: list[int] = field(default_factory=list)
    unsure: list[int] = field(default_factory=list)
    """Moves that may have been made or not: the connection was cut before the response."""


@dataclass
class Move:
    """A move under way, made for the line ``number``."""

    number: int
    way: str
    at: float = 0.0
    answered: bool = False
    waiting: set[Watcher] = field(default_factory=set)


@dataclass(eq=False)
class Watcher:
    """A stream of a table, as a seat or (None) as a spectator."""

    guest: Guest
    seat: int | None
    screen: Screen
    table: Table
    stream: Stream | None = None
    live: str = ""
    left: bool = False

    async def begin(self) -> None:
        """Open the page, and the stream that belongs to it. Raises Unexpected, Turned, Cut."""
        if isinstance(self.screen, Page):
            page = await self.guest.page(f"/tables/{self.table.log.id}")
            at = page.body.find(_LIVE) + len(_LIVE)
            if page.status != 200 or at < len(_LIVE):
                raise Unexpected("the page of a table", page)
            self.live = unescape(page.body[at : page.body.index(b'"', at)].decode())
            self.screen.take(page.body)
            request = self.guest.browsing(self.live, "text/event-stream")
        else:
            request = self.guest.calling("GET", f"tables/{self.table.log.id}/stream", accept="text/event-stream")
        self.stream = await open_stream(self.guest.caller.address, request, self._take_frame, self._ended)

    def leave(self) -> None:
        """Close the stream."""
        self.left = True
        if self.stream is not None:
            self.stream.close()
            self.stream = None

    def _take_frame(self, frame: Frame) -> None:
        self.screen.take(frame.lines)
        self.table.take_frame(self, frame)

    def _ended(self) -> None:
        self.stream = None
        if not self.left:
            self.table.cut(self)


@dataclass(eq=False)
class Table:
    """A table that is being played. Its callbacks get each frame, and each stream that was cut."""

    game: str
    log: Log
    seats: tuple[Guest, ...]
    heard: Callable[[Table, Watcher, Frame], None]
    was_cut: Callable[[Watcher], None]
    watchers: list[Watcher] = field(default_factory=list)
    move: Move | None = None
    over: bool = False

    def take_frame(self, watcher: Watcher, frame: Frame) -> None:
        """Handle a frame that has arrived."""
        self.over = self.over or watcher.screen.over
        self.heard(self, watcher, frame)

    def cut(self, watcher: Watcher) -> None:
        """Handle a stream that ended without being closed by its client."""
        self.was_cut(watcher)

    @property
    def number(self) -> int:
        """Return the number of the last line that any watcher sees."""
        return max((watcher.screen.number for watcher in self.watchers), default=0)

    async def watch(self, browsers: int, programs: int, onlooker: Guest) -> None:
        """Open so many streams: first as the seats, then as an onlooker. Raises Unexpected, Turned, Cut."""
        for place in range(browsers + programs):
            guest = self.seats[place] if place < len(self.seats) else onlooker
            screen: Screen = Page(self.game) if place < browsers else Console(self.game)
            watcher = Watcher(guest, place if place < len(self.seats) else None, screen, self)
            self.watchers.append(watcher)
            await watcher.begin()

    def leave(self) -> None:
        """Close all streams."""
        for watcher in self.watchers:
            watcher.leave()
        self.watchers.clear()

    async def decide(self, random: Random) -> tuple[int, int, Choice]:
        """Return the seat to move, the line to move for, and a move; seats without a stream ask the server.

        Raises Nothing, Unexpected, Cut.
        """
        number = self.number
        for watcher in self.watchers:
            if watcher.seat is not None and watcher.screen.mine and watcher.screen.number == number:
                return watcher.seat, number, watcher.screen.choose(random)
        seen = {watcher.seat for watcher in self.watchers}
        for seat in [seat for seat in range(len(self.seats)) if seat not in seen]:
            console = Console(self.game)
            guest = self.seats[seat]
            answer = await guest.caller.ask(guest.calling("GET", f"tables/{self.log.id}/view"))
            if answer.status != 200:
                raise Unexpected("a view", answer)
            mover = console.look(answer.body)
            if mover == seat:
                return seat, console.number, console.choose(random)
            self.over = self.over or console.over
        raise Nothing


async def came_back(watcher: Watcher, still: Callable[[], bool]) -> None:
    """Open a cut stream again, as browsers do, until it succeeds or is no longer wanted."""
    while still() and not watcher.left:
        await asyncio.sleep(_COMES_BACK)
        try:
            await watcher.begin()
        except (Cut, Turned, Unexpected):
            continue
        return
