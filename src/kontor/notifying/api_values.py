"""The JSON values of the API about notifications."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from kontor.game import Value
from kontor.notifying.daily import USUAL_HOUR
from kontor.notifying.values import FailureReason, Frequency, WayKind


class Turn(Value, frozen=True):
    """A table where it is one's turn.

    ``number`` is that of the last line of the log, ``since`` the time of that line, ``deadline`` when the time runs
    out.
    """

    table: str
    game: str
    number: int
    since: datetime
    deadline: datetime | None


class NewWay(Value, frozen=True, forbid_unknown_fields=True):
    """An address to be called whenever it is one's turn: a webhook, or a Discord channel."""

    address: Annotated[str, msgspec.Meta(max_length=500)]
    kind: Literal["webhook", "discord"] = "webhook"


class MadeWay(Value, frozen=True):
    """A new notification channel. The ``secret`` signs what is sent to a webhook; it is shown only once."""

    id: str
    secret: str


class WayInfo(Value, frozen=True):
    """A notification channel of one's own.

    ``host`` is that of a webhook, whose full address may hold a secret. ``dead`` means that it was switched off
    because deliveries failed. ``failure`` is why deliveries have failed since ``failing``; both are null after a
    delivery. ``hour``, ``lead`` and the quiet hours are as in ``NewRhythm``.
    """

    id: str
    kind: WayKind
    host: str
    frequency: Frequency
    dead: bool
    failure: FailureReason | None = None
    failing: datetime | None = None
    hour: int = USUAL_HOUR
    lead: int | None = None
    quiet_from: int = 0
    quiet_to: int = 0
    zone: str = ""


class NewRhythm(Value, frozen=True, forbid_unknown_fields=True):
    """The times at which a channel is used, in hours of the time ``zone``; without one, that chosen last is kept.

    ``hour`` is that of the daily summary. ``lead`` are the hours before the end of one's time at which a reminder
    comes: 0 for none, null for when a quarter of a move's time is left. Nothing comes from ``quiet_from`` until
    ``quiet_to``; if these are equal, there are no quiet hours.
    """

    frequency: Frequency = "once"
    hour: int = USUAL_HOUR
    lead: int | None = None
    quiet_from: int = 0
    quiet_to: int = 0
    zone: Annotated[str, msgspec.Meta(max_length=64)] = ""
