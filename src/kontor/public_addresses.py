"""Checks for public internet addresses, so that strangers cannot reach the operator's network through the server."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

IPAddress = IPv4Address | IPv6Address

_TRANSLATED: Final = tuple(map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
"""Networks of IPv6 addresses that lead to IPv4 addresses, which may be private."""

_LOCAL_NAMES: Final = (
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "home.arpa",
)
"""Names, and ends of names, that resolve only within a network (RFC 6761, RFC 6762, RFC 8375, ICANN)."""


def is_public(address: IPAddress) -> bool:
    """Return True if everybody in the world would reach the same host by the address."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if any(address in network for network in _TRANSLATED) or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved and not address.is_unspecified


def may_be_public(host: str) -> bool:
    """Return False if a host, as it stands in a URL, is a private address or a name of a private network.

    No name is resolved: a public name may still lead to a private address.
    """
    name = host.rstrip(".").lower()
    address = _literal(name)
    if address is not None:
        return is_public(address)
    return "." in name and not any(name == local or name.endswith(f".{local}") for local in _LOCAL_NAMES)


def _literal(host: str) -> IPAddress | None:
    """Return the address that a host is, in any form that resolvers take, like ``0x7f.1`` or ``2130706433``."""
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None
