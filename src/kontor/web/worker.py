"""A worker: one of several processes that serve a house. ``python -m kontor.web.worker``, begun by
:class:`~kontor.web.workers.Workers`, which tells it the rest by its input; the end of that is its own."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from threading import Thread

import msgspec

from kontor.game import Refusal, Value
from kontor.table import House, Machines
from kontor.table.storage import Share
from kontor.thinking.sharing import Borrowed
from kontor.web.doors import Door, Doorway
from kontor.web.operation import logs
from kontor.web.serving import Manner, serve_house

READY = "ready"
"""What a worker prints as soon as it serves."""


class Task(Value, frozen=True):
    """What a worker is told: the house, an address or its share of a folder; the sockets (file descriptors) where it
    listens and where it asks those who think; where the other workers are; and the manner in which to serve."""

    house: str | Share
    listening: int
    thinking: int
    doorway: Doorway
    manner: Manner


def main() -> int:
    """Serves until it is told to end, or whoever began it has gone. Returns the exit code."""
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    logs.begin(task.manner.style, task.manner.level)
    Thread(target=_end_with_the_input, daemon=True).start()
    try:
        with (
            socket.socket(fileno=task.listening) as listening,
            Borrowed(socket.socket(fileno=task.thinking)) as thinking,
            House.open(task.house) as house,
            Machines(house, thinking.submit),
        ):
            serve_house(house, thinking, listening, task.manner, _ready, Door(task.doorway))
    except Refusal as refusal:
        logging.getLogger(__name__).error("%s", refusal)
        return 1
    return 0


def _ready() -> None:
    print(READY, flush=True)  # noqa: T201


def _end_with_the_input() -> None:
    os.read(sys.stdin.fileno(), 1)  # nothing more is said; so this is the end
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
