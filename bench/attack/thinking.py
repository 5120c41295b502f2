"""People who play against computer players.

Some do so honestly; an attacker acts as many people, and has computer players think without end.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import closing, suppress
from datetime import datetime
from itertools import pairwise
from random import Random
from time import monotonic, time
from typing import Any, Final

import msgspec

from bench.load.people import Guest, ServerAddress, Unexpected
from bench.load.wire import Address, Caller, Cut, Frame, Turned, open_stream

_ATTACKER: Final = "127.9.0.1"
PERSONS: Final = 120
"""People that the attacker tries to be; the server may let in fewer."""

_WITH_HINTS: Final = 10
"""The number of those who also ask for a hint at each turn."""

_REVIEWERS: Final = 10
"""The number of those who resign after some moves, and have the game reviewed."""

_MOVES: Final = 4
"""Moves after which the reviewers resign."""

CONSIDERED: Final = 1.4
"""Seconds from which on a wait counts as considered.

Computer players make a considered move after a second and a half at the earliest, and an obvious one after half a
second.
"""

_TIRED: Final = 0.5
"""Seconds until the next try after a refusal."""


class Opponent:
    """A person who plays against computer players, and moves as soon as it is their turn."""

    def __init__(self, guest: Guest, random: Random) -> None:
        self._guest = guest
        self._random = random
        self.table = ""
        self.moves = 0

    async def open(self, machines: int, *, hints: bool = False, alone: bool = False) -> None:
        """Open a table with ``machines`` experts, and (``alone``) one more expert in place of the person.

        Raises Unexpected, Cut.
        """
        if not self._guest.token:
            await self._guest.register()
        seats = [{"kind": "machine", "player": "expert"}] * machines
        seats.insert(0, {"kind": "machine", "player": "expert"} if alone else {"kind": "me"})
        plan = {"game": "dutchman", "seats": seats, "options": {"players": len(seats)}, "hints": hints}
        self.table = (await self._guest.api("POST", "tables", plan))["table"]

    async def play(self, until: float, *, hints: bool = False, moves: int = 10**9) -> None:
        """Play until a time, or for so many moves. Raises Unexpected, Turned, Cut."""
        changed = asyncio.Event()
        last: dict[str, Any] = {}

        def hear(frame: Frame) -> None:
            last.update(msgspec.json.decode(frame.lines.partition(b"data: ")[2]))
            changed.set()

        request = self._guest.calling("GET", f"tables/{self.table}/stream", accept="text/event-stream")
        stream = await open_stream(self._guest.caller.address, request, hear, changed.set)
        try:
            while monotonic() < until and self.moves < moves:
                with suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, until - monotonic())):
                        await changed.wait()
                changed.clear()
                if last and last["table"]["status"] == "over":
                    return
                if last and last["table"]["my_turn"]:
                    await self._move(last["seen"]["moves"], hints)
        finally:
            stream.close()

    async def _move(self, legal: int, hints: bool) -> None:
        path = f"tables/{self.table}"
        try:
            if hints:
                await self._guest.api("POST", f"{path}/hint", {})
            offered = await self._guest.api("GET", f"{path}/moves?limit=1&start={self._random.randrange(legal)}")
            await self._guest.api("POST", f"{path}/moves", {"number": offered["number"], "move": offered["moves"][0]})
            self.moves += 1
        except Unexpected:
            await asyncio.sleep(_TIRED)

    async def review(self) -> int:
        """Resign, and request the review of the game; return the status of the response. Raises Unexpected, Cut."""
        await self._guest.api("POST", f"tables/{self.table}/seats/0/resign")
        return (await self._guest.page(f"/tables/{self.table}/review")).status

    async def waits(self, since: int) -> tuple[list[float], int]:
        """Return the seconds of each considered move of computer players after a line, and the last line's number.

        The seconds are those of the log, with the pause included. Raises Unexpected, Cut.
        """
        log = await self._guest.api("GET", f"tables/{self.table}/events?since={since}&limit=1000")
        times = [(line["event"]["seat"], datetime.fromisoformat(line["at"]).timestamp()) for line in log]
        seconds = [now - before for (_, before), (seat, now) in pairwise(times) if seat > 0]
        table = await self._guest.api("GET", f"tables/{self.table}")
        if table["mover"]:  # a move that is still being considered counts up to now
            seconds.append(time() - datetime.fromisoformat(table["since"]).timestamp())
        return [wait for wait in seconds if wait >= CONSIDERED], log[-1]["number"] if log else since


class Honest:
    """A few people, each from a household of their own, each against two experts."""

    def __init__(self, service: ServerAddress, number: int, random: Random) -> None:
        self._players = [
            Opponent(Guest(Caller(service.from_household(household)), f"Guest {household}"), random)
            for household in range(number)
        ]
        self._playing: list[asyncio.Task[None]] = []
        self._last = [1] * number

    async def begin(self, until: float) -> None:
        """Sit down, and start to play until a time."""
        for player in self._players:
            await player.open(2)
        self._playing = [asyncio.create_task(player.play(until)) for player in self._players]

    async def measured(self, seconds: float) -> list[float]:
        """Return how long, in seconds, the computer players consider their moves during the next ``seconds``."""
        await self._read_waits()
        await asyncio.sleep(seconds)
        return await self._read_waits()

    async def _read_waits(self) -> list[float]:
        seconds = list[float]()
        for at, player in enumerate(self._players):
            waits, self._last[at] = await player.waits(self._last[at])
            seconds += waits
        return seconds

    async def end(self) -> None:
        """Cancel the games under way."""
        for playing in self._playing:
            playing.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)


class Many:
    """An attacker that acts as many people as the server lets in, all from one address."""

    def __init__(self, service: ServerAddress, until: float) -> None:
        self._service = service
        self._until = until
        self.counts: Counter[str] = Counter()

    async def thinking(self) -> None:
        """Let everybody play against five experts, or let six experts play; some ask for hints and reviews."""
        await asyncio.gather(*(self._one(number) for number in range(PERSONS)))

    async def _one(self, number: int) -> None:
        caller = Caller(Address(self._service.host, self._service.port, _ATTACKER))
        player = Opponent(Guest(caller, f"Many {number}"), Random(number))
        with closing(caller):
            while monotonic() < self._until:
                await self._play_once(player, number)
                await asyncio.sleep(_TIRED)

    async def _play_once(self, player: Opponent, number: int) -> None:
        """Open a table and play there, until the game or the attack ends, or the server refuses."""
        hints, reviews = number < _WITH_HINTS, _WITH_HINTS <= number < _WITH_HINTS + _REVIEWERS
        before = player.moves
        try:
            await player.open(5, hints=hints, alone=number % 4 == 3)
            self.counts["tables"] += 1
            await player.play(self._until, hints=hints, moves=before + _MOVES if reviews else 10**9)
            if reviews:
                self.counts[f"reviews {await player.review()}"] += 1
        except (Unexpected, Turned) as refused:
            self.counts[f"refused {refused.status}"] += 1
        except Cut:
            self.counts["cut"] += 1
        finally:
            self.counts["moves"] += player.moves - before
