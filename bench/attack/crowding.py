"""``python -m bench.attack.crowding``: whether one client can crowd out the others.

For each attack this starts a server of its own and lets people play there. Meanwhile an attacker on other addresses
of this machine does one of these things:

- read pages without end; fill one table with onlookers; open silent connections; let computer players think;
- send long forms; ask for missing pages; ask for styles and scripts without end; send bytes that are not HTTP;
- act as fifty guests; run an attack of ``shapes``.

Measured are the times from a move to its response and to all screens, or how long a computer player considers its
move: before the attack, during it (from its first moment), and after. Nothing leaves 127.0.0.0/8, and the command
ends by itself. Attackers run in a process of their own; on a small machine they also take processor time from the
server.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import sys
from array import array
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import cycle
from math import nan
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from statistics import quantiles
from time import monotonic
from typing import Annotated, Final

import typer
import uvloop

from bench.attack.shapes import Shapes
from bench.attack.thinking import Honest, Many
from bench.load.__main__ import many_files, service_at
from bench.load.driving import Crowd, Driver, Period
from bench.load.people import Guest, ServerAddress, Unexpected
from bench.load.processes import Server, serving
from bench.load.wire import Address, Caller, Cut

READERS: Final = 60
ONLOOKERS: Final = 200
IDLE: Final = 5000
FORMS: Final = 10
ACCOUNTS: Final = 50
_HERE: Final = "127.9.0.1"
"""The address of an attacker that has only one."""

_BETWEEN_PAGES: Final = 0.1
"""Seconds that each account rests between pages, so that it stays within what a person may read."""

_STATIC: Final = re.compile(rb'"(/static/[^"]+)"')
_TIMEOUT: Final = 30.0
_SETTLING: Final = 3.0
"""Seconds of play before a measurement. An attack is measured from its first moment."""

_READY: Final = "ready"

_AIM: Final = {
    "reads": 3.0,
    "onlookers": 2.0,
    "connections": 2.0,
    "thinking": 2.0,
    "forms": 2.0,
    "missing": 2.0,
    "static": 2.0,
    "garbage": 2.0,
    "accounts": 2.0,
    "setup": 3.0,
    "refused": 3.0,
    "wrong": 3.0,
    "head": 3.0,
    "ranges": 3.0,
    "hundred": 5.0,
    "streams": 5.0,
}
"""The most that an attack may multiply the 90th percentile of the times."""

_OPPONENTS: Final = 3
"""People who play against computer players during the attack on these."""


class Attack:
    """A client that attacks a server until a given time (``monotonic``)."""

    def __init__(self, service: ServerAddress, tables: Sequence[str], until: float) -> None:
        self._service = service
        self._tables = tables
        self._until = until
        self.counts: Counter[str] = Counter()

    async def reads(self) -> None:
        """Request expensive pages without end, over sixty connections of one address."""
        paths = ["/openapi.json", "/", *(f"/tables/{table}/log" for table in self._tables[:20]), "/rules/dutchman"]
        await asyncio.gather(*(self._reading(_HERE, cycle(paths[n % len(paths) :] + paths)) for n in range(READERS)))

    async def onlookers(self) -> None:
        """Open two hundred streams of one table from twenty addresses, and two hundred more from one address.

        The server lets in only a few of the latter.
        """
        table = self._tables[0]
        many = [f"127.9.{1 + n % 20}.1" for n in range(ONLOOKERS)] + ["127.9.99.1"] * ONLOOKERS
        await asyncio.gather(*(self._looking_on(here, table) for here in many))

    async def connections(self) -> None:
        """Open five thousand silent connections from twenty addresses; open them again when they are cut."""
        await asyncio.gather(*(self._idling(f"127.9.{1 + n % 20}.1", n) for n in range(IDLE)))

    async def forms(self) -> None:
        """Send forms of eight thousand fields over ten connections."""
        form = "&".join(f"t{number}=" for number in range(8000)).encode()
        origin = f"Origin: http://{self._service.host}:{self._service.port}"
        kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}"
        request = _request("/name", self._service, f"{origin}\r\n{kind}", "POST") + form
        await asyncio.gather(*(self._asking([request]) for _ in range(FORMS)))

    async def missing(self) -> None:
        """Request a missing page over thirty connections."""
        request = _request("/nothing", self._service, "Accept: text/html")
        await asyncio.gather(*(self._asking([request]) for _ in range(READERS // 2)))

    async def static(self) -> None:
        """Request the styles and scripts of the first page without end, over sixty connections."""
        async with self._connection(_HERE) as (reader, writer):
            writer.write(_request("/", self._service, "Connection: close"))
            paths = sorted(set(_STATIC.findall(await reader.read())))
        requests = [_request(path.decode(), self._service, "Accept: */*") for path in paths]
        await asyncio.gather(*(self._asking(requests) for _ in range(READERS)))

    async def garbage(self) -> None:
        """Send bytes that are not HTTP, over sixty connections at a time."""
        await asyncio.gather(*(self._asking([b"\x16\x03\x01\0\0" * 5]) for _ in range(READERS)))

    async def accounts(self) -> None:
        """Let fifty guests of one address read, talk and move without end, each at a table of their own."""
        address = Address(self._service.host, self._service.port, _HERE)
        guests = [Guest(Caller(address), f"Account {number}") for number in range(ACCOUNTS)]
        try:
            async with asyncio.timeout(self._until - monotonic()):
                await asyncio.gather(*map(self._account, guests))
        except TimeoutError:
            pass
        finally:
            for guest in guests:
                guest.caller.close()

    async def _account(self, guest: Guest) -> None:
        table = ""
        while monotonic() < self._until:
            try:
                if not guest.token:
                    await guest.come_in()
                if not table:
                    seats = [{"kind": "me"}, {"kind": "here", "name": "Guest"}]
                    table = (await guest.api("POST", "tables", {"game": "shanghaien", "seats": seats}))["table"]
                    self.counts["tables"] += 1
                await self._as_people_do(guest, table)
            except Unexpected as refused:
                self.counts[f"refused {refused.status}"] += 1
                await asyncio.sleep(1)
            except Cut:
                self.counts["cut"] += 1

    async def _as_people_do(self, guest: Guest, table: str) -> None:
        """Load the table, send a chat message and a move that may be legal, and load some pages. Raises Cut."""
        await self._look(guest, f"/tables/{table}")
        for path, field in (("chat", {"text": "Well?"}), ("moves", {"number": "3", "move": "roll"})):
            answer = await guest.submit(f"/tables/{table}/{path}", {"token": guest.form_token, **field})
            self.counts[f"{path} {answer.status}"] += 1
        for path in ("/", f"/tables/{table}/log", "/open/shanghaien"):
            await self._look(guest, path)

    async def _look(self, guest: Guest, path: str) -> None:
        self.counts[f"answered {(await guest.page(path)).status}"] += 1
        await asyncio.sleep(_BETWEEN_PAGES)

    async def _asking(self, requests: Sequence[bytes]) -> None:
        """Send the same requests again and again; open a new connection when the old one is lost."""
        while monotonic() < self._until:
            with suppress(OSError, TimeoutError):
                seconds = min(_TIMEOUT, max(0.1, self._until - monotonic()))
                async with asyncio.timeout(seconds), self._connection(_HERE) as (reader, writer):
                    try:
                        for request in cycle(requests):
                            writer.write(request)
                            self.counts[f"answered {await _answer(reader)}"] += 1
                    except asyncio.IncompleteReadError:
                        self.counts["cut"] += 1

    async def _reading(self, here: str, paths: cycle[str]) -> None:
        while monotonic() < self._until:
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                async with asyncio.timeout(_TIMEOUT), self._connection(here) as (reader, writer):
                    writer.write(_request(next(paths), self._service, "Connection: close"))
                    head = await reader.readuntil(b"\r\n")
                    self.counts[f"answered {head.split()[1].decode()}"] += 1
                    await reader.read()

    async def _looking_on(self, here: str, table: str) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(self._until - monotonic()), self._connection(here) as (reader, writer):
                writer.write(_request(f"/tables/{table}/live", self._service, "Accept-Encoding: gzip"))
                head = await reader.readuntil(b"\r\n\r\n")
                self.counts[f"streams {head.split()[1].decode()}"] += 1
                while await reader.read(65536):
                    pass

    async def _idling(self, here: str, number: int) -> None:
        await asyncio.sleep(number / IDLE)
        while monotonic() < self._until:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(self._until - monotonic()), self._connection(here) as (reader, _):
                    self.counts["connections"] += 1
                    await reader.read(1)

    @asynccontextmanager
    async def _connection(self, here: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Yield a connection from an address, and close it at the end."""
        reader, writer = await asyncio.open_connection(self._service.host, self._service.port, local_addr=(here, 0))
        try:
            yield reader, writer
        finally:
            writer.close()


