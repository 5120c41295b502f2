"""Checks of a record's header and version."""

from __future__ import annotations

import re
from typing import Final

from kontor.fair import salt_commitment
from kontor.game import AnyGame, BadOptions
from kontor.plugins import game_named
from kontor.records import sections
from kontor.records.format import (
    EARLY_VERSION,
    LONGEST_NAME,
    LONGEST_SALT,
    SHARED_VERSIONS,
    STRICT_VERSION,
    TAKEN_BACK_VERSION,
    VERSION,
    VERSIONS,
    BadRecord,
    EarlyEnding,
    Header,
    Record,
)
from kontor.visible_text import quoted

_LENGTHS: Final = {
    "seats": (1, LONGEST_NAME),
    "players": (1, LONGEST_NAME),
    "salts": (0, LONGEST_SALT),
    "salt_commitments": (0, 64),
}
"""The shortest and the longest text, for each field of the header with one text for each seat."""

MOST_LINES: Final = 2**31 - 1
"""The greatest number of a line or a stream."""

HIDDEN: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]"
)
"""Control characters, and others that change how the text around them looks. A record comes from strangers, and
ends up in terminals and web pages. Those hide more characters (``kontor.visible_text``), which today's records may
hold."""


def check_format(version: int) -> None:
    """Raise BadOptions unless this Kontor knows the version of the format."""
    if version not in VERSIONS:
        reason = "This is a record of version {version}; this Kontor knows {supported}."
        raise BadOptions(sections.VERSIONS, reason, version=version, supported=", ".join(map(str, VERSIONS)))


def check_written_by(record: Record) -> None:
    """Raise BadRecord unless the version is the one in which a game with such an ending is written."""
    early = isinstance(record.ending, EarlyEnding)
    if early and record.header.record == VERSION:
        reason = "A game that was ended early is a record of version {version}."
        raise BadRecord(len(record.steps) + 2, sections.VERSIONS, reason, version=EARLY_VERSION)
    if not early and record.header.record == EARLY_VERSION:
        reason = "Only a game that was ended early is a record of version {version}."
        raise BadRecord(1, sections.VERSIONS, reason, version=EARLY_VERSION)


def check_rules(game: AnyGame, version: int) -> None:
    """Raise BadOptions unless this Kontor knows the version of the game's rules."""
    if version != game.version:
        reason = "This record was played by version {version} of the rules of {game}; this Kontor knows {supported}."
        raise BadOptions(sections.VERSIONS, reason, version=version, game=game.name, supported=game.version)


def check_header(header: Header) -> AnyGame:
    """Return the game of a header. Raises BadOptions if it cannot be played like that."""
    check_format(header.record)
    game = game_named(header.game)
    check_rules(game, header.rules)
    game.start(header.options)
    count = game.seats(header.options)
    strict = _is_strict(header)
    for name, (shortest, longest) in _LENGTHS.items():
        if name == "salt_commitments" and not strict:
            continue
        texts = getattr(header, name)
        if len(texts) != count:
            reason = "The game has {count} seats; “{name}” has {given}."
            raise BadOptions(sections.HEADER, reason, count=count, given=len(texts), name=name)
        for text in texts:
            if not shortest <= len(text) <= longest:
                reason = "In “{name}”, “{text}” has {given} characters; it should be {shortest} to {longest}."
                quotation = quoted(text, LONGEST_NAME)
                raise BadOptions(
                    sections.HEADER,
                    reason,
                    name=name,
                    shortest=shortest,
                    longest=longest,
                    text=quotation,
                    given=len(text),
                )
            if HIDDEN.search(text):
                reason = "In “{name}”, “{text}” contains a control character."
                raise BadOptions(sections.HEADER, reason, name=name, text=quoted(text))
    if strict:
        _check_salts(header)
    _check_streams(header)
    if header.record in SHARED_VERSIONS and any(header.salts):
        raise BadOptions(sections.DUPLICATE, "Nobody contributes to dice that several games share.")
    return game


def _is_strict(header: Header) -> bool:
    """Return True if seats have committed to salts. Raises BadOptions if the version says otherwise.

    In a record of STRICT_VERSION at least one seat has committed. In one of TAKEN_BACK_VERSION seats may have
    committed; in others none has.
    """
    strict = header.record == STRICT_VERSION or (
        header.record == TAKEN_BACK_VERSION and bool(header.salt_commitments)
    )
    if strict and not any(header.salt_commitments):
        reason = "In this record of version {version} at least one seat has committed to its contribution."
        raise BadOptions(sections.VERSIONS, reason, version=header.record)
    if header.salt_commitments and not strict:
        reason = "Only records of versions {strict} and {taken_back} contain “salt_commitments”."
        raise BadOptions(sections.VERSIONS, reason, strict=STRICT_VERSION, taken_back=TAKEN_BACK_VERSION)
    return strict


def _check_streams(header: Header) -> None:
    """Raise BadOptions unless only a record of TAKEN_BACK_VERSION has streams of other lines, written in one way."""
    for name, given in (("streams", header.streams), ("undone", header.undone)):
        if bool(given) != (header.record == TAKEN_BACK_VERSION):
            reason = "A record has “{name}” if its version is {version}, and only then."
            raise BadOptions(sections.VERSIONS, reason, name=name, version=TAKEN_BACK_VERSION)
    if not 0 <= header.undone <= MOST_LINES:
        raise BadOptions(sections.TAKEN_BACK, "“undone” is not a number of lines.")
    lines, streams = [line for line, _ in header.streams], [stream for _, stream in header.streams]
    in_order = lines == sorted(set(lines)) and len(set(streams)) == len(streams)
    possible = all(1 < line <= MOST_LINES and 1 < stream <= MOST_LINES for line, stream in header.streams)
    if not (in_order and possible and all(line != stream for line, stream in header.streams)):
        raise BadOptions(
            sections.TAKEN_BACK, "The “streams” are not lines in order, each with the stream of another line."
        )


def _check_salts(header: Header) -> None:
    """Raise BadOptions unless each salt is the one committed to, or was left out.

    A seat without a commitment gave its salt openly.
    """
    for name, salt, committed in zip(header.seats, header.salts, header.salt_commitments, strict=True):
        if salt and committed and salt_commitment(salt) != committed:
            raise BadOptions(
                sections.STRICT, "The contribution of {name} is not the one that line 1 commits to.", name=name
            )
