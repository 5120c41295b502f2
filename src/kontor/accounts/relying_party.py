"""The site for which a browser keeps passkeys (WebAuthn's relying party)."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from kontor.accounts.site import AccountsSite
from kontor.game import Value
from kontor.web.pages.visitor import Visitor

_USUAL_PORTS = {"http": ":80", "https": ":443"}


class RelyingParty(Value, frozen=True):
    """The site as browsers know it: the origin of its pages, and the host for which a passkey is valid."""

    origin: str
    host: str


def relying_party(site: AccountsSite, visitor: Visitor) -> RelyingParty | None:
    """Return the site whose passkeys the visitor's browser can use; None if passkeys are not offered.

    They need https, or this very machine, and a name instead of an address. If the operator has set the server's
    address, they work only there.
    """
    if not site.offers_passkeys:
        return None
    requested, public = _party(visitor.origin), _party(site.address or visitor.origin)
    return public if requested == public else None


def _party(address: str) -> RelyingParty | None:
    try:
        split = urlsplit(address)
        host = split.hostname or ""
    except ValueError:
        return None
    secure = split.scheme == "https" or host == "localhost" or host.endswith(".localhost")
    if not host or not secure or _is_address(host):
        return None
    return RelyingParty(f"{split.scheme}://{split.netloc.lower().removesuffix(_USUAL_PORTS[split.scheme])}", host)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
