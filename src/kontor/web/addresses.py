"""Internet addresses of people, and the networks around them."""

from __future__ import annotations

import hmac
import secrets
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple

UNKNOWN: Final = "unknown"
"""The network of a text that is not an address."""


_ORIGINS: Final = 4096
_KEY: Final = secrets.token_bytes(32)


_WIDER: Final = {4: ((24, 16),), 6: ((56, 4), (48, 16))}
"""The networks around a person's address, by IP version: prefix length, and size.

The size is how many times as much as one address a network may do. A home line has a /56 or a /48; schools, companies
and carriers have many lines in a network.
"""


class ClientNetwork(NamedTuple):
    """A network of clients; ``size`` is how many times as much as one address it may do."""

    name: str
    size: int = 1

    def share(self, most: int, of_address: int) -> int:
        """Return how many of ``most`` places the network may take, if a single address may take ``of_address``.

        A network may take more than an address, but then at most half of all places.
        """
        return min(of_address * self.size, max(of_address, most // 2))


def origin_of(address: str) -> int:
    """Return a number for the line of an address, which stays the same as long as this process lives.

    The address can't be recovered from it: many lines have the same number, and the key is not stored.
    """
    line = [network.name for network in networks_of(address) if network.size <= _SIZE_OF_LINE][-1]
    digest = hmac.digest(_KEY, line.encode(), "sha256")
    return 1 + int.from_bytes(digest[:8], "big") % _ORIGINS


_SIZE_OF_LINE: Final = 4
"""The size of the widest network that counts as one line: a /56."""


def network_of(address: str) -> str:
    """Return the address; for IPv6, the first of its /64 network, because there everybody has many addresses."""
    return networks_of(address)[0].name


@lru_cache(maxsize=4096)
def networks_of(address: str) -> tuple[ClientNetwork, ...]:
    """Return the networks that contain an address, the smallest first; each has limits of its own."""
    parsed = _parse_address(address)
    if parsed is None:
        return (ClientNetwork(UNKNOWN),)
    smallest = str(ip_network((parsed, 64), strict=False).network_address) if parsed.version == 6 else str(parsed)
    wider = [(ip_network((parsed, prefix), strict=False), size) for prefix, size in _WIDER[parsed.version]]
    return (ClientNetwork(smallest), *(ClientNetwork(str(network), size) for network, size in wider))


def _parse_address(address: str) -> IPv4Address | IPv6Address | None:
    try:
        parsed = ip_address(address.partition("%")[0])  # the interface follows it: fe80::1%eth0
    except ValueError:
        return None
    # A socket that listens for both versions reports IPv4 addresses as IPv4-mapped IPv6 addresses.
    return parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed
