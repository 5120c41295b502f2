"""Notification settings, as the page of a person shows them."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from markupsafe import Markup

from kontor.notifying.daily import zones
from kontor.notifying.failure_texts import describe_failure
from kontor.notifying.sending import Failed
from kontor.notifying.site import NotifyingSite
from kontor.notifying.values import LEADS, Failure, NotificationSettings
from kontor.notifying.ways import check_url, not_public
from kontor.words import Words


@dataclass(frozen=True)
class Notified:
    """A person's notification settings.

    ``mail`` is True if the operator offers mails. ``secret`` and ``feed`` are shown only once.
    """

    settings: NotificationSettings
    mail: bool
    webhooks: bool
    push_key: str
    tried: bool = False
    """True if a test notification was just sent."""
    secret: str = ""
    feed: str = ""

    @property
    def zones(self) -> tuple[str, ...]:
        """Return the time zones that can be chosen for the hour of summaries."""
        return zones()

    @property
    def leads(self) -> tuple[int, ...]:
        """Return the hours before the end of their time at which people can be reminded."""
        return LEADS

    @property
    def by_mail(self) -> bool:
        """Return True if mails go to the address."""
        return any(way.kind == "mail" for way in self.settings.ways)

    @staticmethod
    def describe_failure(words: Words, failure: Failure) -> Markup:
        """Return since when and why a channel delivers nothing."""
        return describe_failure(words, failure)


def describe_notifications(
    site: NotifyingSite, person: str, *, tried: bool = False, secret: str = "", feed: str = ""
) -> Notified:
    """Return the person's notification settings, to be shown on their page."""
    ways = site.offered_ways
    return Notified(site.ways.of(person), "mail" in ways, "webhook" in ways, site.push_key, tried, secret, feed)


def check_webhook(site: NotifyingSite, url: str) -> None:
    """Raise BadText for an address to which nothing would ever be posted.

    A name that can't be resolved just now is accepted: it may work again in a minute.
    """
    check_url(url)
    try:
        site.check_url(url)
    except Failed as failed:
        if failed.reason == "forbidden":
            raise not_public(urlsplit(url).hostname or "") from failed
