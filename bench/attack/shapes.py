"""Attacks by the cost of requests.

One address requests expensive renders, a hundred addresses write within their limits, and streams come back without
end.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from itertools import count
from time import monotonic
from typing import Any, Final

from bench.load.people import Guest, ServerAddress, Unexpected
from bench.load.wire import Address, Caller, Cut, Frame, Turned, open_stream, request

CONNECTIONS: Final = 30
ADDRESSES: Final = 100
STREAMS: Final = 10
STREAM_ADDRESSES: Final = 20

WRITES_A_SECOND: Final = 1.25
"""Rate of each of the hundred addresses: 1,500 in twelve seconds together, all within their limits."""

_TIRED: Final = 0.05
_FORM_TOKEN: Final = re.compile(rb'name="token" value="([^"]+)"')
_PAGES: Final = ("/analysis/dutchman/setup", "/rules/dutchman", "/puzzles/shanghaien", "/openapi.json")


class Shapes:
    """A client that attacks a server until a given time (``monotonic``)."""

    def __init__(self, service: ServerAddress, tables: Sequence[str], until: float) -> None:
        self._service = service
        self._tables = tables
        self._until = until
        self.counts: Counter[str] = Counter()

    async def setup(self) -> None:
        """Request the form of a position for six seats without end, over thirty connections of one address."""
        await self._forms("/analysis/dutchman/setup", {"redraw": "6"})

    async def refused(self) -> None:
        """Send moves that the analysis board refuses, over thirty connections of one address."""
        await self._forms("/analysis/dutchman/moves", {})

    async def wrong(self) -> None:
        """Send forms without a token, over thirty connections of one address."""
        await self._forms("/tables/{table}/moves", {"token": "none"})

    async def head(self) -> None:
        """Request the heads of expensive pages, over thirty connections of one address."""
        await self._pages("HEAD", "")

    async def ranges(self) -> None:
        """Request the first byte of expensive pages, over thirty connections of one address."""
        await self._pages("GET", "Range: bytes=0-0\r\n")

    async def hundred(self) -> None:
        """Let a hundred addresses, each within its limits, name themselves, open tables and talk."""
        await asyncio.gather(*(self._writing(number) for number in range(ADDRESSES)))

    async def streams(self) -> None:
        """Open ten streams from each of twenty addresses, and open each again as soon as it has sent an event."""
        storm = [
            self._returning(f"127.9.{1 + number}.1", self._tables[place % len(self._tables)])
            for number in range(STREAM_ADDRESSES)
            for place in range(STREAMS)
        ]
        await asyncio.gather(*storm)

    # ------------------------------------------------------------------------------------------------ one address

    def _caller(self, here: str = "127.9.0.1") -> Caller:
        return Caller(Address(self._service.host, self._service.port, here))

    async def _forms(self, path: str, fields: dict[str, str]) -> None:
        path = path.format(table=self._tables[0])

        async def send(guest: Guest) -> int:
            if not guest.form_token:
                token = _FORM_TOKEN.search((await guest.page("/nothing")).body)
                guest.form_token = token[1].decode() if token else ""
            return (await guest.submit(path, {"token": guest.form_token, **fields})).status

        await asyncio.gather(*(self._repeat_act(send) for _ in range(CONNECTIONS)))

    async def _pages(self, method: str, more: str) -> None:
        pages = count()

        async def ask(guest: Guest) -> int:
            path = _PAGES[next(pages) % len(_PAGES)]
            message = request(method, path, guest.caller.address, f"Accept: text/html\r\nConnection: close\r\n{more}")
            return await _status(guest.caller.address, message)

        await asyncio.gather(*(self._repeat_act(ask) for _ in range(CONNECTIONS)))

    async def _repeat_act(self, act: Callable[[Guest], Awaitable[int]]) -> None:
        """Repeat a request without end, as a guest on a connection of its own."""
        guest = Guest(self._caller(), "")
        with closing(guest.caller), suppress(TimeoutError):
            async with asyncio.timeout(self._until - monotonic()):
                while monotonic() < self._until:
                    try:
                        self.counts[f"answered {await act(guest)}"] += 1
                    except (Cut, OSError):
                        self.counts["cut"] += 1
                        await asyncio.sleep(_TIRED)

    # ---------------------------------------------------------------------------------------- many addresses

    async def _writing(self, number: int) -> None:
        guest = Guest(self._caller(f"127.{10 + number // 200}.{1 + number % 200}.1"), f"Many {number}")
        table, due = "", monotonic() + number / ADDRESSES / WRITES_A_SECOND
        acts = count()
        with closing(guest.caller), suppress(TimeoutError):
            async with asyncio.timeout(self._until - monotonic()):
                while monotonic() < self._until:
                    await asyncio.sleep(max(0.0, due - monotonic()))
                    due += 1 / WRITES_A_SECOND
                    try:
                        table = await self._write_once(guest, table, next(acts))
                    except Unexpected as refused:
                        self.counts[f"refused {refused.status}"] += 1
                    except Cut:
                        self.counts["cut"] += 1

    async def _write_once(self, guest: Guest, table: str, number: int) -> str:
        """Write one more thing as the guest: name themselves, open a table, or talk at it. Returns the table."""
        if not guest.token or number % 5 == 4:
            await guest.register()
            self.counts["people"] += 1
            return ""
        if not table:
            seats = [{"kind": "me"}, {"kind": "here", "name": "Guest"}]
            made: dict[str, Any] = await guest.api("POST", "tables", {"game": "shanghaien", "seats": seats})
            self.counts["tables"] += 1
            return str(made["table"])
        await guest.api("POST", f"tables/{table}/chat", {"text": "Well?"})
        self.counts["talk"] += 1
        return table

    async def _returning(self, here: str, table: str) -> None:
        address = Address(self._service.host, self._service.port, here)
        message = request("GET", f"/tables/{table}/live", address, "Accept: text/event-stream\r\n")
        while monotonic() < self._until:
            has_shown = asyncio.Event()

            def hear(_: Frame, has_shown: asyncio.Event = has_shown) -> None:
                has_shown.set()

            try:
                async with asyncio.timeout(max(0.1, self._until - monotonic())):
                    stream = await open_stream(address, message, hear, has_shown.set)
                    try:
                        await has_shown.wait()
                        self.counts["streams"] += 1
                    finally:
                        stream.close()
            except Turned as refused:
                self.counts[f"refused {refused.status}"] += 1
                await asyncio.sleep(_TIRED)
            except (Cut, OSError, TimeoutError):
                self.counts["cut"] += 1
                await asyncio.sleep(_TIRED)


async def _status(address: Address, message: bytes) -> int:
    """Read a response to its end, on a connection of its own, and return its status."""
    reader, writer = await asyncio.open_connection(address.host, address.port, local_addr=(address.mine, 0))
    try:
        writer.write(message)
        answer = await reader.read()
    finally:
        writer.close()
    if not answer:
        raise Cut("the server closed the connection without a response")
    return int(answer.split(b" ", 2)[1])
