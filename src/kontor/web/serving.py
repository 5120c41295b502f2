"""A process that serves: uvicorn, until it is told to end."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from types import FrameType
from typing import Any, Final

import uvicorn

from kontor.game import Value
from kontor.table import House
from kontor.thinking import Thinking
from kontor.web.app import application
from kontor.web.connections import Connection
from kontor.web.doors import Door
from kontor.web.hosts import Hosts
from kontor.web.live import MOST_STREAMS, Hub
from kontor.web.operation import logs
from kontor.web.operation.sampler import Sampler
from kontor.web.pauses import short_pauses

GRACE: Final = 2
"""Seconds that answers which have begun are given to end."""


class Manner(Value, frozen=True):
    """How a house is served: the address in links, if others reach it by another than they ask for; to which names it
    answers beside those of the machine and its network; whom to tell of a security problem; whose X-Forwarded headers
    are believed, with commas between; what is logged; how many streams may be open at once in each process; and
    whether somebody wants figures."""

    address: str = ""
    hosts: tuple[str, ...] = ()
    contact: str = ""
    proxy: str = "127.0.0.1"
    style: logs.Style = logs.Style.PLAIN
    level: logs.Level = logs.Level.WARNING
    streams: int = MOST_STREAMS
    figures: bool = False


def serve_house(
    house: House,
    thinkers: Thinking,
    listening: socket.socket,
    manner: Manner,
    ready: Callable[[], None],
    door: Door | None = None,
) -> None:
    """Serves until SIGTERM or SIGINT; ``ready`` is called as soon as it does. Where several processes serve a house,
    a ``door`` leads to the others."""
    hub = Hub(most=manner.streams)
    connection: Any = partial(Connection, door=door)
    config = uvicorn.Config(
        application(
            house, thinkers, address=manner.address, hosts=Hosts(manner.hosts), contact=manner.contact, hub=hub
        ),
        http=connection,
        log_config=None,
        access_log=False,  # addresses of pages hold invitations
        server_header=False,
        lifespan="off",
        ws="none",
        proxy_headers=True,
        forwarded_allow_ips=manner.proxy,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=30,
    )
    with Sampler(house, hub) if manner.figures else nullcontext(), short_pauses():
        _Server(config, hub, ready, door).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says so as soon as it listens, and lets go of all streams when it is to end."""

    def __init__(self, config: uvicorn.Config, hub: Hub, ready: Callable[[], None], door: Door | None) -> None:
        super().__init__(config)
        self._hub = hub
        self._ready = ready
        self._door = door
        self._taking = set[asyncio.Task[Any]]()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens, and says so."""
        await super().startup(sockets)
        if self.started:
            if self._door is not None:
                self._door.open(self._take)
            self._ready()

    def _take(self, connection: socket.socket, first: bytes) -> None:
        """Another process has accepted the connection, and read something of it."""
        loop = asyncio.get_running_loop()
        connection.setblocking(False)
        made: Any = self.config.http_protocol_class
        protocol = partial(
            made,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
            first=first,
        )
        task = loop.create_task(loop.connect_accepted_socket(protocol, connection))
        self._taking.add(task)  # the loop would not keep it
        task.add_done_callback(self._taking.discard)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM or Ctrl-C."""
        super().handle_exit(sig, frame)
        if self._door is not None:
            self._door.shut()
        self._hub.close()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until it is told to end, which can be before it serves; uvicorn listens to signals later, and raises
        them once more when it has ended, when they have done their work and must not kill us."""
        before = {number: signal.signal(number, self._end_soon) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            super().run(sockets)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end_soon(self, number: int, frame: FrameType | None) -> None:
        self.should_exit = True
