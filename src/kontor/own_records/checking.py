"""Checks of a record that somebody sends: it is read and replayed by the rules, and its dice are recomputed."""

from __future__ import annotations

from typing import Final

from kontor.game import Refusal
from kontor.records import BadRecord, Record, decode, verify
from kontor.web.adapter import web_adapters
from kontor.words import mark

MOST_BYTES: Final = 256 * 1024
"""The greatest size of a record. The longest games of six people take a twelfth of it."""


_AT_LINE: Final = mark("Line {line}: {why}")
_BY_RULE: Final = mark("Line {line}: {why} ({number})")
"""The refusal of a line; by a rule of the game."""


class BadUpload(Refusal):
    """Something that was sent instead of a record, or a record that is too large."""


def checked_record(text: str) -> Record:
    """Return the record that a person has pasted, or sent as a file. Raises BadUpload.

    Browsers change the ends of lines, and people leave empty lines behind. The comments of a review are left out.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").strip("\n \t").split("\n")
    numbers = [number for number, line in enumerate(lines, 1) if not line.startswith("#")]
    data = "".join(f"{lines[number - 1]}\n" for number in numbers).encode(errors="replace")
    if not data.strip():
        raise BadUpload("", "Paste a record, or choose its file.")
    if len(data) > MOST_BYTES:
        raise BadUpload("", "A record can have at most {most} KB here.", most=MOST_BYTES // 1024)
    try:
        record = decode(data)
        verify(record)
    except BadRecord as bad:
        line = numbers[bad.line - 1] if 0 < bad.line <= len(numbers) else bad.line
        raise BadUpload(
            "", _BY_RULE if _is_numbered(bad.rule) else _AT_LINE, line=line, why=bad, number=bad.rule
        ) from bad
    if record.header.game not in web_adapters():
        raise BadUpload("", "Games of {game} can’t be shown in the browser.", game=record.header.game)
    return record


def _is_numbered(rule: str) -> bool:
    """Return True for the rule of a game, such as S4; others are sections of the documentation."""
    return rule[:1].isalpha() and rule[1:2].isdigit()
