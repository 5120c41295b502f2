"""Addresses from which people come."""

from __future__ import annotations

import hmac
import secrets
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

UNKNOWN: Final = "unknown"
"""The network of what is no address."""


_ORIGINS: Final = 4096
_KEY: Final = secrets.token_bytes(32)


def origin_of(address: str) -> int:
    """A number that tells networks apart as long as this process lives. Nobody can tell the address by it: many have
    the same, and the key is kept nowhere."""
    digest = hmac.digest(_KEY, network_of(address).encode(), "sha256")
    return 1 + int.from_bytes(digest[:8], "big") % _ORIGINS


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The address; of IPv6 the network, for there everybody has many addresses."""
    try:
        known = ip_address(address.partition("%")[0])  # behind it the interface is named: fe80::1%eth0
    except ValueError:
        return UNKNOWN
    if not isinstance(known, IPv6Address):
        return str(known)
    # Where one socket listens for both, addresses of IPv4 come in the clothes of IPv6.
    return str(known.ipv4_mapped) if known.ipv4_mapped else known.exploded[:19]
