"""Limits on connections: those that are too slow, send too much or are too many are cut.

uvicorn would wait for ever for a complete request, and accept any number of headers. A client with a thousand
connections that sends a byte now and then would leave no room for others. A process can have only so many files open,
and each connection is one: some are always left free beyond the connections that are accepted.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from functools import cache, lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, ClassVar, Final

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from kontor.web.addresses import ClientNetwork, networks_of
from kontor.web.http.security_middleware import TOO_MUCH
from kontor.web.http.turned_away import BARE_POLICY, TOO_LONG, bare_refusal
from kontor.web.operation import metrics
from kontor.web.operation.logs import ThrottledLine
from kontor.words import mark

_LOG = logging.getLogger("kontor.web")
_REFUSED_CONNECTIONS: Final = ThrottledLine(_LOG, logging.WARNING, "connections are refused: there are too many")
_INVALID_REQUESTS: Final = ThrottledLine(_LOG, logging.WARNING, "requests are refused that are no HTTP, or too long")

MOST_HEAD: Final = 32 * 1024
MOST_REQUEST: Final = 1024 * 1024
"""Maximum bytes of a request: of its address and headers; and of all of it on the wire. (app.py limits the body.)"""

HEAD_TIMEOUT: Final = 10.0
BODY_TIMEOUT: Final = 30.0
"""Seconds until a head is complete, from its first byte (the first head: from the connection); and then for the body.
"""

MOST_AN_ADDRESS: Final = 600
"""Maximum number of connections of an address: twice as many as it may have streams. Networks may have as many times
more as they are larger; proxies, which bring many people, any number."""

_LAST_READ: Final = 0.05
"""Seconds in which bytes that have arrived are read before a connection is cut."""

_NOT_HTTP: Final = mark("The request could not be understood. Go back and try again.")

MOST_INVALID: Final = 100
FLOOD_DELAY: Final = 1.0
"""Requests in a minute that get a response although they are not HTTP; and seconds until further ones are cut."""

_MOST_FILES: Final = 65_536
_OTHER_FILES: Final = 256
"""Files that a process wants to have open, and those among them that are not for connections."""


@cache
def most_connections() -> int:
    """Return how many connections a process may have.

    First raise its limit of open files as far as the system allows.
    """
    if os.name != "posix":
        return _MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(_MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return (wanted if soft == resource.RLIM_INFINITY else soft) - _OTHER_FILES


class Connection(HttpToolsProtocol):
    """One connection, as uvicorn's protocol class."""

    by_network: ClassVar[Counter[ClientNetwork]] = Counter()
    """Number of open connections of this process by network."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._cut: asyncio.TimerHandle | None = None
        self._in_head = True
        self._head_too_long = False
        self._bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Refuse a connection too many; give others some seconds for their first request."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self._networks = networks_of(address)
        Connection.by_network.update(self._networks)
        if len(self.connections) > most_connections():
            self._turn_away("all")
        elif self._is_one_too_many() and not self._is_proxy(address):
            self._turn_away("address")
        else:
            self._wait(HEAD_TIMEOUT)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer and the counting of a connection that has ended."""
        self._wait(None)
        Connection.by_network.subtract(self._networks)
        for network in self._networks:
            if not Connection.by_network[network]:
                del Connection.by_network[network]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse some more of a request.

        Unlike uvicorn's own method it does not log each request that it can't parse.
        """
        self._bytes += len(data)
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            self._count_invalid()
            if _INVALID_REQUESTS.count > MOST_INVALID:
                self.transport.pause_reading()
                self._wait(FLOOD_DELAY)
            else:
                self._refuse()
        except httptools.HttpParserUpgrade:
            pass  # the request is answered as if it did not ask for an upgrade
        if self._bytes > (MOST_HEAD if self._in_head else MOST_REQUEST) and not self.transport.is_closing():
            self._count_invalid()
            self.transport.close()

    def on_message_begin(self) -> None:
        """Start the timer at the first byte of a request."""
        super().on_message_begin()
        self._wait(HEAD_TIMEOUT)

    def on_headers_complete(self) -> None:
        """Start the timer for the body. Raise an error if the head is too long; it is refused then."""
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MOST_HEAD:
            self._head_too_long = True
            raise httptools.HttpParserError("The head is too long.")
        self._in_head = False
        self._wait(BODY_TIMEOUT)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the timer: the whole request has arrived, and any further delay is ours."""
        self._in_head, self._bytes = True, 0
        self._wait(None)
        super().on_message_complete()

    def _refuse(self) -> None:
        """Answer a request that is no HTTP or too long, in the reader's language if its headers were read."""
        status, sentence = (TOO_LONG, TOO_MUCH) if self._head_too_long else (400, _NOT_HTTP)
        path = bytes(getattr(self, "url", b"")).partition(b"?")[0].decode("latin-1")
        kind, body = bare_refusal(path, self.headers or [], status, sentence)
        head = (
            STATUS_LINE[status]
            + b"content-type: %b\r\ncontent-length: %d\r\nconnection: close\r\n" % (kind, len(body))
            + b"content-security-policy: %b\r\nx-content-type-options: nosniff\r\n" % BARE_POLICY
            + b"cache-control: no-store\r\n\r\n"
        )
        self.transport.write(head + body)
        self.transport.close()

    def _is_one_too_many(self) -> bool:
        return any(Connection.by_network[each] > MOST_AN_ADDRESS * each.size for each in self._networks)

    def _is_proxy(self, address: str) -> bool:
        config = self.config
        return not config.proxy_headers or _is_in(address, str(config.forwarded_allow_ips))

    def _turn_away(self, why: str) -> None:
        """Count and abort a connection: there are too many in ``all``, or from one ``address``."""
        metrics.REFUSED_CONNECTIONS.labels(why).inc()
        _REFUSED_CONNECTIONS.happened()
        self.transport.abort()

    @staticmethod
    def _count_invalid() -> None:
        metrics.INVALID.inc()
        _INVALID_REQUESTS.happened()

    def _wait(self, seconds: float | None) -> None:
        """Restart the timer that cuts the connection after so many seconds; None stops it."""
        if self._cut is not None:
            self._cut.cancel()
        self._cut = None if seconds is None else self.loop.call_later(seconds, self._cut_once_read)

    def _cut_once_read(self) -> None:
        """Cut the connection after one more look at what has arrived.

        If the process stood still (on a paused or crowded machine), a request that came in time may be unread when
        the timer is due: uvloop then runs the timer before it reads again.
        """
        self._cut = self.loop.call_later(_LAST_READ, self.transport.close)


@lru_cache(maxsize=4096)
def _is_in(address: str, proxies: str) -> bool:
    """Return True if an address is one of the proxies, or in one of their networks."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in _networks(proxies))


@lru_cache(maxsize=8)
def _networks(proxies: str) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(proxy.strip()) for proxy in proxies.split(",") if proxy)
