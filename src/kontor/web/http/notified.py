"""What the page of a person shows of how they are notified."""

from __future__ import annotations

from dataclasses import dataclass

from kontor.table.daily import zones
from kontor.table.values import NotificationSettings
from kontor.web.http.site import Site


@dataclass(frozen=True)
class Notified:
    """``mail`` tells whether the operator offers that way; ``secret`` and ``feed`` are shown once."""

    settings: NotificationSettings
    mail: bool
    webhooks: bool
    push_key: str
    tried: bool = False
    """Whether one was just sent, for a try."""
    secret: str = ""
    feed: str = ""

    @property
    def zones(self) -> tuple[str, ...]:
        """Which can be chosen for the hour of summaries."""
        return zones()

    @property
    def by_mail(self) -> bool:
        """Whether mails go to the address."""
        return any(way.kind == "mail" for way in self.settings.ways)


def notified(site: Site, person: str, *, tried: bool = False, secret: str = "", feed: str = "") -> Notified:
    """How the person is notified."""
    ways = site.ways
    return Notified(
        site.service.ways.of(person), "mail" in ways, "webhook" in ways, site.push_key, tried, secret, feed
    )
