"""HTTPS posts to addresses given by strangers, which cannot reach the operator's network.

Every address to which the name resolves must be public. The connection goes to the address that was checked, so a
name that resolves differently a moment later changes nothing. No redirect is followed. Waiting for a response and
reading it are limited.
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
"""Returns the addresses of a host name and a port. Raises OSError."""

_TIMEOUT: Final = 5.0
_DEADLINE: Final = 15.0
"""Seconds for each step (_TIMEOUT), and for the whole post."""

_MOST_READ: Final = 4096

_LATER: Final = (408, 425, 429)
"""Statuses below 500 that ask for another attempt."""


def resolve_host(host: str, port: int) -> list[str]:
    """Return the addresses of a host name, by the machine's own resolver."""
    return [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


@lru_cache(maxsize=1)
def usual_tls() -> ssl.SSLContext:
    """Return a TLS context that checks certificates by the machine's own list of authorities."""
    return ssl.create_default_context()


class Posts(Protocol):
    """Something that posts to addresses of strangers."""

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post, and return the status of the response. Raises Failed; Dead where nothing may be sent."""


def check_status(status: int, gone_statuses: Collection[int]) -> None:
    """Raise the failure that an HTTP status means for a notification; return if it was taken.

    The ``gone_statuses`` raise Dead, all others but 2xx Failed.
    """
    if 200 <= status < 300:
        return
    detail = f"HTTP {status}"
    if status in gone_statuses:
        raise Dead(detail)
    if status in _LATER or status >= 500:
        raise Failed("busy", detail)
    raise Failed("size" if status == 413 else "refused", detail)


@dataclass(frozen=True)
class Poster:
    """Posts to addresses of strangers."""

    tls: Callable[[], ssl.SSLContext] = usual_tls
    resolve: Resolve = resolve_host
    may_reach: Callable[[IPAddress], bool] = is_public

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post, and return the status of the response. Raises Failed; Dead where nothing may be sent."""
        split = urlsplit(url)
        if split.scheme != "https" or not split.hostname:
            raise Dead
        port = split.port or 443
        try:
            connection = _PinnedConnection(split.hostname, port, self._address(split.hostname, port), self.tls())
            path = (split.path or "/") + (f"?{split.query}" if split.query else "")
            return _post(connection, path, body, headers)
        except (OSError, http.client.HTTPException, ValueError) as error:  # ValueError: an invalid host name
            raise _failure_of(error) from error

    def check(self, url: str) -> None:
        """Raise Failed if the host name of a URL does not resolve, or not to public addresses alone."""
        split = urlsplit(url)
        try:
            self._address(split.hostname or "", split.port or 443)
        except (OSError, ValueError) as error:
            raise _failure_of(error) from error

    def _address(self, host: str, port: int) -> str:
        """Return the address to connect to. Raises OSError, Failed."""
        addresses = [ip_address(address.partition("%")[0]) for address in self.resolve(host, port)]
        if not addresses:
            raise Failed("unreached", "DNS")
        if not all(map(self.may_reach, addresses)):
            raise Failed("forbidden")
        return str(addresses[0])


def _failure_of(error: OSError | http.client.HTTPException | ValueError) -> Failed:
    if isinstance(error, ssl.SSLCertVerificationError):
        return Failed("certificate")
    if isinstance(error, ssl.SSLError):
        return Failed("unreached", "TLS")
    if isinstance(error, socket.gaierror | UnicodeError):
        return Failed("unreached", "DNS")
    return Failed("unreached", "timeout" if isinstance(error, TimeoutError) else "")


class _PinnedConnection(http.client.HTTPSConnection):
    """An HTTPS connection to the checked address, with a certificate for the host name."""

    def __init__(self, host: str, port: int, address: str, tls: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=_TIMEOUT, context=tls)
        self._address = address
        self._tls = tls

    def connect(self) -> None:
        """Connect to the checked address alone, without a proxy."""
        plain = socket.create_connection((self._address, self.port), _TIMEOUT)
        try:
            self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise

    def cut(self) -> None:
        """Shut the socket down from another thread, so that pending reads and writes fail."""
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)


def _post(connection: _PinnedConnection, path: str, body: bytes, headers: Mapping[str, str]) -> int:
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
