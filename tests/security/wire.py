"""Bytes to and from a server, as no browser sends them."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterable
from urllib.parse import urlsplit

from timeouts import HANG_TIMEOUT
from web.conftest import Served

END = b"\r\n\r\n"


class Line:
    """A connection to a server."""

    def __init__(self, served: Served) -> None:
        address = urlsplit(served.address)
        self._socket = socket.create_connection((address.hostname, address.port), timeout=HANG_TIMEOUT)

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def say(self, data: bytes) -> None:
        self._socket.sendall(data)

    def say_on(self, chunks: Iterable[bytes], pause: float = 0) -> None:
        """Send one piece after the other. Raises ConnectionError when the server has closed the connection."""
        for chunk in chunks:
            self.say(chunk)
            time.sleep(pause)

    def hear(self, seconds: float = HANG_TIMEOUT) -> bytes:
        """Return all bytes until the server closes the connection, or until none come for ``seconds``."""
        self._socket.settimeout(seconds)
        heard = b""
        try:
            while chunk := self._socket.recv(65536):
                heard += chunk
        except (TimeoutError, ConnectionError):
            pass
        return heard

    def hear_of(self, wanted: bytes, times: int = 1) -> bytes:
        """Return all bytes until ``wanted`` came ``times`` times, and for a moment more.

        It ends earlier when the server closes the connection.
        """
        self._socket.settimeout(HANG_TIMEOUT)
        heard = b""
        while heard.count(wanted) < times and (chunk := self._socket.recv(65536)):
            heard += chunk
        return heard + self.hear(0.1)

    def is_cut(self, seconds: float = HANG_TIMEOUT) -> bool:
        """Return True if the server closes the connection; earlier bytes do not matter."""
        self._socket.settimeout(seconds)
        try:
            while self._socket.recv(65536):
                pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True


def get_statuses(served: Served, data: bytes, answers: int = 1) -> list[int]:
    """Return the statuses of all responses to some bytes; ``answers`` is how many to wait for."""
    with Line(served) as line:
        line.say(data)
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", line.hear_of(b"HTTP/1.1 ", answers))]
