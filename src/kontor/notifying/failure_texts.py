"""The reasons why notifications are not delivered, in the reader's language."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup, escape

from kontor.notifying.values import Failure, FailureReason
from kontor.web.pages.moments import moment
from kontor.words import Words, mark

_REASONS: Final[dict[FailureReason, str]] = {
    "gone": mark("There is no recipient at this address any more."),
    "refused": mark("The other side refuses these messages."),
    "policy": mark("The other side takes no messages from this server, or takes them for spam."),
    "full": mark("The mailbox is full."),
    "size": mark("The message is too large for the other side."),
    "busy": mark("The other side cannot take any messages just now."),
    "unreached": mark("Nothing answers at this address."),
    "certificate": mark("The certificate of the other side is not valid."),
    "forbidden": mark("The address is not a public internet address."),
    "operator": mark("This server cannot send messages just now. Only its operator can put that right."),
}


def describe_failure(words: Words, failure: Failure) -> Markup:
    """Return since when and why nothing is delivered, with the codes of the last answer."""
    since = datetime.fromtimestamp(failure.since / 1000, UTC)
    parts = [escape(words.say("Nothing has been delivered since {time}.")).format(time=moment(words, since))]
    parts.append(escape(words.say(_REASONS[failure.reason])))
    if failure.detail:
        parts.append(escape(f"({failure.detail})"))
    return Markup(" ").join(parts)
