"""The puzzles that come with a game: ``puzzles.jsonl`` in its package, a line of JSON each, by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import msgspec

from kontor.plugins import plugin_named
from kontor.puzzles.values import Puzzle

FILE: Final = "puzzles.jsonl"


def encode(puzzles: Iterable[Puzzle]) -> bytes:
    """Puzzles as a file."""
    return b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in puzzles)


def decode(data: bytes) -> tuple[Puzzle, ...]:
    """The puzzles of a file. Raises msgspec.DecodeError."""
    return tuple(msgspec.json.decode(line, type=Puzzle) for line in data.splitlines())


@cache
def puzzles_of(game: str) -> Mapping[str, Puzzle]:
    """The puzzles of a game that has some, by their ids."""
    data = (files(plugin_named(game).package) / FILE).read_bytes()
    return MappingProxyType({puzzle.id: puzzle for puzzle in decode(data)})


def themes_of(game: str) -> dict[str, int]:
    """How many puzzles there are of each theme."""
    return dict(Counter(puzzle.theme for puzzle in puzzles_of(game).values()))
