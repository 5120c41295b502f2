"""Times on pages, which scripts show in the reader's own time zone."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup

from kontor.words import Words


def moment(words: Words, time: datetime) -> Markup:
    """Return a time in UTC, which scripts show in the reader's own time zone."""
    utc = time.astimezone(UTC)
    text = words.say("{time} UTC", time=f"{words.day(utc.date())} {utc:%H:%M}")
    return Markup('<time datetime="{}" data-moment>{}</time>').format(utc.isoformat(timespec="seconds"), text)
