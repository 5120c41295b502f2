"""Notification channels and their settings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal

from kontor.game import Value
from kontor.notifying.daily import USUAL_HOUR

WayKind = Literal["mail", "webhook", "discord", "push"]
"""Kind of a notification channel. ``discord`` is a webhook that gets messages in Discord's format."""


SendKind = Literal["mail", "webhook", "discord", "push", "table"]
"""Kind of what messages are sent to: a notification channel, or the webhook of a ``table``."""


WebhookForm = Literal["discord", "slack", "mattermost", "json"]
"""Form of what is posted to the webhook of a table: that of a chat service, or plain JSON."""


Frequency = Literal["once", "daily", "both", "never"]
"""Frequency with which a person is told that it is their turn: once per table until they have looked there, once a
day for all tables, or both."""

LEADS: Final = (1, 3, 6, 12, 24, 48)
"""The hours before the end of their time at which people can be reminded."""


class Rhythm(Value, frozen=True):
    """Times at which a person wants to be notified by one channel; hours are those of their time zone.

    ``hour`` is that of summaries. ``lead`` are the hours before the end of their time at which a reminder comes: 0
    for no reminder, None for when a quarter of a move's time is left. Between the hours ``quiet_from`` and
    ``quiet_to`` nothing comes; if these are equal, there are no quiet hours.
    """

    frequency: Frequency = "once"
    hour: int = USUAL_HOUR
    lead: int | None = None
    quiet_from: int = 0
    quiet_to: int = 0

    @property
    def is_quiet(self) -> bool:
        """Return True if there are quiet hours."""
        return self.quiet_from != self.quiet_to


FailureReason = Literal[
    "gone",
    "refused",
    "policy",
    "full",
    "size",
    "busy",
    "unreached",
    "certificate",
    "forbidden",
    "operator",
]
"""Reason why a notification was not delivered. ``gone``: no recipient exists; ``refused``: the receiver takes none;
``policy``: it takes none from this server, or takes it for spam; ``full``: the mailbox is full; ``size``: the message
is too large; ``busy``: another try may help; ``unreached``: nothing answers; ``certificate``: it is not valid;
``forbidden``: the address is not public; ``operator``: only the operator of this server can fix it."""


class Failure(Value, frozen=True):
    """Reason why nothing is delivered, since when (Unix time in milliseconds), and the codes of the last response."""

    reason: FailureReason
    detail: str
    since: int


class Way(Value, frozen=True):
    """A notification channel of a person.

    ``dead``: it was switched off, because nothing could be delivered. ``failure``: why the last message was not
    delivered; None if it was.
    """

    id: str
    kind: WayKind
    address: str
    dead: bool
    rhythm: Rhythm = Rhythm()
    failure: Failure | None = None


class TableWebhookInfo(Value, frozen=True):
    """The webhook of a table, for a person who sits there.

    ``host`` is that of its address, which may hold a secret. ``address``, ``secret`` and ``mentions``, by seats, are
    there only for the person who set it up.
    """

    host: str
    form: WebhookForm
    name: str
    """The name of the person who set it up."""
    mine: bool
    dead: bool
    failure: Failure | None
    address: str
    secret: str
    mentions: Mapping[int, str]


class OwnTableWebhook(Value, frozen=True):
    """A webhook of a table that a person has set up, for their own data."""

    table: str
    form: WebhookForm
    address: str
    mentions: Mapping[int, str]
    """The ids to mention, by seats."""
    created: datetime


class NotificationSettings(Value, frozen=True):
    """A person's notification settings.

    ``address`` is their mail address; ``confirmed``: they have typed a code that was sent there.
    """

    zone: str = ""
    """The time zone of summaries and quiet hours; empty where none was chosen yet."""
    address: str = ""
    confirmed: bool = False
    code_pending: bool = False
    """True while a code that was sent to the address can be typed."""
    feed: bool = False
    """True if the feed has a secret address."""
    ways: tuple[Way, ...] = ()
    language: str = ""
    """The language of messages; empty where nothing was chosen yet."""
    followed: bool = True
    """True if they want to hear of tables and seeks of people whom they follow."""
    challenged: bool = True
    """True if they want to hear of challenges, and of the answers to their own."""
    written: bool = True
    """True if they want to hear that somebody has written to them."""
