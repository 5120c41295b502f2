"""A driver that opens, watches and plays tables at a given rate, and counts everything that happens.

Moves come like those of people who know nothing of each other. The times between them are random (exponential), and
the table is drawn among those where nobody waits for an earlier move. Moves do not wait for those of other tables: if
a server stands still for a second, it is late for all moves that were due then.
"""

from __future__ import annotations

import asyncio
from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from os import getloadavg
from random import Random
from time import perf_counter
from typing import Any, Final

import msgspec

from bench.load.people import Guest, ServerAddress, Unexpected
from bench.load.processes import Server, Spent
from bench.load.screens import Nothing
from bench.load.tables import SEATS, Log, Move, Table, Watcher, came_back
from bench.load.wire import Caller, Cut, Frame, Turned

MOST_HOUSEHOLDS: Final = 250
"""Tables up to which each has a household of its own; with more, a household of two or three sits at many."""

_MOST_TABLES_EACH: Final = 20
"""Tables of a household at most: each guest may open twelve tables at once."""

_AT_ONCE: Final = 4
"""Tables that are opened at the same time."""

_SHOWN_WITHIN: Final = 10.0
"""Seconds that a stream has to show a move; after them it counts as not shown."""

_PAUSE: Final = 1.0
"""Seconds that a table rests after a refusal."""

_SAMPLES: Final = 20


@dataclass(frozen=True)
class Crowd:
    """The clients' behaviour: share of Shanghaien tables, streams of each table, share of moves by the API."""

    shanghaien: float = 0.8
    browsers: int = 2
    programs: int = 0
    by_api: float = 0.5
    most_streams: int = 2000


@dataclass
class Counts:
    """The counts and times of one measurement. Times are in seconds."""

    shown: dict[str, array[float]] = field(default_factory=dict)
    """Times from sending a move until a stream had shown it, by the way in which it was sent."""
    answered: dict[str, array[float]] = field(default_factory=dict)
    wire: array[int] = field(default_factory=lambda: array("L"))
    """Bytes of each frame on the wire."""
    plain: int = 0
    """Bytes of all frames, unpacked."""
    events: Counter[str] = field(default_factory=Counter)
    """Number of each event: ``sent``, ``acknowledged``, ``refused 409 by browser`` …"""

    def note(self, times: dict[str, array[float]], way: str, seconds: float) -> None:
        """Add a time."""
        times.setdefault(way, array("d")).append(seconds)


@dataclass(frozen=True)
class Period:
    """A stretch of load: its events, and its cost. Times in seconds, memory in bytes."""

    rate: float
    seconds: float
    counts: Counts
    spent: Spent
    load_average: float
    """The machine's load average of the last minute: how many processes ran or waited to run."""
    resident: tuple[int, ...]
    """The server's memory (RSS) at regular times, from the beginning to the end."""


