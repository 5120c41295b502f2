"""The puzzles that come with a game: ``puzzles.jsonl`` in its package, a line of JSON each, by their ids.

Retired puzzles can only be reached by a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import msgspec

from kontor.plugins import plugin_named
from kontor.puzzles.values import Puzzle

FILE: Final = "puzzles.jsonl"

RETIRED: Final = "retired-puzzles.jsonl"
"""Puzzles of a game whose best move is not clear any more, because the judge has learned better."""


def encode(puzzles: Iterable[Puzzle]) -> bytes:
    """Return puzzles as the bytes of a file."""
    return b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in puzzles)


def decode(data: bytes) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file. Raises msgspec.DecodeError."""
    return tuple(msgspec.json.decode(line, type=Puzzle) for line in data.splitlines())


@cache
def puzzles_of(game: str) -> Mapping[str, Puzzle]:
    """Return a game's puzzles by their ids, in the order of their days."""
    return MappingProxyType({puzzle.id: puzzle for puzzle in _read(game, FILE)})


@cache
def retired_of(game: str) -> Mapping[str, Puzzle]:
    """Return a game's retired puzzles by their ids."""
    return MappingProxyType({puzzle.id: puzzle for puzzle in _read(game, RETIRED)})


def puzzle_named(game: str, name: str) -> Puzzle | None:
    """Return the puzzle with this id, retired or not; None if there is none."""
    return puzzles_of(game).get(name) or retired_of(game).get(name)


def _read(game: str, name: str) -> tuple[Puzzle, ...]:
    file = files(plugin_named(game).package) / name
    return decode(file.read_bytes()) if file.is_file() else ()
