"""How thinkers are talked to: frames, each a length in four bytes and so many bytes of msgpack."""

from __future__ import annotations

from typing import IO, Final, TypeVar

import msgspec

from kontor.game import Value

PROCESSOR_LIMIT: Final = 20
"""Seconds of processor time for one task."""

_LENGTH: Final = 4


class TaskRequest(Value, frozen=True):
    """``work`` is a function of bytes that gives bytes, as ``module:name``; ``matter`` is what it is given.
    ``processor_limit`` is in seconds of processor time."""

    work: str
    matter: bytes
    processor_limit: int = PROCESSOR_LIMIT


class TaskResult(Value, frozen=True):
    """What the function gave; or None, and where it failed."""

    given: bytes | None
    failure: str = ""


T = TypeVar("T")


def write(stream: IO[bytes], thing: Value) -> None:
    """Sends a frame. Raises OSError where nobody listens any more."""
    data = msgspec.msgpack.encode(thing)
    stream.write(len(data).to_bytes(_LENGTH, "big") + data)
    stream.flush()


def read(stream: IO[bytes], kind: type[T]) -> T | None:
    """The next frame; None when the other side has ended, be it within a frame."""
    length = stream.read(_LENGTH)
    if len(length) < _LENGTH:
        return None
    size = int.from_bytes(length, "big")
    data = stream.read(size)
    return msgspec.msgpack.decode(data, type=kind) if len(data) == size else None
