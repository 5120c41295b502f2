"""Messages to and from thinkers: frames of a length in four bytes and that many bytes of msgpack."""

from __future__ import annotations

from typing import IO, Final, TypeVar

import msgspec

from kontor.game import Value

PROCESSOR_LIMIT: Final = 20
"""Seconds of processor time for one task."""

_LENGTH: Final = 4


class TaskRequest(Value, frozen=True):
    """A task: the function ``work``, written as ``module:name``, and its argument ``matter``.

    The function takes bytes and returns bytes. ``processor_limit`` is in seconds of processor time.
    """

    work: str
    matter: bytes
    processor_limit: int = PROCESSOR_LIMIT


class TaskResult(Value, frozen=True):
    """The bytes that the function returned; or None, and the traceback of its failure."""

    given: bytes | None
    failure: str = ""


T = TypeVar("T")


def write(stream: IO[bytes], thing: Value) -> None:
    """Send a frame. Raises OSError if the reader has gone."""
    data = msgspec.msgpack.encode(thing)
    stream.write(len(data).to_bytes(_LENGTH, "big") + data)
    stream.flush()


def read(stream: IO[bytes], kind: type[T]) -> T | None:
    """Return the next frame, or None if the other side has ended, even in the middle of a frame."""
    length = stream.read(_LENGTH)
    if len(length) < _LENGTH:
        return None
    size = int.from_bytes(length, "big")
    data = stream.read(size)
    return msgspec.msgpack.decode(data, type=kind) if len(data) == size else None
