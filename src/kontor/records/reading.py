"""Records read. Anything that is accepted here is written again byte for byte."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from kontor.decoding import misfit
from kontor.game import CHANCE, AnyGame, BadOptions, Refusal
from kontor.plugins import game_named
from kontor.records import sections
from kontor.records.checks import HIDDEN, check_format, check_header, check_rules, check_written_by
from kontor.records.format import (
    MOST_BYTES,
    MOST_BYTES_A_LINE,
    BadRecord,
    EarlyEnding,
    GameEnding,
    Header,
    Record,
    Step,
)
from kontor.records.writing import encode_line
from kontor.visible_text import quoted


def read(path: Path) -> Record:
    """Return the record in a file. Raises BadRecord, and OSError if the file itself cannot be read."""
    with path.open("rb") as file:
        return decode(file.read(MOST_BYTES + 1))


def decode(data: bytes) -> Record:
    """Return the record that these bytes hold. Raises BadRecord.

    The rules of the game are not applied: it does not check whether they allow the steps.
    """
    if len(data) > MOST_BYTES:
        too_far = data.count(b"\n", 0, MOST_BYTES) + 1
        raise BadRecord(too_far, sections.LINES, "A record can have at most {most} bytes.", most=MOST_BYTES)
    *lines, cut = data.split(b"\n")
    if not (lines or cut):
        raise BadRecord(1, sections.LINES, "The file is empty.")
    if not lines:
        raise _cut_off(1)
    header = _decode_header(lines[0])
    moves, outcomes = _decoders(header.game)
    steps: list[Step] = []
    ending = None
    for number, line in enumerate(lines[1:], start=2):
        if ending:
            raise BadRecord(
                number, sections.ENDING, "The game ended on line {last}: nothing can follow.", last=number - 1
            )
        fields = _fields(number, line)
        part: Step | GameEnding | EarlyEnding
        if "chance" in fields:  # checked first, because an outcome may have a field "seat"
            part = Step(CHANCE, _decoded(number, sections.STEPS, outcomes, line))
            steps.append(part)
        elif "seat" in fields:
            part = _decode_move(number, fields, moves, len(header.seats))
            steps.append(part)
        elif "seed" in fields:
            part = ending = _decoded(number, sections.ENDING, _EARLY_ENDINGS if "early" in fields else _ENDINGS, line)
        else:
            raise BadRecord(
                number,
                sections.STEPS,
                "This is neither a move of a “seat”, nor “chance”, nor an ending with a “seed”.",
            )
        _check_spelling(number, line, part)
    if cut:
        raise _cut_off(len(lines) + 1)
    record = Record(header, tuple(steps), ending)
    check_written_by(record)
    return record


def step_of(game: AnyGame, number: int, seat: int, line: str) -> Step:
    """Return a step from a line that this program has written and checked itself. Raises BadRecord.

    This is five times as fast as :func:`decode`.
    """
    moves, outcomes = _decoders(game.name)
    return Step(seat, _decoded(number, sections.STEPS, outcomes if seat == CHANCE else moves, line))


@cache
def _decoders(game: str) -> tuple[msgspec.json.Decoder[Any], msgspec.json.Decoder[Any]]:
    """Return the decoders of a game's moves and of its outcomes."""
    named = game_named(game)
    return msgspec.json.Decoder(named.move), msgspec.json.Decoder(named.outcome)


_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])

_TEXT: Final = msgspec.json.Decoder(str)

_WHOLE: Final = msgspec.json.Decoder(int)

_HEADERS: Final = msgspec.json.Decoder(Header)

_ENDINGS: Final = msgspec.json.Decoder(GameEnding)

_EARLY_ENDINGS: Final = msgspec.json.Decoder(EarlyEnding)

_BYTE: Final = re.compile(r"\(byte (\d+)\)$")
"""The byte of a line at which it stops being JSON, counted from 0."""

_Bytes = bytes | str | msgspec.Raw


