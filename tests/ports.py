"""Ports for servers that are told where to listen."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from random import SystemRandom

OUTSIDE = range(20_000, 32_000)
"""Where the system gives nobody a port by itself: what is free now is free when it is used."""


def free_ports(number: int = 1) -> int:
    """The first of so many, one after the other, that nobody listens on just now."""
    while True:
        first = SystemRandom().choice(OUTSIDE)
        with ExitStack() as taken:
            try:
                for port in range(first, first + number):
                    taken.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return first
