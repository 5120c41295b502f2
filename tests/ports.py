"""Free ports for servers in tests."""

import socket
from contextlib import ExitStack
from random import SystemRandom

OUTSIDE = range(20_000, 32_000)
"""Ports that the system never assigns by itself: a port that is free now is free when it is used."""


def free_ports(number: int = 1) -> int:
    """Return the first of ``number`` consecutive ports on which nothing listens at the moment."""
    while True:
        first = SystemRandom().choice(OUTSIDE)
        with ExitStack() as taken:
            try:
                for port in range(first, first + number):
                    taken.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return first
