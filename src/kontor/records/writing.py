"""Records made and written."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from kontor.endings import EarlyEnd
from kontor.game import CHANCE, AnyGame, Result
from kontor.records.checks import check_header
from kontor.records.format import (
    DUPLICATE_VERSION,
    EARLY_VERSION,
    STRICT_VERSION,
    VERSION,
    EarlyEnding,
    GameEnding,
    Header,
    Record,
    Step,
)


def new_header(
    game: AnyGame,
    options: Any,
    *,
    seats: Sequence[str],
    players: Sequence[str],
    salts: Sequence[str],
    commitment: str,
    salt_commitments: Sequence[str] = (),
    started: datetime | None = None,
    duplicate: bool = False,
) -> Header:
    """Return the header of a new game. Raises BadOptions if it cannot be played like that.

    Its dice are strict if a seat has committed to a salt. If they are ``duplicate``, other games share them.
    """
    strict = any(salt_commitments)
    header = Header(
        record=DUPLICATE_VERSION if duplicate else STRICT_VERSION if strict else VERSION,
        game=game.name,
        rules=game.version,
        options=options,
        seats=tuple(seats),
        players=tuple(players),
        salts=tuple(salts),
        commitment=commitment,
        salt_commitments=tuple(salt_commitments) if strict else (),
        started=started,
    )
    check_header(header)
    return header


def ended(record: Record, seed: bytes, result: Result) -> Record:
    """Return the record with its ending."""
    return replace(record, ending=GameEnding(seed.hex(), result, digest(record)))


def ended_early(record: Record, seed: bytes, early: EarlyEnd) -> Record:
    """Return the record with an early ending; its version becomes EARLY_VERSION if it was VERSION."""
    if record.header.record == VERSION:
        record = replace(record, header=replace(record.header, record=EARLY_VERSION))
    return replace(record, ending=EarlyEnding(seed.hex(), early, digest(record)))


def digest(record: Record) -> str:
    """Return the SHA-256 of the lines before the ending, in hexadecimal digits."""
    return hashlib.sha256(encode(replace(record, ending=None))).hexdigest()


def encode(record: Record) -> bytes:
    """Return the record as the bytes of a file."""
    parts = (record.header, *record.steps, *([record.ending] if record.ending else ()))
    return b"".join([encode_line(part) for part in parts])


def encode_line(part: Header | Step | GameEnding | EarlyEnding) -> bytes:
    """Return one line, with its line feed.

    A move's fields stand beside the seat that made it: no move has a field ``seat``.
    """
    if isinstance(part, Step):
        seat = {} if part.seat == CHANCE else {"seat": part.seat}
        fields = {**seat, **msgspec.to_builtins(part.action, order="deterministic")}
    else:
        fields = msgspec.to_builtins(part, order="deterministic")
    return msgspec.json.encode(fields) + b"\n"


def write(path: Path, record: Record) -> None:
    """Write the whole record to a file.

    For a game in progress see :class:`kontor.recording.RecordWriter`.
    """
    path.write_bytes(encode(record))