def _decode_header(line: bytes) -> Header:
    """Decode the first line. Raises BadRecord.

    The versions are checked first: nothing else from a newer Kontor can be understood.
    """
    fields = _fields(1, line)

    def value(name: str, decoder: msgspec.json.Decoder[Any]) -> Any:
        if name not in fields:
            raise BadRecord(1, sections.HEADER, "The header lacks “{name}”.", name=name)
        return _decoded(1, sections.HEADER, decoder, fields[name], name)

    try:
        check_format(value("record", _WHOLE))
        game = game_named(value("game", _TEXT))
        check_rules(game, value("rules", _WHOLE))
        options = value("options", msgspec.json.Decoder(game.options))
        header: Header = replace(_decoded(1, sections.HEADER, _HEADERS, line), options=options)
        _check_spelling(1, line, header)
        check_header(header)
    except BadOptions as bad:
        raise at_line(1, bad) from bad
    return header


def _decode_move(number: int, fields: dict[str, msgspec.Raw], moves: msgspec.json.Decoder[Any], seats: int) -> Step:
    seat = _decoded(number, sections.STEPS, _WHOLE, fields.pop("seat"), "seat")
    if not 0 <= seat < seats:
        raise BadRecord(
            number, sections.STEPS, "There is no seat {seat}; the seats are 0 to {last}.", seat=seat, last=seats - 1
        )
    return Step(seat, _decoded(number, sections.STEPS, moves, msgspec.json.encode(fields)))


def _fields(number: int, line: bytes) -> dict[str, msgspec.Raw]:
    """Return the fields of the JSON object in a line. Raises BadRecord."""
    if len(line) > MOST_BYTES_A_LINE:
        raise BadRecord(number, sections.LINES, "A line can have at most {most} bytes.", most=MOST_BYTES_A_LINE)
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise BadRecord(number, sections.LINES, "Byte {at} of the line is not UTF-8.", at=error.start + 1) from error
    fields: dict[str, msgspec.Raw] = _decoded(number, sections.LINES, _FIELDS, line)
    hidden = HIDDEN.search(text)
    if hidden:
        reason = "Character {at} of the line is the control character U+{code:04X}."
        raise BadRecord(number, sections.LINES, reason, at=hidden.start() + 1, code=ord(hidden[0]))
    if any(escaped not in '"\\' for escaped in _ESCAPES.findall(text)):
        raise BadRecord(number, sections.LINES, 'The line contains an escape other than \\" and \\\\.')
    return fields


def _decoded(number: int, rule: str, decoder: msgspec.json.Decoder[Any], data: _Bytes, name: str = "") -> Any:
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise BadRecord(number, rule, "{error}.", error=misfit(error, name)) from error
    except msgspec.DecodeError as error:
        byte = _BYTE.search(str(error))
        if byte is None:
            raise BadRecord(number, sections.LINES, "The line is not JSON: it ends too early.") from error
        raise BadRecord(
            number, sections.LINES, "The line is not JSON from byte {at} on.", at=int(byte[1]) + 1
        ) from error
    except RecursionError as error:
        raise BadRecord(number, sections.LINES, "The line is nested too deeply.") from error


def _cut_off(number: int) -> BadRecord:
    return BadRecord(number, sections.LINES, "The line is cut off: it does not end in a line feed.")


_ESCAPES: Final = re.compile(r"\\(.)")


def _check_spelling(number: int, line: bytes, part: Header | Step | GameEnding | EarlyEnding) -> None:
    """Raise BadRecord unless the line is written in the only valid way."""
    written = encode_line(part)[:-1]
    if written != line:
        alike = zip(written, line, strict=False)
        at = next((at for at, (one, other) in enumerate(alike) if one != other), min(len(written), len(line)))
        following = quoted(written[at:].decode(errors="replace"), 40)
        reason = "Kontor would write this line differently: from byte {at}, “{rest}”."
        if not following:
            reason = "Kontor would write this line differently: it ends before byte {at}."
        raise BadRecord(number, sections.LINES, reason, at=at + 1, rest=following)


def at_line(line: int, refusal: Refusal) -> BadRecord:
    """Return a refusal of the game as a BadRecord for a line.

    If it names no rule, the header is at fault: it names an unknown game.
    """
    details = {name: quoted(value) if isinstance(value, str) else value for name, value in refusal.details.items()}
    return BadRecord(line, refusal.rule or sections.HEADER, refusal.reason, **details)
