"""How the games of a batch lie in memory: a numpy record of named fields for each game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from kontor.batch.arrays import GameRow
from kontor.game import Value


class Field(Value, frozen=True):
    """A part of a game's row: so many numbers (``shape``; none for a single one), from 0 to ``most``; in some fields
    ``NONE`` says that there is none."""

    name: str
    shape: tuple[int, ...]
    most: int
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers the field takes in a row."""
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """The fields of a row, in their order, and the kind of all their numbers."""

    kind: type[np.generic]
    fields: tuple[Field, ...]

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """A row as a numpy record."""
        return np.dtype([(field.name, self.kind, field.shape) for field in self.fields])

    @property
    def width(self) -> int:
        """Numbers in a row."""
        return sum(field.size for field in self.fields)

    def at(self, name: str) -> int:
        """Before how many numbers of the row a field begins. Raises KeyError."""
        begins = 0
        for field in self.fields:
            if field.name == name:
                return begins
            begins += field.size
        raise KeyError(name)

    def field(self, name: str) -> Field:
        """A field by its name. Raises KeyError."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    def row(self, numbers: Mapping[str, Iterable[int]]) -> GameRow:
        """A row that holds these numbers, each field's in their order; the rest of it is 0."""
        held: list[int] = []
        for field in self.fields:
            given = list(numbers.get(field.name, ()))
            held += given + [0] * (field.size - len(given))
        return np.array(held, self.kind).view(self.dtype)[0]

    def numbers(self, row: GameRow) -> dict[str, Any]:
        """What a row holds, by field: a number, or lists of them in the shape of the field."""
        return {
            field.name: held.tolist() if field.shape else held
            for field, held in zip(self.fields, row.tolist(), strict=True)
        }
