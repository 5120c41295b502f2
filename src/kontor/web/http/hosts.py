"""Under which names people come. Whoever owns a name can let it lead to this machine and have a browser ask us in its
own site's name (DNS rebinding), and links to friends are made of the name that was asked for: so we answer to those
that can only be meant for us.
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
"""How names end that mean something within a network alone: nobody can own one of them elsewhere."""


class Hosts:
    """Those names and addresses to which we answer: of this machine, of networks that are nobody else's, and what the
    operator allows beside them."""

    def __init__(self, allowed: Collection[str] = ()) -> None:
        machine = socket.gethostname().lower()
        self._names = {"localhost", machine, machine.partition(".")[0], *map(plain, allowed)} - {""}

    def answers_to(self, host: str) -> bool:
        """Whether the header ``Host`` names us."""
        name = name_in(host)
        if name in self._names:
            return True
        try:
            return not ip_address(name).is_global
        except ValueError:
            return name.endswith(LOCAL)


def name_in(host: str) -> str:
    """The name or address in a header ``Host``, without the port; empty if it makes no sense."""
    found = _HOST.fullmatch(host.strip().lower())
    return (found[1] or found[2].rstrip(".")) if found else ""


def plain(name: str) -> str:
    """A name as it stands in the header: letters of other alphabets are written in ASCII there. Raises ValueError."""
    name = name.strip("[]. ").lower()
    return str(ip_address(name)) if ":" in name else name.encode("idna").decode()


def host_of(url: str) -> str:
    """The name or address in a URL. Raises ValueError."""
    host = urlsplit(url).hostname
    if not host:
        raise ValueError
    return plain(host)
