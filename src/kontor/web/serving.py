"""A process that serves: uvicorn, until it is told to end."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import nullcontext
from types import FrameType
from typing import Final

import uvicorn

from kontor.game import Value
from kontor.table import House, Machines
from kontor.table.storage import Place
from kontor.thinking import Thinkers, Thinking
from kontor.web.app import application
from kontor.web.connections import Connection
from kontor.web.hosts import Hosts
from kontor.web.live import MOST_STREAMS, Hub
from kontor.web.operation import logs, metrics
from kontor.web.operation.sampler import Sampler
from kontor.web.pauses import short_pauses

GRACE: Final = 2
"""Seconds that answers which have begun are given to end."""


class Manner(Value, frozen=True):
    """How a house is served: the address in links, if others reach it by another than they ask for; to which names it
    answers beside those of the machine and its network; whom to tell of a security problem; whose X-Forwarded headers
    are believed, with commas between; what is logged; how many streams may be open at once; in how many processes
    machine players think; and where figures are shown, if anywhere."""

    address: str = ""
    hosts: tuple[str, ...] = ()
    contact: str = ""
    proxy: str = "127.0.0.1"
    style: logs.Style = logs.Style.PLAIN
    level: logs.Level = logs.Level.WARNING
    streams: int = MOST_STREAMS
    thinkers: int = 1
    figures: str = ""


Ready = Callable[[], object]
"""Called as soon as a process serves."""


def serve_place(place: Place, listening: socket.socket, manner: Manner, ready: Ready) -> None:
    """Opens a house and serves it until SIGTERM or SIGINT, with machine players that think in processes of their own.
    Raises CannotShow, CannotOpen."""
    with (
        Thinkers(manner.thinkers) as thinkers,
        metrics.shown(manner.figures, thinkers) if manner.figures else nullcontext(),
        House.open(place) as house,
        Machines(house, thinkers.submit),
    ):
        serve_house(house, thinkers, listening, manner, ready)


def serve_house(house: House, thinkers: Thinking, listening: socket.socket, manner: Manner, ready: Ready) -> None:
    """Serves until SIGTERM or SIGINT."""
    hub = Hub(most=manner.streams)
    config = uvicorn.Config(
        application(
            house, thinkers, address=manner.address, hosts=Hosts(manner.hosts), contact=manner.contact, hub=hub
        ),
        http=Connection,
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
        _Server(config, hub, ready).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says so as soon as it listens, and lets go of all streams when it is to end."""

    def __init__(self, config: uvicorn.Config, hub: Hub, ready: Ready) -> None:
        super().__init__(config)
        self._hub = hub
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens, and says so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM or Ctrl-C."""
        super().handle_exit(sig, frame)
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
