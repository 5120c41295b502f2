"""Posting to an address that a stranger has given, so that nothing within the operator's network is reached by it.

Every address to which the name leads must be public, and the one that was looked at is the one connected to: a name
that leads elsewhere a moment later changes nothing. Nobody is led on (no redirect is followed), and no answer is
waited for or read without end.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from threading import Timer
from typing import Final, Protocol
from urllib.parse import urlsplit

from kontor.notifying.sending import Dead, Failed
from kontor.public_addresses import IPAddress, is_public

Resolve = Callable[[str, int], list[str]]
"""The addresses to which a name leads. Raises OSError."""

_TIMEOUT: Final = 5.0
_DEADLINE: Final = 15.0
"""Seconds for each step, and for all of it."""

_MOST_READ: Final = 4096

_LATER: Final = (408, 425, 429)
"""Statuses below 500 with which a server asks for another try."""


def resolved(host: str, port: int) -> list[str]:
    """By the machine's own resolver."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


@lru_cache(maxsize=1)
def usual_tls() -> ssl.SSLContext:
    """Certificates are checked, by the machine's own list of those who give them."""
    return ssl.create_default_context()


class Posts(Protocol):
    """Whoever posts to addresses of strangers."""

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status of the answer. Raises Failed; Dead where nothing may be sent."""


def check_status(status: int, gone: Collection[int]) -> None:
    """Raise what a status of HTTP means for a notification: nothing if it was taken, Dead for those of ``gone``."""
    if 200 <= status < 300:
        return
    detail = f"HTTP {status}"
    if status in gone:
        raise Dead(detail)
    if status in _LATER or status >= 500:
        raise Failed("busy", detail)
    raise Failed("size" if status == 413 else "refused", detail)


@dataclass(frozen=True)
class Poster:
    """Posts to addresses of strangers."""

    tls: Callable[[], ssl.SSLContext] = usual_tls
    resolve: Resolve = resolved
    may_reach: Callable[[IPAddress], bool] = is_public

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status of the answer. Raises Failed; Dead where nothing may be sent."""
        split = urlsplit(url)
        if split.scheme != "https" or not split.hostname:
            raise Dead
        port = split.port or 443
        try:
            connection = _PinnedConnection(split.hostname, port, self._address(split.hostname, port), self.tls())
            path = (split.path or "/") + (f"?{split.query}" if split.query else "")
            return _posted(connection, path, body, headers)
        except (OSError, http.client.HTTPException, ValueError) as error:  # ValueError: a name that is none
            raise _failure_of(error) from error

    def check(self, url: str) -> None:
        """Raise Failed if the name in an address leads to none, or to one that is not public."""
        split = urlsplit(url)
        try:
            self._address(split.hostname or "", split.port or 443)
        except (OSError, ValueError) as error:
            raise _failure_of(error) from error

    def _address(self, host: str, port: int) -> str:
        """To which to connect. Raises OSError, Failed."""
        found = [ip_address(address.partition("%")[0]) for address in self.resolve(host, port)]
        if not found:
            raise Failed("unreached", "DNS")
        if not all(map(self.may_reach, found)):
            raise Failed("forbidden")
        return str(found[0])


def _failure_of(error: OSError | http.client.HTTPException | ValueError) -> Failed:
    if isinstance(error, ssl.SSLCertVerificationError):
        return Failed("certificate")
    if isinstance(error, ssl.SSLError):
        return Failed("unreached", "TLS")
    if isinstance(error, socket.gaierror | UnicodeError):
        return Failed("unreached", "DNS")
    return Failed("unreached", "timeout" if isinstance(error, TimeoutError) else "")


class _PinnedConnection(http.client.HTTPSConnection):
    """Connects to the address that was looked at; the name is what the certificate must be for."""

    def __init__(self, host: str, port: int, address: str, tls: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=_TIMEOUT, context=tls)
        self._address = address
        self._tls = tls

    def connect(self) -> None:
        """With no proxy, and no other address."""
        plain = socket.create_connection((self._address, self.port), _TIMEOUT)
        try:
            self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise

    def cut(self) -> None:
        """From another thread: whatever is waited for fails."""
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)


def _posted(connection: _PinnedConnection, path: str, body: bytes, headers: Mapping[str, str]) -> int:
    deadline = Timer(_DEADLINE, connection.cut)
    deadline.daemon = True
    deadline.start()
    try:
        connection.request("POST", path, body, {**headers, "User-Agent": "Kontor", "Connection": "close"})
        answer = connection.getresponse()
        answer.read(_MOST_READ)
        return answer.status
    finally:
        deadline.cancel()
        connection.close()
