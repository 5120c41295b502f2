"""The memory layout of the games of a batch: a numpy record of named fields for each game."""

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
    """A field of a game's row: numbers from 0 to ``most``, in an array of this ``shape`` (empty for a single number).

    In some fields ``NONE`` stands for a missing value.
    """

    name: str
    shape: tuple[int, ...]
    most: int
    meaning: str

    @property
    def size(self) -> int:
        """Return how many numbers the field has in a row."""
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """The fields of a row, in their order, and the type of all their numbers."""

    kind: type[np.generic]
    fields: tuple[Field, ...]

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """Return the numpy record type of a row."""
        return np.dtype([(field.name, self.kind, field.shape) for field in self.fields])

    @property
    def width(self) -> int:
        """Return how many numbers a row has."""
        return sum(field.size for field in self.fields)

    def at(self, name: str) -> int:
        """Return how many numbers of the row precede a field. Raises KeyError."""
        begins = 0
        for field in self.fields:
            if field.name == name:
                return begins
            begins += field.size
        raise KeyError(name)

    def field(self, name: str) -> Field:
        """Return a field by its name. Raises KeyError."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    def row(self, numbers: Mapping[str, Iterable[int]]) -> GameRow:
        """Return a row with these numbers in each field, in their order; all other numbers are 0."""
        held: list[int] = []
        for field in self.fields:
            given = list(numbers.get(field.name, ()))
            held += given + [0] * (field.size - len(given))
        return np.array(held, self.kind).view(self.dtype)[0]

    def numbers(self, row: GameRow) -> dict[str, Any]:
        """Return the contents of a row, by field: a number, or lists of numbers in the shape of the field."""
        return {
            field.name: held.tolist() if field.shape else held
            for field, held in zip(self.fields, row.tolist(), strict=True)
        }
