"""Cost of showing a move to everybody who watches a table.

``python -m web.frames_cost`` (in ``tests``) plays a game of each kind, and draws every frame as the streams of its
players do. It prints the processor time of a frame, and its bytes on the wire. Then it opens streams to a server in
another process, and prints the memory that each of them takes there.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import fmean, quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Shanghai
from kontor.server.composition import KontorServer
from kontor.server.site import ServerSite, SiteOptions, server_site
from kontor.tables.pages.table_page import PageRequest
from kontor.tables.values import Plan, SeatPlan
from kontor.thinking import Thinkers
from kontor.web.http.limits import Limits
from kontor.web.live.hub import Hub
from kontor.web.live.stream import event, stream_compressor
from kontor.web.pages.fragments import NOTHING_SHOWN
from kontor.web.pages.visitor import Visitor
from web.conftest import Served

GAMES: Final = {"shanghaien": (2, ShanghaienOptions()), "dutchman": (4, DutchmanOptions(players=4))}
TABLES: Final = 6
WARM: Final = 20
"""Moves at each table that are not measured, because the first frames are whole."""
STREAMS: Final = (200, 1000)


class Watcher:
    """Stream without a connection."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.on_screen = NOTHING_SHOWN
        self.compressor = stream_compressor()

    def frame(self, site: ServerSite, table: str) -> tuple[float, int, int]:
        """Draw what is new; return the seconds of processor time, the bytes, and the compressed bytes."""
        begun = time.thread_time()
        page = site.table_pages.table(self.visitor, site.tables.view(table, self.visitor.id), PageRequest())
        before, self.on_screen = self.on_screen, page.state()
        data = event(page.since(before, self.on_screen), number=self.on_screen.digest)
        compressed = self.compressor(data, True)
        return time.thread_time() - begun, len(data), len(compressed)


def choose_move(moves: Sequence[Any], random: Random) -> Any:
    """Return a random move.

    The row of Shanghaien is dealt out only when there is no other move, so that rounds are whole.
    """
    others = [move for place in range(min(30, len(moves))) if not isinstance(move := moves[place], Shanghai)]
    return random.choice(others) if others else moves[0]


def measure(service: KontorServer, game: str) -> None:
    players, options = GAMES[game]
    with Thinkers(1) as thinkers:
        site = server_site(service, thinkers, SiteOptions(), Limits(), Hub())
        measured: list[tuple[float, int, int]] = []
        for number in range(TABLES):
            guests = [service.people.guest(f"Guest {place}") for place in range(players)]
            seats = (SeatPlan("me"), *[SeatPlan("open")] * (players - 1))
            table = service.opening.open(guests[0][0].id, Plan(game, options, seats, order="given"))
            for seat in range(1, players):
                service.opening.sit(table, seat, guests[seat][0].id)
            visitors = [
                Visitor(partial(service.people.holder_of_session, token), token, "en", "", "", False, "/", False)
                for _, token in guests
            ]
            watchers = [Watcher(visitor) for visitor in visitors]
            random, played = Random(number), 0
            while (mover := service.tables.info(table).mover) is not None:
                look = service.tables.view(table).look(mover)
                service.moves.play(table, mover, look.number, choose_move(look.moves, random))
                frames = [watcher.frame(site, table) for watcher in watchers]
                measured += frames if played >= WARM else []
                played += 1
    costs, plain, compressed = (sorted(column) for column in zip(*measured, strict=True))
    cuts = quantiles(costs, n=100)
    sys.stdout.write(
        f"{game}: {len(measured)} frames, processor {1000 * fmean(costs):.2f} ms (p50 {1000 * cuts[49]:.2f}, "
        f"p99 {1000 * cuts[98]:.2f}); {fmean(plain) / 1000:.1f} kB plain, {fmean(compressed) / 1000:.2f} kB packed\n"
    )


# -------------------------------------------------------------------------------------------------------- memory


def serve(parent: Connection) -> None:
    """Run a server with watchable tables; send its address and tables, and its memory in KiB on request."""
    with TemporaryDirectory() as folder, Served(Path(folder)) as served, ExitStack() as guests:
        players = [guests.enter_context(served.guest(name)) for name in ("Anna", "Bernd")]
        people = [served.service.people.holder_of_session(player.client.cookies["kontor"]) for player in players]
        anna, bernd = [person.id for person in people if person]
        tables = []
        for _ in range(STREAMS[-1] // 10):
            plan = Plan("shanghaien", ShanghaienOptions(), (SeatPlan("me"), SeatPlan("open")), order="given")
            tables.append(served.service.opening.open(anna, plan))
            served.service.opening.sit(tables[-1], 1, bernd)
        parent.send((served.address, tables))
        while parent.recv() == "memory":
            status = Path("/proc/self/status").read_text("ascii")
            parent.send(int(status.split("VmRSS:")[1].split()[0]))


async def streams(address: str, tables: Sequence[str], ask: Any) -> None:
    """Open more and more streams, and print the memory that each adds."""
    host, _, port = address.removeprefix("http://").partition(":")
    before, opened = ask(), 0
    lines = []
    for most in STREAMS:
        while opened < most:
            # Each stream has an address of its own: the number of streams of one address is limited.
            ours = (f"127.1.{opened // 100}.1", 0)
            reader, writer = await asyncio.open_connection(host, int(port), local_addr=ours)
            path = f"/tables/{tables[opened % len(tables)]}/live"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head, head
            lines.append((reader, writer))
            opened += 1
        await asyncio.sleep(3)
        now = ask()
        sys.stdout.write(f"{opened} streams: {(now - before) / opened:.0f} KiB each, {now // 1024} MiB in all\n")
    for _, writer in lines:
        writer.close()


def main() -> None:
    for game in GAMES:
        with TemporaryDirectory() as folder, KontorServer.open(Path(folder)) as service:
            measure(service, game)
    context = get_context("spawn")
    own_end, childs_end = context.Pipe()
    server = context.Process(target=serve, args=(childs_end,))
    server.start()
    address, tables = own_end.recv()

    def ask() -> int:
        own_end.send("memory")
        kibibytes: int = own_end.recv()
        return kibibytes

    asyncio.run(streams(address, tables, ask))
    own_end.send("enough")
    server.join()


if __name__ == "__main__":
    main()
