"""The puzzles that come with a game: ``puzzles.jsonl`` in its package, a line of JSON each, by their ids. Those that
have been retired are found by a link alone."""

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

RETIRED: Final = "retired-puzzles.jsonl"
"""Of a game whose judge has learned better: those whose best move is not clear any more."""


def encode(puzzles: Iterable[Puzzle]) -> bytes:
    """Puzzles as a file."""
    return b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in puzzles)


def decode(data: bytes) -> tuple[Puzzle, ...]:
    """The puzzles of a file. Raises msgspec.DecodeError."""
    return tuple(msgspec.json.decode(line, type=Puzzle) for line in data.splitlines())


@cache
def puzzles_of(game: str) -> Mapping[str, Puzzle]:
    """The puzzles of a game that has some, by their ids, in the order of their days."""
    return MappingProxyType({puzzle.id: puzzle for puzzle in _read(game, FILE)})


@cache
def retired_of(game: str) -> Mapping[str, Puzzle]:
    """The puzzles of a game that are retired, by their ids."""
    return MappingProxyType({puzzle.id: puzzle for puzzle in _read(game, RETIRED)})


def puzzle_named(game: str, name: str) -> Puzzle | None:
    """A puzzle by its id, retired or not."""
    return puzzles_of(game).get(name) or retired_of(game).get(name)


def _read(game: str, name: str) -> tuple[Puzzle, ...]:
    file = files(plugin_named(game).package) / name
    return decode(file.read_bytes()) if file.is_file() else ()


def themes_of(game: str) -> dict[str, int]:
    """How many puzzles there are of each theme."""
    return dict(Counter(puzzle.theme for puzzle in puzzles_of(game).values()))
