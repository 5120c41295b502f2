"""The server's public address, as the operator gives it with ``--url``: an origin, and a path if it has one."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from kontor.game import Refusal
from kontor.web.http.hosts import host_of

_USUAL_PORTS: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?|[0-9a-f.]*:[0-9a-f:.]+")
_PATH: Final = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
"""A path that browsers, proxies and cookies all write in the same way."""


class BadUrl(Refusal):
    """An address that cannot be the server's public one."""


def public_url(given: str) -> str:
    """Return the address as browsers write it, without a slash at its end; empty for none.

    It has a scheme, a host, the port if it is not the usual one, and the path if the server is below one. Raises
    BadUrl.
    """
    url = given.strip()
    if not url:
        return ""
    scheme = url.partition("://")[0].lower()
    if scheme not in _USUAL_PORTS or "://" not in url:
        raise BadUrl(
            "", "An address begins with http:// or https://, not “{address}”.", address=_without_password(url)
        )
    host, split = _host(url)
    if "@" in split.netloc or "?" in url or "#" in url:
        raise BadUrl("", "Give --url without a user name, query or fragment, such as https://games.example.")
    path = split.path.rstrip("/")
    if not _PATH.fullmatch(path):
        reason = "A path in --url has letters, digits and hyphens only, such as /kontor, not “{path}”."
        raise BadUrl("", reason, path=path)
    port = _port(split)
    shown_host = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown_host}" + (f":{port}" if port not in (None, _USUAL_PORTS[scheme]) else "") + path


def _host(url: str) -> tuple[str, SplitResult]:
    """Return the host in ASCII, and the parts of the address. Raises BadUrl."""
    try:
        # urlsplit silently drops control characters.
        host = host_of(url) if url.isprintable() and " " not in url else ""
        split = urlsplit(url)
    except ValueError:
        host = ""
    if not _HOST.fullmatch(host):
        raise BadUrl("", "“{given}” is not the name of a host.", given=_without_password(url))
    return host, split


def _port(split: SplitResult) -> int | None:
    """Return the port, if there is one. Raises BadUrl."""
    try:
        port = split.port
    except ValueError:
        port = 0
    if port == 0:
        given = split.netloc.rpartition(":")[2]
        raise BadUrl("", "The port in --url is a number from 1 to 65535, not “{port}”.", port=given)
    return port


def _without_password(url: str) -> str:
    """Return the address without what may be a password."""
    head, at, rest = url.rpartition("@")
    return f"…@{rest}" if at and head else url
