"""Addresses from which people come."""

from __future__ import annotations

import hmac
import secrets
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple

UNKNOWN: Final = "unknown"
"""The network of what is no address."""


_ORIGINS: Final = 4096
_KEY: Final = secrets.token_bytes(32)


_WIDER: Final = {4: ((24, 16),), 6: ((56, 4), (48, 16))}
"""By the version of IP, the networks around one of a person: their prefix, and how many times as much as one address
they may do. A home line has a /56 or a /48; schools, companies and carriers have many lines in a network."""


class ClientNetwork(NamedTuple):
    """A network from which somebody comes, and how many times as much as one address it may do."""

    name: str
    size: int = 1

    def share(self, most: int, of_address: int) -> int:
        """Return how many of ``most`` places the network may take, if a single address may take ``of_address``: more
        than that only up to half of all."""
        return min(of_address * self.size, max(of_address, most // 2))


def origin_of(address: str) -> int:
    """A number that tells lines apart as long as this process lives. Nobody can tell the address by it: many have
    the same, and the key is kept nowhere."""
    line = [network.name for network in networks_of(address) if network.size <= _SIZE_OF_LINE][-1]
    digest = hmac.digest(_KEY, line.encode(), "sha256")
    return 1 + int.from_bytes(digest[:8], "big") % _ORIGINS


_SIZE_OF_LINE: Final = 4
"""The size of the widest network that is taken for one line: a /56."""


def network_of(address: str) -> str:
    """The address; of IPv6 the first of its network, for there everybody has many addresses."""
    return networks_of(address)[0].name


@lru_cache(maxsize=4096)
def networks_of(address: str) -> tuple[ClientNetwork, ...]:
    """Return the networks in which an address is, the smallest first: each has limits of its own."""
    known = _known(address)
    if known is None:
        return (ClientNetwork(UNKNOWN),)
    smallest = str(ip_network((known, 64), strict=False).network_address) if known.version == 6 else str(known)
    wider = [(ip_network((known, prefix), strict=False), size) for prefix, size in _WIDER[known.version]]
    return (ClientNetwork(smallest), *(ClientNetwork(str(network), size) for network, size in wider))


def _known(address: str) -> IPv4Address | IPv6Address | None:
    try:
        known = ip_address(address.partition("%")[0])  # behind it the interface is named: fe80::1%eth0
    except ValueError:
        return None
    # Where one socket listens for both, addresses of IPv4 come in the clothes of IPv6.
    return known.ipv4_mapped or known if isinstance(known, IPv6Address) else known
