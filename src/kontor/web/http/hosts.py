"""The host names to which the server answers.

The owner of any name can point it at this machine, and a browser then calls us on behalf of that owner's site (DNS
rebinding). Also, links to friends contain the requested name. So we answer only to names that must mean us.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

_HOST: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s:/\\@\[\]?#]+))(?::\d{0,5})?")

LOCAL: Final = (".localhost", ".local", ".lan", ".internal", ".home.arpa")
"""Suffixes of names that only work within a network: nobody can own one of them elsewhere."""


class Hosts:
    """The names and addresses to which we answer.

    They are those of this machine and of private networks, and those that the operator allows.
    """

    def __init__(self, allowed: Collection[str] = ()) -> None:
        machine = socket.gethostname().lower()
        self._names = {"localhost", machine, machine.partition(".")[0], *map(normalise_host, allowed)} - {""}

    def answers_to(self, host: str) -> bool:
        """Return True if the header ``Host`` names us."""
        name = name_in(host)
        if name in self._names:
            return True
        try:
            return not ip_address(name).is_global
        except ValueError:
            return name.endswith(LOCAL)


def name_in(host: str) -> str:
    """Return the name or address in a header ``Host``, without the port; empty if it is invalid."""
    match = _HOST.fullmatch(host.strip().lower())
    return (match[1] or match[2].rstrip(".")) if match else ""


def normalise_host(name: str) -> str:
    """Return a name as it is written in the header, where other alphabets are encoded in ASCII. Raises ValueError."""
    name = name.strip("[]. ").lower()
    return str(ip_address(name)) if ":" in name else name.encode("idna").decode()


def host_of(url: str) -> str:
    """Return the name or address in a URL. Raises ValueError."""
    host = urlsplit(url).hostname
    if not host:
        raise ValueError
    return normalise_host(host)