class Driver:
    """All clients of one server."""

    def __init__(self, service: ServerAddress, server: Server, crowd: Crowd, random: Random) -> None:
        self._service = service
        self._server = server
        self._crowd = crowd
        self._random = random
        self._households: dict[int, list[Guest]] = {}
        self._ready: list[Table] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._returning: set[asyncio.Task[None]] = set()
        self._streams = 0
        self._ending = False
        self._failed: list[BaseException] = []
        self.tables: list[Table] = []
        self.logs: list[tuple[Log, Guest]] = []
        self.counts = Counts()

    # ------------------------------------------------------------------------------------------------- opening

    async def welcome(self, tables: int) -> None:
        """Register all guests who are needed for so many tables."""
        number = max(min(tables, MOST_HOUSEHOLDS), -(-tables // _MOST_TABLES_EACH))
        limit = asyncio.Semaphore(_AT_ONCE)

        async def come(household: int) -> None:
            async with limit:
                self._households[household] = await self._household(household)

        await asyncio.gather(*(come(household) for household in range(len(self._households), number)))

    async def _household(self, number: int) -> list[Guest]:
        caller = Caller(self._service.from_household(number))
        guests = [Guest(caller, f"Guest {number}-{place}") for place in range(max(SEATS.values()))]
        for place, guest in enumerate(guests):
            await (guest.come_in() if place < max(2, self._crowd.browsers) else guest.register())
        return guests

    async def open(self, tables: int) -> None:
        """Open tables until there are so many, the games mixed evenly."""
        limit = asyncio.Semaphore(_AT_ONCE)

        async def sit_down(number: int) -> None:
            async with limit:
                self.tables.append(await self._open_table(number))

        await asyncio.gather(*(sit_down(number) for number in range(len(self.tables), tables)))

    def _game(self, number: int) -> str:
        """Return the game of a table.

        Among any number of first tables, about the wished share is Shanghaien.
        """
        share = self._crowd.shanghaien
        return "shanghaien" if int((number + 1) * share + 0.5) > int(number * share + 0.5) else "dutchman"

    async def _open_table(self, number: int) -> Table:
        household = number % len(self._households)
        guests = self._households[household]
        game = self._game(number)
        turned = number // len(self._households) % 2
        seats = ((guests[0], guests[1], guests[2]), (guests[1], guests[0], guests[2]))[turned][: SEATS[game]]
        options = {"players": SEATS[game]} if game == "dutchman" else {}
        chairs = [{"kind": "me"}, *[{"kind": "open"}] * (len(seats) - 1)]
        made = await seats[0].api("POST", "tables", {"game": game, "seats": chairs, "options": options})
        for seat, guest in enumerate(seats[1:], 1):
            await guest.api("POST", f"tables/{made['table']}/seats/{seat}", {})
        return Table(game, self._log(made["table"], seats[0]), seats, self._take_frame, self._was_cut)

    def _log(self, table: str, guest: Guest) -> Log:
        log = Log(table)
        self.logs.append((log, guest))
        return log

    async def watch(self) -> None:
        """Open the streams of all tables that have none yet, up to the limit."""
        limit = asyncio.Semaphore(_AT_ONCE)

        async def look(table: Table) -> None:
            async with limit:
                await self._watch(table)

        wanted = []
        each = self._crowd.browsers + self._crowd.programs
        for table in self.tables:
            if not table.watchers and self._streams + each <= self._crowd.most_streams:
                self._streams += each
                wanted.append(table)
        await asyncio.gather(*map(look, wanted))
        self._ready = [table for table in self.tables if table.move is None]

    async def _watch(self, table: Table) -> None:
        onlooker = Guest(table.seats[0].caller, "")
        await table.watch(self._crowd.browsers, self._crowd.programs, onlooker)

    @property
    def streams(self) -> int:
        """Return how many streams are open."""
        return sum(watcher.stream is not None for table in self.tables for watcher in table.watchers)

    def close(self) -> None:
        """Close all streams and connections."""
        self._ending = True
        for table in self.tables:
            table.leave()
        self.rest()

    def rest(self) -> None:
        """Close kept connections; they are opened again when needed."""
        for household in self._households.values():
            for guest in household:
                guest.caller.close()

    # ------------------------------------------------------------------------------------------------- playing

    async def drive(self, rate: float, seconds: float) -> Period:
        """Send ``rate`` moves a second for so many seconds; return what happened and what it cost."""
        self.counts = Counts()
        began, spent = perf_counter(), self._server.spent()
        resident = [self._server.resident()]
        until, due, sample = began + seconds, began, began
        while (due := due + self._random.expovariate(rate)) < until:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            self._begin_move()
            if due > sample + seconds / _SAMPLES:
                sample = due
                resident.append(self._server.resident())
        await asyncio.sleep(max(0.0, until - perf_counter()))
        took, spent = perf_counter() - began, self._server.spent().since(spent)
        load_average = getloadavg()[0]
        resident.append(self._server.resident())
        await self._wait_for_moves()
        if self._failed:
            raise self._failed[0]
        return Period(rate, took, self.counts, spent, load_average, tuple(resident))

    async def _wait_for_moves(self) -> None:
        """Wait for the moves under way, and until streams have shown them."""
        while self._tasks:
            await asyncio.wait(self._tasks)
        until = perf_counter() + _SHOWN_WITHIN + 1
        while perf_counter() < until and any(table.move for table in self.tables):
            await asyncio.sleep(0.05)

    def _begin_move(self) -> None:
        """Begin a move at a random ready table; count it as withheld if all tables wait."""
        if not self._ready:
            self.counts.events["withheld: every table waited"] += 1
            return
        place = self._random.randrange(len(self._ready))
        self._ready[place], self._ready[-1] = self._ready[-1], self._ready[place]
        self._do(self._play(self._ready.pop()))

    def _do(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget_task)

    def _forget_task(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failed := task.exception()):
            self._failed.append(failed)

    async def _play(self, table: Table) -> None:
        try:
            seat, number, choice = await table.decide(self._random)
        except Nothing:
            self._ready_later(table, "nobody to move" if not table.over else "")
            return
        except (Cut, Unexpected) as error:
            self._ready_later(table, f"no view: {_why(error)}")
            return
        guest = table.seats[seat]
        if choice.fields and self._random.random() >= self._crowd.by_api:
            way = "browser"
            fields = {"number": str(number), "as": str(seat), "token": guest.form_token, **choice.fields}
            request = guest.submitting(
                f"/tables/{table.log.id}/moves", fields, "HX-Request: true\r\nX-Kontor-Live: yes\r\n"
            )
        else:
            way = "API"
            body = b'{"number":%d,"seat":%d,"move":%s}' % (number, seat, choice.move)
            request = guest.calling("POST", f"tables/{table.log.id}/moves", body)
        move = Move(number, way, waiting={watcher for watcher in table.watchers if watcher.stream})
        table.move = move
        self.counts.events["sent"] += 1
        move.at = perf_counter()
        try:
            answer = await guest.caller.ask(request)
        except Cut:
            table.log.unsure.append(number + 1)
            table.move = None
            self._ready_later(table, f"cut by {way}")
            return
        if answer.status not in (200, 201, 204):
            table.move = None
            self._ready_later(table, f"refused {answer.status} by {way}")
            return
        self.counts.note(self.counts.answered, way, perf_counter() - move.at)
        self.counts.events["acknowledged"] += 1
        table.log.acknowledged.append(number + 1)
        move.answered = True
        asyncio.get_running_loop().call_later(_SHOWN_WITHIN, self._give_up_waiting, table, move)
        self._perhaps_done(table, move)

    def _ready_later(self, table: Table, why: str) -> None:
        if why:
            self.counts.events[why] += 1
        asyncio.get_running_loop().call_later(_PAUSE, self._next, table)

    def _take_frame(self, table: Table, watcher: Watcher, frame: Frame) -> None:
        self.counts.wire.append(frame.wire)
        self.counts.plain += len(frame.lines)
        move = table.move
        if move is not None and watcher in move.waiting and watcher.screen.number > move.number:
            move.waiting.discard(watcher)
            self.counts.note(self.counts.shown, move.way, frame.at - move.at)
            self._perhaps_done(table, move)

    def _was_cut(self, watcher: Watcher) -> None:
        self.counts.events["stream cut"] += 1
        table = watcher.table
        if table.move is not None:
            table.move.waiting.discard(watcher)
            self._perhaps_done(table, table.move)
        if not self._ending:
            task = asyncio.get_running_loop().create_task(came_back(watcher, lambda: not self._ending))
            self._returning.add(task)
            task.add_done_callback(self._returning.discard)

    def _give_up_waiting(self, table: Table, move: Move) -> None:
        if table.move is move:
            self.counts.events["not shown"] += len(move.waiting)
            move.waiting.clear()
            self._perhaps_done(table, move)

    def _perhaps_done(self, table: Table, move: Move) -> None:
        if move.answered and not move.waiting:
            table.move = None
            self._next(table)

    def _next(self, table: Table) -> None:
        """Make the table ready for its next move, or begin its next game."""
        if self._ending:
            return
        if table.over:
            self._do(self._rematch(table))
        else:
            self._ready.append(table)

    async def _rematch(self, table: Table) -> None:
        """Open a rematch with the same people and new streams."""
        try:
            made = [await guest.api("POST", f"tables/{table.log.id}/rematch", {}) for guest in table.seats]
            watched = bool(table.watchers)
            table.leave()
            table.log = self._log(made[0]["table"], table.seats[0])
            table.over = False
            if watched:
                await self._watch(table)
        except (Cut, Turned, Unexpected) as error:
            self.counts.events[f"table given up: {_why(error)}"] += 1
            table.leave()
            return
        self.counts.events["game over, and a new one"] += 1
        self._ready.append(table)

    # ------------------------------------------------------------------------------------------------ checking

    async def check(self) -> Checked:
        """Compare the log of every table with what was acknowledged."""
        limit = asyncio.Semaphore(_AT_ONCE)

        async def compare(log: Log, guest: Guest) -> Checked:
            async with limit:
                return compared(log, [line async for line in _lines(log.id, guest)])

        return summed(await asyncio.gather(*(compare(log, guest) for log, guest in self.logs)))


class Checked(msgspec.Struct, frozen=True):
    """The result of comparing logs with what was acknowledged.

    ``lost`` moves were acknowledged and are missing; ``doubled`` ones are there more than once; nobody sent the
    ``unasked``. Of the ``unsure`` the clients do not know whether they were made.
    """

    tables: int
    acknowledged: int
    lost: int
    doubled: int
    unasked: int
    unsure: int
    unsure_there: int

    @property
    def well(self) -> bool:
        """Return whether nothing is lost, doubled or unasked."""
        return not (self.lost or self.doubled or self.unasked)


class _Actor(msgspec.Struct):
    seat: int


class _Line(msgspec.Struct):
    number: int
    event: _Actor


_AT_A_TIME: Final = 1000


async def _lines(table: str, guest: Guest) -> Any:
    """Yield the lines of a table's log, as the API lists them. Raises Unexpected, Cut."""
    since = 0
    while True:
        path = f"tables/{table}/events?since={since}&limit={_AT_A_TIME}"
        answer = await guest.caller.ask(guest.calling("GET", path))
        if answer.status != 200:
            raise Unexpected("the log of a table", answer)
        lines = msgspec.json.decode(answer.body, type=list[_Line])
        for line in lines:
            yield line
        if len(lines) < _AT_A_TIME:
            return
        since = lines[-1].number


def compared(log: Log, lines: Iterable[_Line]) -> Checked:
    """Compare one log with what was acknowledged. A line is a move if a seat acted in it."""
    made = Counter(line.number for line in lines if line.event.seat >= 0)
    acknowledged, unsure = Counter(log.acknowledged), set(log.unsure) - set(log.acknowledged)
    return Checked(
        tables=1,
        acknowledged=acknowledged.total(),
        lost=(acknowledged - made).total(),
        doubled=sum(number - 1 for number in made.values() if number > 1),
        unasked=len(made.keys() - acknowledged.keys() - unsure),
        unsure=len(unsure),
        unsure_there=len(unsure & made.keys()),
    )


def summed(checked: Iterable[Checked]) -> Checked:
    """Return the sums over all tables."""
    return Checked(*(sum(column) for column in zip(*map(msgspec.structs.astuple, checked), strict=True)))


def _why(error: Exception) -> str:
    return str(error.status) if isinstance(error, (Unexpected, Turned)) else "cut"