async def _answer(reader: asyncio.StreamReader) -> str:
    """Read a response to its end and return its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
    await reader.readexactly(int(length or b"0"))
    return head.split()[1].decode()


def _request(path: str, service: ServerAddress, more: str, method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: {service.host}:{service.port}\r\n{more}\r\n\r\n".encode()


def _attack(name: str, service: ServerAddress, tables: Sequence[str], seconds: float, connection: Connection) -> None:
    """Run an attack in a process of its own, from the moment a message arrives on ``connection``."""
    many_files()
    connection.send(_READY)
    connection.recv()
    until = monotonic() + seconds
    attack = attack_of(name, service, tables, until)
    doing: Callable[[], Coroutine[None, None, None]] = getattr(attack, name)
    uvloop.run(doing())
    connection.send(dict(attack.counts))


def attack_of(name: str, service: ServerAddress, tables: Sequence[str], until: float) -> Many | Attack | Shapes:
    """Return the object whose method of that name is the attack."""
    if name == "thinking":
        return Many(service, until)
    return Shapes(service, tables, until) if hasattr(Shapes, name) else Attack(service, tables, until)


async def _measure(
    name: str, service: ServerAddress, server: Server, tables: int, rate: float, seconds: float
) -> tuple[list[Period], dict[str, int]]:
    driver = Driver(service, server, Crowd(), Random(1729))
    try:
        await driver.welcome(tables)
        await driver.open(tables)
        await driver.watch()
        await driver.drive(rate, _SETTLING)
        before = await driver.drive(rate, seconds)
        ids = [table.log.id for table in driver.tables]
        attacker, here = await _attacker(name, service, ids, seconds)
        during = await driver.drive(rate, seconds)
        counts = await asyncio.to_thread(here.recv)
        attacker.join()
        await driver.drive(rate, _SETTLING)
        after = await driver.drive(rate, seconds)
        return [before, during, after], counts
    finally:
        driver.close()


async def _attacker(
    name: str, service: ServerAddress, tables: Sequence[str], seconds: float
) -> tuple[BaseProcess, Connection]:
    """Start the attack now; return its process, and the connection on which it sends its counts at the end.

    It lasts ``_SETTLING`` seconds longer than the measurement.
    """
    parent_end, child_end = multiprocessing.Pipe()
    attacker = multiprocessing.get_context("spawn").Process(
        target=_attack, args=(name, service, tables, seconds + _SETTLING, child_end)
    )
    attacker.start()
    await asyncio.to_thread(parent_end.recv)
    parent_end.send(_READY)
    return attacker, parent_end


async def _measure_considering(service: ServerAddress, seconds: float) -> tuple[list[list[float]], dict[str, int]]:
    """Measure how long computer players consider their moves before, during and after an attack.

    Returns the three lists of seconds, and the counts of the attacker.
    """
    honest = Honest(service, _OPPONENTS, Random(1729))
    try:
        await honest.begin(monotonic() + 4 * seconds + 10 * _SETTLING)
        await honest.measured(_SETTLING)
        before = await honest.measured(seconds)
        attacker, here = await _attacker("thinking", service, (), seconds)
        during = await honest.measured(seconds)
        counts = await asyncio.to_thread(here.recv)
        attacker.join()
        await honest.measured(_SETTLING)
        after = await honest.measured(seconds)
        return [before, during, after], counts
    finally:
        await honest.end()


def _p50_p90(times: Iterable[float]) -> tuple[float, float]:
    """Return the median and the 90th percentile in milliseconds; for fewer than two times, the longest or 0."""
    milliseconds = [1000 * seconds for seconds in times]
    if len(milliseconds) < 2:
        return (max(milliseconds, default=0.0),) * 2
    cuts = quantiles(milliseconds, n=100)
    return cuts[49], cuts[89]


def _all(times: dict[str, array[float]]) -> list[float]:
    return [one for way in times.values() for one in way]


def _tell(name: str, aim: float, periods: Sequence[Sequence[float]]) -> None:
    before, during, after = map(_p50_p90, periods)
    percentiles = " → ".join(f"{p50:.1f}/{p90:.1f}" for p50, p90 in (before, during, after))
    times = during[1] / before[1] if before[1] else nan
    numbers = "/".join(str(len(period)) for period in periods)
    print(f"  {name:9} before → during → after  {percentiles}   p90 × {times:.1f} (aim {aim:g}), n {numbers}")


def main(
    attacks: Annotated[str, typer.Option(help="Which, with commas between.")] = ",".join(_AIM),
    tables: Annotated[int, typer.Option(min=1, max=1000)] = 200,
    rate: Annotated[float, typer.Option(min=1, max=500, help="Moves a second of those who play.")] = 50.0,
    seconds: Annotated[float, typer.Option(min=1, max=120, help="Of each measurement.")] = 15.0,
    database: Annotated[
        str, typer.Option(help="The address of a PostgreSQL database of our own, in place of a folder.")
    ] = "",
) -> None:
    """Attack a server of our own, and print what those who play notice of it."""
    many_files()
    print(f"{tables} tables, {rate:g} moves/s, {seconds:g} s each, {os.cpu_count()} processors; p50/p90 in ms")
    for name in attacks.split(","):
        if name not in _AIM:
            print(f"There is no attack “{name}”: {', '.join(_AIM)}.", file=sys.stderr)
            raise typer.Exit(2)
        with serving(["--database", database] if database else [], ["--thinkers", "1"], 1) as (addresses, process):
            server = Server(frozenset({process}))
            service = service_at(addresses[0])
            if name == "thinking":
                waits, counts = uvloop.run(_measure_considering(service, seconds))
                noticed = {"considered": waits}
            else:
                periods, counts = uvloop.run(_measure(name, service, server, tables, rate, seconds))
                noticed = {
                    label: [_all(getattr(period.counts, label)) for period in periods]
                    for label in ("answered", "shown")
                }
        print(f"\n{name}: {', '.join(f'{count} {label}' for label, count in sorted(counts.items()))}")
        for label, times in noticed.items():
            _tell(label, _AIM[name], times)


if __name__ == "__main__":
    typer.run(main)
