"""A person's turns for other programs: deadlines as a calendar (RFC 5545), turns as a feed (RFC 4287)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from kontor.notifying.waiting_turns import TurnEntry
from kontor.notifying.ways import Feed
from kontor.plugins import plugins
from kontor.web.adapter import adapter_of
from kontor.web.pages.languages import words_in

_LONGEST_LINE: Final = 74
"""Maximum bytes of a line of a calendar; a longer one continues on the next, after a space."""


def _title(feed: Feed, turn: TurnEntry) -> str:
    return words_in(feed.language).say("Your turn: {game}", game=adapter_of(turn.game).title)


def _turns(feed: Feed) -> list[TurnEntry]:
    return [turn for turn in feed.turns if turn.game in plugins()]


def calendar_of(feed: Feed, base: str) -> bytes:
    """Return a calendar with an event at the deadline of each turn."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kontor//turns//EN", "METHOD:PUBLISH", "X-WR-CALNAME:Kontor"]
    for turn in _turns(feed):
        if turn.deadline is None:
            continue
        lines += [
            "BEGIN:VEVENT",
            f"UID:{turn.table}-{turn.number}@kontor",
            f"DTSTAMP:{_time(turn.since):%Y%m%dT%H%M%SZ}",
            f"DTSTART:{_time(turn.deadline):%Y%m%dT%H%M%SZ}",
            "DURATION:PT0S",
            f"SUMMARY:{_escape(_title(feed, turn))}",
            f"URL:{base}/tables/{turn.table}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return b"".join(map(_fold, lines))


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds // 1000, UTC)


def _escape(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text


def _fold(line: str) -> bytes:
    parts, rest = [], line
    while len(rest.encode()) > _LONGEST_LINE:
        cut = _LONGEST_LINE
        while len(rest[:cut].encode()) > _LONGEST_LINE:
            cut -= 1
        parts.append(rest[:cut].encode())
        rest = rest[cut:]
    return b"\r\n ".join([*parts, rest.encode()]) + b"\r\n"


_FEED: Final = Markup(
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>{base}/</id>'
    "<title>Kontor</title><updated>{updated}</updated><author><name>Kontor</name></author>{entries}</feed>\n"
)
_ENTRY: Final = Markup(
    '<entry><id>{table}#{number}</id><title>{title}</title><updated>{updated}</updated><link href="{table}"/></entry>'
)


def atom_of(feed: Feed, base: str) -> bytes:
    """Return a feed with an entry for each open turn."""
    turns = _turns(feed)
    entries = [
        _ENTRY.format(
            table=f"{base}/tables/{turn.table}",
            number=turn.number,
            title=_title(feed, turn),
            updated=_stamp(turn.since),
        )
        for turn in turns
    ]
    updated = _stamp(max((turn.since for turn in turns), default=0))
    return _FEED.format(base=base, updated=updated, entries=Markup().join(entries)).encode()


def _stamp(milliseconds: int) -> str:
    return f"{_time(milliseconds):%Y-%m-%dT%H:%M:%SZ}"
